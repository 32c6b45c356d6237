internal import Bytes
internal import WireProtocol

/// The other fusers of a house, and for which shards this one serves beside them.
///
/// For a shard the lowest name serves that is alive. One that was cut off, stood still or has just begun has missed what the
/// others published meanwhile: beside others it follows for a while before it counts. The members of a pool divide all shards
/// by their names (``FuserPool``), and each counts for the shards that it has followed for long enough.
///
/// A claim is a lease: it holds from the moment at which it was sent, if it has come back. Others count the same time from the
/// moment at which they heard it, which is later: however long messages take, this one stops before another takes over. Claims
/// have QoS 1, so that a cluster of brokers delivers them where it has a quorum, and nowhere else. A member of a pool serves a
/// shard once a claim of it has come back: the broker's order of claims is that in which shards change hands.
struct FailoverCoordinator: Sendable {
    /// The time between two claims.
    static let period: Duration = .seconds(3)
    /// The time without a claim after which another fuser counts as dead.
    static let patience: Duration = .seconds(10)
    /// The time without a claim that came back after which this fuser stops: the others will count it as dead.
    static let fencing: Duration = patience - .seconds(1)
    /// The time for which a new member of a pool waits for the claims of those of which it knows only the status.
    static let settling: Duration = period + .seconds(1)
    /// The time for which a fuser follows before it counts: by then it has what is retained, each other's claim, and windows.
    static let following: Duration = .seconds(5)
    /// The pause before the first claim: by then what the broker retains of the others has come.
    static let looking: Duration = .milliseconds(500)
    /// The time that a broker may take to answer the subscriptions that answers rest on.
    static let answering: Duration = .seconds(60)
    /// The number of others that are known at once; one that has left gives its place to one that lives.
    static let capacity = 64

    let name: String
    /// The shards that this fuser is there for.
    let shards: ClosedRange<UInt8>
    /// The pool that it is a member of; nil for a fuser that has shards of its own.
    private var pool: FuserPool?
    private var following = FollowedShards(patience: Self.following)
    /// The shards of a pool for which this member is ready, as its last claim that came back says.
    private var ready = ShardSet()
    /// The shards of a pool that it has claimed before any other that lives, and that it serves as long as they are due.
    private var granted = ShardSet()
    /// The first claim whose shards are still true when it comes back.
    private var readySince: UInt64 = 0
    /// The time until which a new member waits for the claims of others; nil for one that has waited.
    private var settlingUntil: MonotonicTime?
    private var isHeard = false
    private var peers: [String: Peer] = [:]
    private var shardsClaimed: [String: ClosedRange<UInt8>] = [:]
    /// The time at which it has followed for long enough; nil where it counts.
    private var followingUntil: MonotonicTime?
    /// True while the lessons that it began with are being learned: beside another that serves, it follows until that is done.
    private(set) var isLearning = false
    /// True if the broker denies it a subscription that its answers rest on: until that ends it serves nothing.
    private(set) var lacksSubscription = false
    private var isConnected = false
    private var connectedAt = MonotonicTime.start
    private var wasConnected = false
    /// The time at which the last of its claims that came back was sent, or could not have been yet.
    private var echo = MonotonicTime.start
    /// The claim that must come back where the last one that did is too long ago: the fuser was cut off or stood still. Until
    /// then what it publishes may arrive late, and what it receives may be old. Nil otherwise.
    private var fence: UInt64?
    /// The time since which it is fenced on the connection that it has; nil without one.
    private(set) var fencedSince: MonotonicTime?
    /// The time for which a connection may bring no own claim back. It doubles with each one that brings none, up to `answering`:
    /// a cluster that recovers takes longer the more connections it has to make anew.
    private(set) var echoPatience = Self.patience
    private var ownClaims = OwnClaims()
    private var lookingUntil = MonotonicTime.start
    private var nextClaim = MonotonicTime.start
    /// The time since which a decision waits for a claim that comes back; nil where none does.
    private var decidingSince: MonotonicTime?
    private var claimed: Claim.State?
    private var claimedReady = ShardSet(), claimedDue = ShardSet()
    private var taught: [String] = []
    private var claimedProblems: [String] = []

    /// - Parameter isPooled: true for a member of a pool, which is there for all shards.
    init(name: String, shards: ClosedRange<UInt8>, isPooled: Bool = false) {
        self.name = name
        self.shards = shards
        pool = isPooled ? FuserPool(name: name) : nil
    }

