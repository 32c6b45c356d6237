/// What goes wrong from the middle of a session on.
enum Fault: Hashable {
    case none
    /// The node ends; the broker tells so by its last will, or nobody does.
    case ends(Int, isTold: Bool)
    /// It runs on and hears nothing.
    case deaf(Int)
    /// Somebody carries it to where another one stands.
    case moved(Int, to: Int)
    /// It hears all levels so many dB louder.
    case offset(Int, Double)
    /// It publishes each window twenty times.
    case floods(Int)
    /// Its messages, or those of all nodes (nil), come three seconds late.
    case late(Int?)
    /// Each message comes twice.
    case doubled
    /// Messages come at any time within 0.3 s of their interval's end, in any order.
    case shuffled

    /// The node that is silent for good.
    var dead: Int? {
        switch self {
        case .ends(let node, _), .deaf(let node): node
        default: nil
        }
    }

    /// All kinds in a home of so many nodes, each with its trials.
    static func kinds(_ rooms: [String]) -> [(name: String, trials: [Fault])] {
        let nodes = rooms.indices
        // To the next room's node.
        let moves = nodes.compactMap { node in
            (1..<rooms.count).map { (node + $0) % rooms.count }.first { rooms[$0] != rooms[node] }
                .map { Fault.moved(node, to: $0) }
        }
        return [
            ("ends, and is told offline", nodes.map { .ends($0, isTold: true) }),
            ("ends, and nobody tells", nodes.map { .ends($0, isTold: false) }),
            ("listens on and hears nothing", nodes.map { .deaf($0) }),
            ("moved to another room", moves),
            ("10 dB louder", nodes.map { .offset($0, 10) }),
            ("10 dB fainter", nodes.map { .offset($0, -10) }),
            ("sends each window 20 times", nodes.map { .floods($0) }),
            ("one node 3 s late", nodes.map { .late($0) }),
            ("all nodes 3 s late", [.late(nil)]),
            ("all messages doubled", [.doubled]),
            ("all messages out of order", [.shuffled]),
        ]
    }
}
