internal import Alerts
public import System

/// An offer that is made once a visit, such as a Wi-Fi network.
public struct Offer: Hashable, Sendable {
    /// The content of an offer.
    public enum Content: Hashable, Sendable {
        /// A literal text.
        case text(String)
        /// A Wi-Fi network by its name; its passphrase is in a file, or it is open.
        case wifi(name: String, passphraseFile: String?, isHidden: Bool)
    }

    /// The destination of an offer.
    public enum Way: Hashable, Sendable {
        /// The topic `nodes/<node>/offers/<region or item>`.
        case topic
        /// The standard input of a program.
        case program(ActionCommand)
    }

    /// The reason why an offer can't be made, in a text without secrets.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text.
        public var description: String
    }

    /// The content.
    public var content: Content
    /// The destination.
    public var way: Way

    /// An offer from its parts.
    public init(_ content: Content, _ way: Way) {
        self.content = content
        self.way = way
    }

    /// Its name in a ledger of visits: the same under `on_determined` and `on_enter`, so that it is made once.
    public var id: String {
        let what =
            switch content {
            case .text(let text): "text:\(text)"
            case .wifi(let name, _, _): "wifi:\(name)"
            }
        return switch way {
        case .topic: "topic:\(what)"
        case .program(let command): "\(command.program):\(what)"
        }
    }

    /// The text to pass on: for a Wi-Fi network its `WIFI:` text. Its passphrase is read from its file now and not
    /// retained.
    ///
    /// Blocks while the file is read.
    public func text() throws(Fault) -> Secret {
        switch content {
        case .text(let text): return Secret(text)
        case .wifi(let name, let file, let isHidden):
            let passphrase = try file.map(Self.readPassphrase)
            do {
                return Secret(try WiFiText.encode(name: name, passphrase: passphrase, isHidden: isHidden))
            } catch {
                throw Fault(description: "the Wi-Fi '\(name)' can't be offered: \(error)")
            }
        }
    }

    private static func readPassphrase(_ path: String) throws(Fault) -> String {
        do {
            let bytes = try Files.read(path, bound: 1024)
            let text = String(decoding: bytes, as: UTF8.self)
            return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        } catch {
            throw Fault(description: "the file '\(path)' \(error.words)")
        }
    }
}
