public import System

/// The section `web` of an agent: the address of its metrics, which are off if the section is absent.
public struct WebSettings: Hashable, Sendable {
    /// The address that it listens on (`listen`).
    public var listen: NetworkAddress
    /// The token that metrics ask for: the content of `token_file` at the reading of the configuration; nil for none.
    public var token: Secret?

    static let keys = ["listen", "token_file"]

    static func getter(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<WebSettings> {
        reader.map { map in
            let listen = map.require("listen", reader.listenAddress("127.0.0.1:8098"))
            let token = map.read("token_file", reader.secret)
            return listen.map { WebSettings(listen: $0, token: token) }
        }
    }
}

extension ConfigurationReader {
    /// The values of `log`.
    static let logFormats = ["text", "json"]

    /// A map of switches: the names of those that are on.
    func switches(_ names: [String]) -> Getter<Set<String>> {
        map { map in Set(names.filter { map.read($0, self.boolean) == true }) }
    }
}