    /// Advances the time: detects fusers that have failed, and whether the others must take this one for failed.
    mutating func updateLiveness(at now: MonotonicTime) {
        if wasConnected, fence == nil, now - echo > Self.fencing {
            (fence, fencedSince) = (ownClaims.sent + 1, isConnected ? now : nil)
            if isAnyoneElse { resign() }
            // Any of them may have begun to serve: only later claims show it.
            for fuser in peers.keys { peers[fuser]?.suspect() }
        }
        defer { divideShards(at: now) }
        if let until = followingUntil, now >= until { followingUntil = nil }
        // A fuser that serves all the same, since no other does, goes on serving.
        if isLearning, followingUntil == nil, wasConnected, !served.isEmpty { isLearning = false }
        // A fuser that is cut off can't tell which of the others have died.
        guard fence == nil else { return }
        for (fuser, peer) in peers {
            // What it claimed dies with it: one that comes back has to begin anew.
            if let heard = peer.heard, now - heard > Self.patience {
                peers[fuser]?.heard = nil
                peers[fuser]?.claim = nil
                peers[fuser]?.belatedUntil = .distantFuture
            }
        }
    }

    /// Records if it has yet to be trained by its earlier lessons, or by those of others, as it began to follow.
    mutating func record(isLearning isStarting: Bool) {
        isLearning = isStarting && (isLearning || followingUntil != nil || !wasConnected)
    }

    /// Records if the broker denies a subscription that the answers rest on.
    ///
    /// After the last grant it is as new: it has missed what the others claimed, and follows those that may live before it
    /// counts.
    mutating func record(lacksSubscription isDenied: Bool, at now: MonotonicTime) {
        guard isDenied != lacksSubscription else { return }
        lacksSubscription = isDenied
        resign()
        guard !isDenied else { return }
        followingUntil = now + Self.following
        if fence == nil { echo = now }
        for (fuser, peer) in peers where !peer.hasLeft {
            peers[fuser]?.heard = now
            // A member of a pool stays one: it goes on having its shards.
            if peer.isPooled { peers[fuser]?.suspect() } else { peers[fuser]?.claim = nil }
        }
    }

    /// The connection was made.
    mutating func connected(at now: MonotonicTime) {
        if !wasConnected {
            (followingUntil, lookingUntil, echo) = (now + Self.following, now + Self.looking, now)
            if isPooled { settlingUntil = now + Self.settling }
        }
        // It has missed the claims of members of a pool meanwhile.
        for (fuser, peer) in peers where peer.isPooled { peers[fuser]?.suspect() }
        // Each connection has the whole time to bring a claim back.
        if fence != nil { fencedSince = now }
        connectedAt = now
        (wasConnected, isConnected) = (true, true)
        nextClaim = max(now, lookingUntil)
    }

    /// Records that a claim cannot come back yet, since the broker still answers subscriptions: the time for that begins now, or
    /// when the connection is a minute old.
    mutating func awaitSubscriptions(at now: MonotonicTime) {
        if fencedSince != nil { fencedSince = min(now, connectedAt + Self.answering) }
    }

    /// The connection was lost, or could not be made. The last will of a member of a pool hands its shards to others at once:
    /// they are its own again when a claim on the next connection has come back.
    mutating func disconnected() {
        if isConnected, isAnyoneElse { resign() }
        // The next connection has the whole time, from the moment on at which it stands.
        if fencedSince != nil { echoPatience = min(echoPatience * 2, Self.answering) }
        (isConnected, fencedSince) = (false, nil)
    }

    /// Its own claim has come back.
    mutating func heardOwn(_ claim: Claim, at now: MonotonicTime) {
        // A claim that is too old to hold, or of a run before, says nothing.
        guard let own = ownClaims.take(claim.seq) else { return }
        if let fence {
            guard claim.seq >= fence else { return }
            (self.fence, fencedSince, echoPatience) = (nil, nil, Self.patience)
            followingUntil = now + Self.following
            // The others had no chance to say that they live, but in what has come just now.
            for fuser in peers.keys { peers[fuser]?.heard? = now }
        }
        echo = max(echo, own.sent)
        isHeard = true
        guard claim.seq >= readySince, fence == nil, !lacksSubscription else { return divideShards(at: now) }
        // It may have learned meanwhile of one that is ready, so that it does not begin with a shard any more.
        ready = own.ready
        ready.formIntersection(claimable)
        divideShards(at: now)
        granted = ownClaims.shardsServed(by: own, since: claim.seq)
        granted.formIntersection(due)
        divideShards(at: now)
    }

