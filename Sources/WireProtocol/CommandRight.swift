/// The right that a command needs, and the level of the topics on which people with it send commands:
/// `nodes/<node>/operate/<user>`, `fuser/<fuser>/administer/<user>`.
///
/// The broker's access list grants each user the topics of that user's own name and right. So the topic proves both,
/// which the payload of a message can't.
public enum CommandRight: String, Hashable, Sendable, CaseIterable {
    /// Teach, silence, enrol, ask and repeat.
    case operate
    /// All of that, and delete data and change settings.
    case administer
}

/// The sender of a command, as its topic names it.
public struct CommandSender: Hashable, Sendable {
    /// The right that the topic grants.
    public var right: CommandRight
    /// The user of the broker.
    public var user: String

    /// A sender by both values.
    public init(_ right: CommandRight, user: String) {
        (self.right, self.user) = (right, user)
    }

    /// The beginning of the names by which fusers send requests to each other.
    static let peerPrefix = "peer-"

    /// The fuser that sends a request to another one; nil for any other sender.
    public var peer: String? {
        user.hasPrefix(Self.peerPrefix) ? String(user.dropFirst(Self.peerPrefix.count)) : nil
    }

    /// Throws if the sender may not have an action done; `sender` is nil for a command on the topic of programs.
    public static func check(_ sender: CommandSender?, may action: String, _ right: CommandRight) throws(CommandFault) {
        guard let sender else { return }
        guard sender.peer == nil || action == "replay" else {
            throw .failed("'\(action)' is not for another fuser, which may request a 'replay' alone")
        }
        guard sender.right == .operate, right == .administer else { return }
        throw .failed("'\(action)' needs the right to administer, which \(sender.user) does not have on this topic")
    }

    /// Returns true if the sender may not have an action done, as ``check(_:may:_:)`` decides it.
    public static func refuses(_ sender: CommandSender?, _ action: String, _ right: CommandRight) -> Bool {
        do throws(CommandFault) {
            try check(sender, may: action, right)
            return false
        } catch {
            return true
        }
    }
}

extension Topics {
    /// The longest name of a user in a topic, in bytes.
    public static let userLimit = 64

    /// Returns true if a user's name may be a level of a topic: letters and digits of ASCII, `.`, `_`, `-` and `@`.
    public static func isUser(_ name: String) -> Bool {
        (1...userLimit).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                    || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x40
            }
    }

    /// Requests of a user to the node; `+` for all users.
    public func nodeCommand(_ node: String, _ right: CommandRight, user: String) -> String {
        "\(prefix)/nodes/\(node)/\(right.rawValue)/\(user)"
    }

    /// Requests of a user to the fuser; `+` for all users.
    public func fuserCommand(_ fuser: String, _ right: CommandRight, user: String) -> String {
        "\(prefix)/fuser/\(fuser)/\(right.rawValue)/\(user)"
    }

    /// Requests of a fuser to another one.
    public func fuserCommand(_ fuser: String, byPeer sender: String) -> String {
        fuserCommand(fuser, .operate, user: String("\(CommandSender.peerPrefix)\(sender)".prefix(Self.userLimit)))
    }

    /// All requests to a node.
    public func nodeCommands(_ node: String) -> [String] {
        [nodeCommand(node)] + CommandRight.allCases.map { nodeCommand(node, $0, user: "+") }
    }

    /// All requests to a fuser.
    public func fuserCommands(_ fuser: String) -> [String] {
        [fuserCommand(fuser)] + CommandRight.allCases.map { fuserCommand(fuser, $0, user: "+") }
    }

    /// The sender of a command by the last two levels of its topic; nil if they name none.
    static func sender(_ levels: [String]) -> CommandSender? {
        guard let name = levels.last, isUser(name), let right = levels.dropLast().last.flatMap(CommandRight.init)
        else { return nil }
        return CommandSender(right, user: name)
    }
}

extension NodeCommand.Action {
    /// The right that it needs.
    public var right: CommandRight {
        switch self {
        case .replay, .determine, .silence, .rescan, .nearby: .operate
        case .set, .advertise, .log, .clock, .upgrade: .administer
        }
    }
}

extension FuserCommand.Action {
    /// The right that it needs.
    public var right: CommandRight {
        switch self {
        case .learn, .why, .history, .journal, .silence, .replay: .operate
        case .purge, .audit, .set: .administer
        }
    }
}
