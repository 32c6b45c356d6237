internal import Bytes
internal import WireProtocol

extension FailoverCoordinator {
    /// Another fuser, as its claims and its status describe it.
    struct Peer {
        /// The last sign of life; nil where it has gone or died.
        var heard: MonotonicTime?
        /// The same, whether it lives or not.
        var lastHeard: MonotonicTime?
        /// True if it has published `offline`, or its last will.
        var hasLeft = false
        /// The time until which its claims may be from before it was found dead; nil if they can't.
        var belatedUntil: MonotonicTime?
        /// Its last claim; nil as long as only its status is known: it may be there for anything.
        var claim: Claim?

        /// True if it doesn't count yet: one of which only the status is known will claim something soon.
        var isStarting: Bool { claim.map { $0.state == .starting } ?? true }
        var mayServe: Bool { claim.map { $0.state == .serving } ?? true }
        var shards: ShardSet { claim.map { ShardSet($0.shards) } ?? .all }
        var served: ShardSet { mayServe ? claim?.serves ?? shards : ShardSet() }
        var isPooled: Bool { claim?.ready != nil }

        /// Treats it as one that may serve anything, until its next claim.
        mutating func suspect() {
            claim?.state = .serving
            guard isPooled else { return }
            claim?.ready = .all
            claim?.serves = .all
        }
    }
}
