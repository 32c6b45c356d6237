/// A request about the tags that somebody holds to a node.
public enum EnrolmentRequest: Hashable, Sendable {
    /// Asks a node for the unregistered beacons near it, for a minute.
    case begin(node: String)
    /// Ends that.
    case end(node: String)
}
