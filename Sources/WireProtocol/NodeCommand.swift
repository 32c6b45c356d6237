public import Bytes

/// A request to a node, on `nodes/<node>/command`: `{"id":…,"action":…,…}`.
public struct NodeCommand: CommandRequest {
    /// The actions of a node.
    public enum Action: Hashable, Sendable {
        /// Publish retained events again: `epoch`, `from_seq`.
        case replay(epoch: String, fromSeq: UInt64)
        /// Change settings, which persist over restarts: `window`, `publish`, `exit_after`, `offset_db`.
        case set(NodeChanges)
        /// Publish the state of one region or of all again (Core Location's `requestState`): `region`.
        case determine(region: String?)
        /// Silence alerts: `region`, `item` or `all`, `for`.
        case silence(Subject, for: Duration)
        /// Restart the scan.
        case rescan
        /// Receive unregistered beacons for a time and answer with the strongest: `for`.
        case nearby(for: Duration)
        /// Advertise a frame for so long, or end that: `frame` (hexadecimal advertising data), `seconds`, or `stop`.
        case advertise(Advertisement)
        /// Set the log level: `level`.
        case log(level: String)
        /// Report to the node that its clock is wrong: `offset`, the correction to add to it; 0 if it is right again.
        case clock(offset: Duration)
        /// Have the machine's helper install a version of the Debian packages: `version`.
        case upgrade(version: String)

        /// Its name on the wire.
        public var name: String {
            switch self {
            case .replay: "replay"
            case .set: "set"
            case .determine: "determine"
            case .silence: "silence"
            case .rescan: "rescan"
            case .nearby: "nearby"
            case .advertise: "advertise"
            case .log: "log"
            case .clock: "clock"
            case .upgrade: "upgrade"
            }
        }
    }

    /// The subject of silenced alerts.
    public enum Subject: Hashable, Sendable {
        /// A region, by its id.
        case region(String)
        /// An item, by its id.
        case item(String)
        /// Everything at the node.
        case all
    }

    /// The advertisement to send.
    public enum Advertisement: Hashable, Sendable {
        /// Advertising data of 1 to 31 bytes, for a time.
        case start(data: [UInt8], for: Duration)
        /// End the advertisement.
        case stop
    }

    /// All actions' names.
    public static let actions = [
        "replay", "set", "determine", "silence", "rescan", "nearby", "advertise", "log", "clock", "upgrade",
    ]
    /// The maximum size of an accepted payload, in bytes.
    public static let payloadLimit = 65_536
    /// The longest id of a command, in bytes.
    public static let idLimit = 64
    /// The valid duration of `nearby`: 1 s to a minute; 5 s if `for` is absent.
    public static let nearbyTimes = Duration.seconds(1)...Duration.seconds(60)
    /// The levels of `log`.
    public static let logLevels = ["error", "warning", "notice", "info", "debug"]

    /// Returns true if a text is the version of a Debian package (deb-version(7)), of at most 64 bytes: a digit, and digits,
    /// letters, `.`, `+`, `~`, `:` and `-`.
    public static func isPackageVersion(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 64, let first = bytes.first, (0x30...0x39).contains(first) else { return false }
        return bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2B || byte == 0x2D
                || byte == 0x2E || byte == 0x3A || byte == 0x7E
        }
    }

    /// The sender's id of the request, which the answer repeats; nil if it gave none.
    public var id: String?
    /// The requested action.
    public var action: Action

    /// A command.
    public init(id: String?, action: Action) {
        self.id = id
        self.action = action
    }

    /// The action's name on the wire.
    public var name: String { action.name }
}

/// The reason why a command isn't done.
public enum CommandFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is longer than any valid one (the bound is in bytes).
    case tooLong(limit: Int)
    /// It isn't JSON, or no object.
    case notJSON(JSONFault)
    /// It names no action.
    case missingAction(known: [String])
    /// It names an unknown action; with the known ones.
    case unknownAction(String, known: [String])
    /// A key that the action requires is absent.
    case missing(key: String, action: String)
    /// A value is invalid; with the expected form.
    case badValue(key: String, expected: String)
    /// It can't be done, for this reason.
    case failed(String)

    /// The reason, and the remedy if there is one.
    public var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .notJSON(let fault): "not the expected JSON: \(fault)"
        case .missingAction(let known): "'action' is missing; one of \(known.joined(separator: ", "))"
        case .unknownAction(let name, let known):
            "there is no action '\(ItemReader.short(name))'; one of \(known.joined(separator: ", "))"
        case .missing(let key, let action): "'\(key)' is missing, which \(action) needs"
        case .badValue(let key, let expected): "'\(key)': expected \(expected)"
        case .failed(let reason): reason
        }
    }
}

/// A command that isn't done, with the fields that its answer needs.
public struct CommandRefusal: Error, Hashable, Sendable {
    /// The command's id, as far as it could be read.
    public var id: String?
    /// The action, as far as it could be read.
    public var action: String?
    /// The reason.
    public var fault: CommandFault

    /// A rejection by all its values.
    public init(id: String?, action: String?, fault: CommandFault) {
        self.id = id
        self.action = action
        self.fault = fault
    }
}
