internal import Alerts
public import System

/// Something that is offered once a visit, such as a Wi-Fi.
public struct Offer: Hashable, Sendable {
    /// What is offered.
    public enum Content: Hashable, Sendable {
        /// A text as it stands.
        case text(String)
        /// A Wi-Fi network by its name; its passphrase is in a file, or it is open.
        case wifi(name: String, passphraseFile: String?, isHidden: Bool)
    }

    /// Where it goes.
    public enum Way: Hashable, Sendable {
        /// To the topic `nodes/<node>/offers/<region or item>`.
        case topic
        /// To the standard input of a program.
        case program(ActionCommand)
    }

    /// Why an offer can't be made, in words that hold no secret.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The words.
        public var description: String
    }

    /// What is offered.
    public var content: Content
    /// Where it goes.
    public var way: Way

    /// An offer by its parts.
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

    /// What is to be given: of a Wi-Fi its `WIFI:` text. Its passphrase is read from its file now and kept nowhere.
    ///
    /// Blocks while the file is read.
    public func text() throws(Fault) -> Secret {
        switch content {
        case .text(let text): return Secret(text)
        case .wifi(let name, let file, let isHidden):
            let passphrase = try file.map(Self.passphrase)
            do {
                return Secret(try WiFiText.encode(name: name, passphrase: passphrase, isHidden: isHidden))
            } catch {
                throw Fault(description: "the Wi-Fi '\(name)' can't be offered: \(error)")
            }
        }
    }

    private static func passphrase(_ path: String) throws(Fault) -> String {
        do {
            let bytes = try Files.read(path, bound: 1024)
            let text = String(decoding: bytes, as: UTF8.self)
            return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        } catch {
            throw Fault(description: "the file '\(path)' \(error.words)")
        }
    }
}
