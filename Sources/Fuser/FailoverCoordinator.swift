internal import Bytes
internal import WireProtocol

/// The other fusers of a house, and for which shards this one serves beside them.
///
/// For a shard the lowest name serves that is alive. One that was cut off, stood still or has just begun doesn't know what
/// the others said meanwhile: beside others it follows for a while before it counts.
struct FailoverCoordinator: Sendable {
    /// The time between two claims.
    static let period: Duration = .seconds(3)
    /// A fuser whose claims have been missing for so long is dead.
    static let patience: Duration = .seconds(10)
    /// A fuser whose own claim has not come back to it for so long must stop: another will take it for dead.
    static let fencing: Duration = patience - .seconds(1)
    /// For so long a fuser follows before it counts: by then it has what is retained, each other's claim, and windows.
    static let following: Duration = .seconds(5)
    /// The first claim waits for so long: by then what the broker retains of the others has come.
    static let looking: Duration = .milliseconds(500)
    /// Others that are known at once; more are not looked at.
    static let capacity = 64

    private struct Peer {
        /// The last sign of life; nil where it has gone or died.
        var heard: MonotonicTime?
        /// The same, whether it lives or not.
        var lastHeard: MonotonicTime?
        /// Whether it said that it goes.
        var hasLeft = false
        /// Until when what it claims may be from before it was found dead; nil where it can't.
        var belatedUntil: MonotonicTime?
        /// Nil as long as only its status is known: it may be there for anything.
        var claim: Claim?

        /// Whether it doesn't count yet: one of which only the status is known will claim something soon.
        var isStarting: Bool { claim.map { $0.state == .starting } ?? true }
        var mayServe: Bool { claim.map { $0.state == .serving } ?? true }
        var shards: ShardSet { claim.map { ShardSet($0.shards) } ?? .all }
    }

    let name: String
    /// The shards that this fuser is there for.
    let shards: ClosedRange<UInt8>
    private var rivals: [String: Peer] = [:]
    private var shardsClaimed: [String: ClosedRange<UInt8>] = [:]
    /// When it has followed for long enough; nil where it counts.
    private var followingUntil: MonotonicTime?
    /// Whether it has yet to learn what it was taught: beside another that serves it follows for as long.
    private(set) var isLearning = false
    /// Whether the broker denies it a subscription that its answers rest on: until that ends it serves nothing.
    private(set) var lacksSubscription = false
    private var isConnected = false
    private var wasConnected = false
    /// When its own claim came back last, or could not have yet.
    private var echo = MonotonicTime.start
    /// The claim that must come back where the last one that did is too long ago: the fuser was cut off or stood still,
    /// what it tells may come late, and what it hears is old until then. Nil otherwise.
    private var fence: UInt64?
    /// Claims so far.
    private var sent: UInt64 = 0
    private var lookingUntil = MonotonicTime.start
    private var nextClaim = MonotonicTime.start
    private var claimed: Claim.State?
    private var taught: [String] = []
    private var claimedProblems: [String] = []

    init(name: String, shards: ClosedRange<UInt8>) {
        self.name = name
        self.shards = shards
    }

    /// Advances the time: detects fusers that have failed, and whether the others must take this one for failed.
    mutating func updateLiveness(at now: MonotonicTime) {
        if wasConnected, fence == nil, now - echo > Self.fencing {
            fence = sent + 1
            // Any of them may have begun to serve; what they say from now on tells.
            for fuser in rivals.keys { rivals[fuser]?.claim?.state = .serving }
        }
        if let until = followingUntil, now >= until { followingUntil = nil }
        // Who serves all the same, since nobody else does, doesn't leave it for that.
        if isLearning, followingUntil == nil, wasConnected, !served.isEmpty { isLearning = false }
        // Who hears nothing knows of nobody's death.
        guard fence == nil else { return }
        for (fuser, rival) in rivals {
            // What it claimed dies with it: one that comes back has to begin anew.
            if let heard = rival.heard, now - heard > Self.patience {
                rivals[fuser]?.heard = nil
                rivals[fuser]?.claim = nil
                rivals[fuser]?.belatedUntil = .distantFuture
            }
        }
    }

    /// Records if it has yet to be trained by its earlier lessons, or by those of others, as it began to follow.
    mutating func record(isLearning isSo: Bool) {
        isLearning = isSo && (isLearning || followingUntil != nil || !wasConnected)
    }

    /// Records if the broker denies a subscription that the answers rest on.
    ///
    /// After the last grant it is as new: it has missed what the others claimed, and follows those that may live before it
    /// counts.
    mutating func record(lacksSubscription isSo: Bool, at now: MonotonicTime) {
        guard isSo != lacksSubscription else { return }
        lacksSubscription = isSo
        guard !isSo else { return }
        followingUntil = now + Self.following
        if fence == nil { echo = now }
        for (fuser, rival) in rivals where !rival.hasLeft {
            rivals[fuser]?.heard = now
            rivals[fuser]?.claim = nil
        }
    }

