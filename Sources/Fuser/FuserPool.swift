internal import Bytes
internal import Crypto
internal import WireProtocol

/// The division of all shards among the members of a pool of fusers: a function of their names and of what they claim, which
/// is the same in each of them.
///
/// Each shard has an order of the members, by rendezvous hashing (Thaler and Ravishankar, "Using name-based mappings to
/// increase hit rates", 1998): a member that comes or goes changes no order among the others. The first two members follow a
/// shard, the second as the warm standby of the first.
struct FuserPool: Sendable {
    /// A living member.
    struct Member: Hashable, Sendable {
        let name: String
        /// The shards for which it has followed for long enough.
        let ready: ShardSet
        /// The shards that it serves; of this fuser, those that no other has claimed before it.
        let serves: ShardSet
    }

    /// The facts that the division depends on.
    private struct Situation: Hashable {
        var members: [Member] = []
        var taken = ShardSet()
        var mayTake = false
    }

    /// The number of members that follow a shard.
    static let followers = 2

    private let name: String
    /// By member, its weight in the order of each shard; the greatest is the first.
    private var weights: [String: [UInt64]] = [:]
    private var situation = Situation()
    /// The shards that this fuser follows.
    private(set) var followed = ShardSet()
    /// The shards that fall to this fuser, and that no other serves any more.
    private(set) var due = ShardSet()

    init(name: String) { self.name = name }

    /// The weight of a member in the order of a shard: the first eight bytes of the SHA-256 of `<name>/<shard>`.
    static func weight(of name: String, shard: UInt8) -> UInt64 {
        SHA256.digest("\(name)/\(Hex.text(shard, digits: 2))").prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Divides the shards.
    ///
    /// A shard falls to its first ready member; where none is ready, to its first one, which begins. It takes the shard when the
    /// one that serves it has released it. A member that was cut off waits for longer (``FailoverCoordinator``). A member that
    /// serves or stands by goes on following until two before it are ready.
    ///
    /// - Parameters:
    ///   - own: what the others have learned of this one.
    ///   - others: the other living members.
    ///   - taken: shards that fusers outside the pool serve.
    ///   - mayTake: false while another lives of which it is not known what it serves.
    mutating func divide(for own: Member, among others: [Member], taken: ShardSet, mayTake: Bool) {
        let members = (others + [own]).sorted { $0.name < $1.name }
        let new = Situation(members: members, taken: taken, mayTake: mayTake)
        guard new != situation else { return }
        situation = new
        let ready = own.ready
        var blocked = mayTake ? others.reduce(into: ShardSet()) { $0.formUnion($1.serves) } : .all
        blocked = blocked.subtracting(own.serves)
        blocked.formUnion(taken)
        (followed, due) = (ShardSet(), ShardSet())
        let orders = members.map { member in (member: member, weights: weights(of: member.name)) }
        weights = weights.filter { name, _ in members.contains { $0.name == name } }
        for shard in UInt8.min...UInt8.max {
            let own = (weight: weights[name]?[Int(shard)] ?? 0, isReady: ready.contains(shard))
            var (ahead, readyAhead, readyCount) = (0, 0, 0)
            for (member, weights) in orders {
                let isAhead = weights[Int(shard)] > own.weight
                if isAhead { ahead += 1 }
                guard member.ready.contains(shard) else { continue }
                readyCount += 1
                if isAhead { readyAhead += 1 }
            }
            let isFirst = readyCount > 0 ? own.isReady && readyAhead == 0 : ahead == 0
            if isFirst, !blocked.contains(shard) { due.insert(shard) }
            if ahead < Self.followers || own.isReady && readyAhead < Self.followers { followed.insert(shard) }
        }
    }

    private mutating func weights(of name: String) -> [UInt64] {
        if let known = weights[name] { return known }
        let new = (UInt8.min...UInt8.max).map { Self.weight(of: name, shard: $0) }
        weights[name] = new
        return new
    }
}

/// The shards that a fuser follows, and those among them that it has followed for long enough to serve them.
struct FollowedShards: Sendable {
    private(set) var shards = ShardSet()
    /// Those that it has followed for `patience`.
    private(set) var known = ShardSet()
    private let patience: Duration
    private var since: [UInt8: MonotonicTime] = [:]
    /// The time at which the next becomes known; nil if none does.
    private(set) var nextDeadline: MonotonicTime?

    init(patience: Duration) { self.patience = patience }

    /// Follows these shards from now on, and no others.
    mutating func follow(_ new: ShardSet, at now: MonotonicTime) {
        guard new != shards else { return }
        for shard in new.subtracting(shards).shards { since[shard] = now }
        for shard in shards.subtracting(new).shards { since[shard] = nil }
        shards = new
        known.formIntersection(new)
        nextDeadline = since.values.min().map { $0 + patience }
    }

    /// Advances the time.
    mutating func advance(to now: MonotonicTime) {
        guard let deadline = nextDeadline, now >= deadline else { return }
        for (shard, start) in since where now >= start + patience {
            known.insert(shard)
            since[shard] = nil
        }
        nextDeadline = since.values.min().map { $0 + patience }
    }
}