    /// Receives another fuser's claim.
    mutating func receive(_ claim: Claim, of fuser: String, at now: MonotonicTime) {
        guard mayKnow(fuser) else { return }
        var peer = Peer(heard: now, lastHeard: now, claim: claim)
        // Claims that waited in a connection that was cut arrive all at once. A fuser that was cut off begins anew, and claims so
        // next; one that does not was never cut off, and only not heard.
        let counts = claim.state == .serving || claim.ready != nil
        if let until = peers[fuser]?.belatedUntil, counts, now < until {
            peer.belatedUntil = min(until, now + Self.following)
            peer.claim?.state = .starting
            if peer.isPooled { peer.claim?.ready = ShardSet() }
        }
        peers[fuser] = peer
        shardsClaimed[fuser] = claim.shards
        divideShards(at: now)
    }

    /// The others have read that this fuser has left, as where a broker publishes the last will of a connection that it had
    /// before. They have taken the shards of a member of a pool: these are its own again when a claim has come back that it
    /// sends from now on. That claim is due at once.
    mutating func takenForGone(at now: MonotonicTime) {
        resign()
        nextClaim = min(nextClaim, now)
        divideShards(at: now)
    }

    /// Receives another fuser's status.
    mutating func receive(isOnline: Bool, of fuser: String, at now: MonotonicTime) {
        guard mayKnow(fuser, isOnline: isOnline) else { return }
        peers[fuser, default: Peer()].heard = isOnline ? now : nil
        peers[fuser]?.hasLeft = !isOnline
        if !isOnline { peers[fuser]?.claim = nil }
        if isOnline { peers[fuser]?.lastHeard = now }
        divideShards(at: now)
    }

    /// The times since the last sign of life of those that have gone or died, by their names.
    func silences(at now: MonotonicTime) -> [String: Duration] {
        peers.filter { $0.value.heard == nil }.compactMapValues { peer in peer.lastHeard.map { now - $0 } }
    }

    /// The others that have claimed shards in this run, in the order of their names, whether they live or not.
    var claims: [HouseDescription.Speaker] {
        shardsClaimed.sorted { $0.key < $1.key }.map { .init(name: $0.key, shards: ShardSet($0.value)) }
    }

    /// The shards that each of the others that are alive serves, as it claims.
    var shardsOfPeers: [String: ShardSet] { peers.filter { $0.value.heard != nil }.mapValues(\.served) }

    /// The number of others that are alive.
    var living: Int { peers.values.count { $0.heard != nil } }

    /// Removes another fuser that is gone for good.
    mutating func forget(_ fuser: String) { shardsClaimed[fuser] = nil }

    /// The shards that this fuser serves.
    var served: ShardSet {
        if lacksSubscription { return ShardSet() }
        if fence != nil, isAnyoneElse { return ShardSet() }
        if isPooled { return granted }
        let living = peers.filter { $0.value.heard != nil }
        let isFollowing = followingUntil != nil || isLearning
        if isFollowing, living.contains(where: { $0.value.mayServe }) { return ShardSet() }
        var served = ShardSet(shards)
        // Where nobody serves yet, the lowest begins.
        for (fuser, peer) in living where fuser < name && !peer.isPooled && (isFollowing || !peer.isStarting) {
            served = served.subtracting(peer.shards)
        }
        return served
    }

    /// Returns true if nothing is due, or what is due may be decided: a claim has come back that was sent since it fell due.
    ///
    /// A fuser that is cut off, and does not know it yet, would otherwise decide what another one decides as well. Where the result
    /// is false a claim is due, and its return makes it true.
    mutating func mayDecide(isDue: @autoclosure () -> Bool, at now: MonotonicTime) -> Bool {
        guard isAnyoneElse, !served.isEmpty, isDue() else {
            decidingSince = nil
            return true
        }
        guard let since = decidingSince else {
            (decidingSince, nextClaim) = (now, min(nextClaim, now))
            return false
        }
        return echo >= since
    }

    /// Records that what was due is decided.
    mutating func decided() { decidingSince = nil }

    /// True while a decision waits for a claim that comes back.
    var isDeciding: Bool { decidingSince.map { echo < $0 } ?? false }

    /// True where another fuser may be alive; in a pool one that has left may have come back without being heard.
    private var isAnyoneElse: Bool { peers.values.contains { isPooled || !$0.hasLeft } }

    /// The shards of a pool that are to be claimed.
    ///
    /// Beside others that live, one that was cut off waits until it has followed: they may have published since, and where nobody
    /// is ready they have been cut off as well.
    private var due: ShardSet {
        guard let pool, !lacksSubscription, fence == nil || !isAnyoneElse else { return ShardSet() }
        guard followingUntil != nil, peers.values.contains(where: { $0.heard != nil }) else { return pool.due }
        var shards = pool.due
        shards.formIntersection(ready)
        return shards
    }

