internal import Bytes
internal import WireProtocol

/// The shards that a member of a pool of fusers follows, is ready for and serves.
///
/// It serves a shard once a claim of it has come back: the broker's order of claims is that in which shards change hands.
struct PoolMembership: Sendable {
    private let name: String
    private var pool: FuserPool
    private var following = FollowedShards(patience: FailoverCoordinator.following)
    /// The shards for which this member is ready, as its last claim that came back says.
    private var ready = ShardSet()
    /// The shards that it has claimed before any other that lives, as long as they are due.
    private(set) var served = ShardSet()
    /// The first claim whose shards are still true when it comes back.
    private var readySince: UInt64 = 0
    /// Until when a new member waits for the claims of others; nil for one that has waited.
    private(set) var settlingUntil: MonotonicTime?

    init(name: String) {
        self.name = name
        pool = FuserPool(name: name)
    }

    /// The shards that fall to it, and that no other serves any more.
    var due: ShardSet { pool.due }

    /// The shards that it has followed for long enough.
    var known: ShardSet { following.known }

    /// The shards that it follows; nil for a new member that does not know the others yet.
    var followed: ShardSet? { settlingUntil == nil ? pool.followed : nil }

    /// When the next shard becomes known; nil if none does.
    var nextDeadline: MonotonicTime? { following.nextDeadline }

    /// Waits as a new member.
    mutating func settle(until moment: MonotonicTime) { settlingUntil = moment }

    /// Divides the shards anew.
    ///
    /// - Parameters:
    ///   - others: the other living members.
    ///   - taken: shards that fusers outside the pool serve.
    ///   - areKnown: false while another lives of which it is not known what it serves.
    mutating func divide(
        among others: [FuserPool.Member], taken: ShardSet, areKnown: Bool, at now: MonotonicTime
    ) {
        if let until = settlingUntil {
            guard areKnown || now >= until else { return }
            settlingUntil = nil
        }
        following.advance(to: now)
        pool.divide(
            for: FuserPool.Member(name: name, ready: ready, serves: served), among: others, taken: taken,
            mayTake: areKnown)
        following.follow(pool.followed, at: now)
        ready.formIntersection(pool.followed)
        served.formIntersection(pool.due)
    }

    /// Returns true if what a claim says of its shards was not revoked since.
    func holds(claim number: UInt64) -> Bool { number >= readySince }

    /// Records that a claim has come back that says so.
    mutating func record(ready shards: ShardSet) { ready = shards }

    /// Serves these shards, as far as they are due.
    mutating func serve(_ shards: ShardSet) {
        served = shards
        served.formIntersection(pool.due)
    }

    /// Is ready for no shard any more, nor by any claim before this one.
    mutating func resign(until claim: UInt64) { (ready, served, readySince) = (ShardSet(), ShardSet(), claim) }
}
