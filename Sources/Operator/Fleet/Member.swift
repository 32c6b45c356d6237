internal import WireProtocol

/// A member that is enrolled with a fleet's broker.
enum Member: Hashable {
    /// A gateway, and its room if that is not its name.
    case node(String, room: String?)
    /// A fuser.
    case fuser(String)
    /// A person or another program.
    case user(String)

    /// The user that the broker knows: the common name of a certificate. Its folder has that name, too.
    var name: String {
        switch self {
        case .node(let id, _): id
        case .fuser(let id): "fuser-\(id)"
        case .user(let name): name
        }
    }

    /// The rule for a name, if it is violated; nil for a valid name.
    var complaint: String? {
        switch self {
        case .node(let id, let room):
            if let complaint = Self.identifierFault(id) { return complaint }
            return room.flatMap { Self.identifierFault($0) }
        case .fuser(let id): return Self.identifierFault(id)
        case .user(let name):
            if let complaint = Self.reservedNameFault(name) { return complaint }
            let isPlain =
                (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                        || [0x2D, 0x2E, 0x5F].contains(byte)
                }
            return isPlain ? nil : "'\(name)' is no user's name: up to 64 letters, digits, '_', '-' and '.'"
        }
    }

    private static func reservedNameFault(_ name: String) -> String? {
        guard FleetFolder.reserved.contains(name) else { return nil }
        return "'\(name)' is the name of something of the fleet's own; choose another"
    }

    private static func identifierFault(_ id: String) -> String? {
        if let complaint = reservedNameFault(id) { return complaint }
        return ItemReader.complaint(id: id)
    }
}

/// A list of gateways: a line each, with the room after it if that is not the gateway's name.
enum MemberList {
    /// The most gateways of a list.
    static let bound = 10_000

    /// Reads a list; invalid lines are reported with their numbers. `#` begins a remark.
    static func read(_ text: String) -> (nodes: [Member], faults: [(line: Int, words: String)]) {
        var nodes: [Member] = []
        var faults: [(line: Int, words: String)] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split {
                $0 == " " || $0 == "\t" || $0 == ","
            }
            guard let first = words.first else { continue }
            let node = Member.node(String(first), room: words.dropFirst().first.map(String.init))
            if words.count > 2 {
                faults.append((index + 1, "expected a gateway's id, and its room after it; found \(words.count) words"))
            } else if let complaint = node.complaint {
                faults.append((index + 1, complaint))
            } else if nodes.count == bound {
                faults.append((index + 1, "more than \(bound) gateways; part the list"))
                break
            } else {
                nodes.append(node)
            }
        }
        return (nodes, faults)
    }
}