    /// The connection was made.
    mutating func connected(at now: MonotonicTime) {
        if !wasConnected {
            (followingUntil, lookingUntil, echo) = (now + Self.following, now + Self.looking, now)
        }
        (wasConnected, isConnected) = (true, true)
        nextClaim = max(now, lookingUntil)
    }

    /// The connection was lost, or could not be made.
    mutating func disconnected() { isConnected = false }

    /// Its own claim has come back.
    mutating func heardOwn(_ claim: Claim, at now: MonotonicTime) {
        if let fence {
            guard claim.seq >= fence, claim.seq <= sent else { return }
            self.fence = nil
            followingUntil = now + Self.following
            // The others had no chance to say that they live, but in what has come just now.
            for fuser in rivals.keys { rivals[fuser]?.heard? = now }
        }
        echo = now
    }

    /// Receives another fuser's claim.
    mutating func receive(_ claim: Claim, of fuser: String, at now: MonotonicTime) {
        guard mayKnow(fuser) else { return }
        var rival = Peer(heard: now, lastHeard: now, claim: claim)
        // What lay in a line that was cut comes all at once as it is mended. Who was away for so long begins anew, and says so
        // next; one that doesn't was never away, and only not heard.
        if let until = rivals[fuser]?.belatedUntil, claim.state == .serving, now < until {
            rival.belatedUntil = min(until, now + Self.following)
            rival.claim?.state = .starting
        }
        rivals[fuser] = rival
        shardsClaimed[fuser] = claim.shards
    }

    /// Receives another fuser's status.
    mutating func receive(isOnline: Bool, of fuser: String, at now: MonotonicTime) {
        guard mayKnow(fuser) else { return }
        rivals[fuser, default: Peer()].heard = isOnline ? now : nil
        rivals[fuser]?.hasLeft = !isOnline
        if !isOnline { rivals[fuser]?.claim = nil }
        if isOnline { rivals[fuser]?.lastHeard = now }
    }

    /// The times since the last sign of life of those that have gone or died, by their names.
    func silences(at now: MonotonicTime) -> [String: Duration] {
        rivals.filter { $0.value.heard == nil }.compactMapValues { rival in rival.lastHeard.map { now - $0 } }
    }

    /// The others that have claimed shards in this run, in the order of their names, whether they live or not.
    var claims: [HouseDescription.Speaker] {
        shardsClaimed.sorted { $0.key < $1.key }.map { .init(name: $0.key, shards: ShardSet($0.value)) }
    }

    /// The number of others that are alive.
    var living: Int { rivals.values.count { $0.heard != nil } }

    /// Removes another fuser that is gone for good.
    mutating func forget(_ fuser: String) { shardsClaimed[fuser] = nil }

    /// The shards that this fuser serves.
    var served: ShardSet {
        if lacksSubscription { return ShardSet() }
        if fence != nil, rivals.values.contains(where: { !$0.hasLeft }) { return ShardSet() }
        let living = rivals.filter { $0.value.heard != nil }
        let isFollowing = followingUntil != nil || isLearning
        if isFollowing, living.contains(where: { $0.value.mayServe }) { return ShardSet() }
        var served = ShardSet(shards)
        // Where nobody serves yet, the lowest begins.
        for (fuser, rival) in living where fuser < name && (isFollowing || !rival.isStarting) {
            served = served.subtracting(rival.shards)
        }
        return served
    }

    /// The other fuser that is being taught where an item is; nil where none is.
    func teacher(of item: String) -> String? {
        rivals.filter { $0.value.heard != nil && $0.value.claim?.teaching.contains(item) ?? false }.keys.min()
    }

    /// What is to be claimed where that is due at `now`, or where it is something else than the last time.
    ///
    /// - Parameters:
    ///   - teaching: the items whose lessons this fuser is being taught.
    ///   - problems: what is wrong with this fuser.
    mutating func takeClaim(
        at now: MonotonicTime, teaching: [String] = [], problems: [String] = []
    ) -> (state: Claim.State, seq: UInt64)? {
        let state: Claim.State =
            !served.isEmpty
            ? .serving
            : lacksSubscription || fence != nil || followingUntil != nil || isLearning
                ? .starting : .standby
        guard isConnected, now >= lookingUntil,
            now >= nextClaim || state != claimed || teaching != taught || problems != claimedProblems
        else { return nil }
        nextClaim = now + Self.period
        (claimed, taught, claimedProblems) = (state, teaching, problems)
        sent += 1
        return (state, sent)
    }

    /// When something changes by itself, or a claim is due; nil where that is never.
    var nextDeadline: MonotonicTime? {
        // While it hears nothing nobody is found dead: a moment that is past would be due for ever.
        let living = fence == nil ? rivals.values.compactMap(\.heard) : []
        let deaths = living.map { $0 + Self.patience + .nanoseconds(1) }
        let fencing = wasConnected && fence == nil ? echo + Self.fencing + .nanoseconds(1) : nil
        return (deaths + [followingUntil, fencing, isConnected ? nextClaim : nil].compactMap { $0 }).min()
    }

    private func mayKnow(_ fuser: String) -> Bool {
        fuser != name && (rivals[fuser] != nil || rivals.count < Self.capacity)
    }
}