    /// True for a member of a pool.
    var isPooled: Bool { pool != nil }

    /// The shards whose items this fuser computes; nil for a fuser that has shards of its own, and for a new member of a pool
    /// that does not know the others yet.
    var followed: ShardSet? { settlingUntil == nil ? pool?.followed : nil }

    /// The shards for which it claims to be ready: it has followed them for long enough, or begins with them since nobody has.
    private var claimable: ShardSet {
        var shards = due
        if fence == nil, !lacksSubscription, followingUntil == nil, !isLearning { shards.formUnion(following.known) }
        return shards
    }

    /// Divides the shards of its pool anew.
    private mutating func divideShards(at now: MonotonicTime) {
        guard pool != nil, isHeard else { return }
        let living = peers.values.filter { $0.heard != nil }
        let areKnown = living.allSatisfy { $0.claim != nil }
        if let until = settlingUntil {
            guard areKnown || now >= until else { return }
            settlingUntil = nil
        }
        following.advance(to: now)
        let members = peers.compactMap { fuser, peer in
            peer.heard == nil
                ? nil
                : peer.claim?.ready.map {
                    FuserPool.Member(name: fuser, ready: $0, serves: peer.claim?.serves ?? ShardSet())
                }
        }
        let taken = living.filter { !$0.isPooled && !$0.isStarting }.reduce(into: ShardSet()) {
            $0.formUnion($1.shards)
        }
        pool?.divide(
            for: FuserPool.Member(name: name, ready: ready, serves: granted), among: members, taken: taken,
            mayTake: areKnown)
        guard let pool else { return }
        following.follow(pool.followed, at: now)
        ready.formIntersection(pool.followed)
        granted.formIntersection(pool.due)
    }

    /// Gives up all shards of its pool until a claim that it sends from now on has come back.
    private mutating func resign() { (ready, granted, readySince) = (ShardSet(), ShardSet(), ownClaims.sent + 1) }

    /// The other fuser that is being taught where an item is; nil where none is.
    func teacher(of item: String) -> String? {
        peers.filter { $0.value.heard != nil && $0.value.claim?.teaching.contains(item) ?? false }.keys.min()
    }

    /// Returns the claim that is due at `now`, or that differs from the last one; nil if there is none.
    ///
    /// - Parameters:
    ///   - teaching: the items whose lessons this fuser is being taught.
    ///   - problems: what is wrong with this fuser.
    mutating func takeClaim(
        at now: MonotonicTime, teaching: [String] = [], problems: [String] = []
    ) -> (state: Claim.State, seq: UInt64, shares: (ready: ShardSet, serves: ShardSet)?)? {
        let state: Claim.State =
            !served.isEmpty || !due.isEmpty
            ? .serving
            : lacksSubscription || fence != nil || followingUntil != nil || isLearning
                ? .starting : .standby
        let (ready, serves) = (claimable, due)
        let isNew =
            (state, ready, serves) != (claimed, claimedReady, claimedDue)
            || (teaching, problems) != (taught, claimedProblems)
        guard isConnected, now >= lookingUntil, now >= nextClaim || isNew else { return nil }
        nextClaim = now + Self.period
        (claimed, claimedReady, claimedDue, taught, claimedProblems) = (state, ready, serves, teaching, problems)
        let seq = ownClaims.add(ready: ready, serves: serves, at: now)
        return (state, seq, isPooled ? (ready, serves) : nil)
    }

    /// The time at which something changes by itself, or a claim is due; nil where that is never.
    var nextDeadline: MonotonicTime? {
        // While it is cut off no death is found: a moment that is past would be due for ever.
        let living = fence == nil ? peers.values.compactMap(\.heard) : []
        let deaths = living.map { $0 + Self.patience + .nanoseconds(1) }
        let fencing = wasConnected && fence == nil ? echo + Self.fencing + .nanoseconds(1) : nil
        let own = [
            followingUntil, fencing, isConnected ? nextClaim : nil, following.nextDeadline,
            isHeard ? settlingUntil : nil,
        ]
        return (deaths + own.compactMap { $0 }).min()
    }

    /// True if another fuser is known, or may be from now on: one that lives takes the place of one that has left.
    private mutating func mayKnow(_ fuser: String, isOnline: Bool = true) -> Bool {
        guard fuser != name else { return false }
        guard peers[fuser] == nil, peers.count >= Self.capacity else { return true }
        guard isOnline, let gone = peers.filter({ $0.value.hasLeft }).keys.min() else { return false }
        peers[gone] = nil
        shardsClaimed[gone] = nil
        return true
    }
}
