internal import WireProtocol

/// The settings that the nodes and fusers of a fleet are to have. An absent one is not managed.
struct DesiredSettings: Hashable {
    /// Those of every node.
    var all = NodeChanges()
    /// Those of single nodes, which take precedence.
    var nodes: [String: NodeChanges] = [:]
    /// Those of every fuser: fusers that stand in for each other must agree.
    var fusers = FuserChanges()

    /// The settings that one node is to have.
    func settings(of node: String) -> NodeChanges {
        nodes[node]?.filled(from: all) ?? all
    }
}
