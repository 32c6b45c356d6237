internal import Bytes
internal import WireProtocol

/// The claims of a fuser that have not come back yet.
struct OwnClaims: Sendable {
    /// A claim: the time at which it was sent, and what it says.
    struct Claim: Sendable {
        let sent: MonotonicTime
        let ready: ShardSet
        let serves: ShardSet
    }

    /// The number of claims so far, which is that of the last one.
    private(set) var sent: UInt64 = 0
    /// By number. Those older than `fencing` are left out: they are too old to hold.
    private var underWay: [UInt64: Claim] = [:]

    /// Adds a claim that is sent now, and returns its number.
    mutating func add(ready: ShardSet, serves: ShardSet, at now: MonotonicTime) -> UInt64 {
        sent += 1
        underWay = underWay.filter { now - $0.value.sent <= FailoverCoordinator.fencing }
        underWay[sent] = Claim(sent: now, ready: ready, serves: serves)
        return sent
    }

    /// Removes and returns the claim of this number, which has come back; nil for one of an earlier run, or too old to hold.
    mutating func take(_ number: UInt64) -> Claim? { underWay.removeValue(forKey: number) }

    /// The shards that a claim serves, except those that a later one does not name: others may take these.
    func shardsServed(by claim: Claim, since number: UInt64) -> ShardSet {
        underWay.filter { $0.key > number }.reduce(into: claim.serves) { $0.formIntersection($1.value.serves) }
    }
}
