import Bytes
import Support
import WireProtocol

@testable import Fuser

/// Members of a pool and a cluster of brokers on a virtual clock, whose faults are drawn from a seed.
///
/// Claims and statuses are delivered where the cluster has a quorum, to each in one order, each after a delay of its own. A
/// member that is cut off reaches a part of the cluster without one: what it claims waits there, and so does what it is to
/// hear. Nothing that has been accepted is lost.
struct PoolWorld {
    /// The longest time between the acceptance of a message and its arrival.
    static let longestDelay: Duration = .milliseconds(800)
    static let step: Duration = .milliseconds(100)
    /// A release, a claim of it and its echo take so long at most.
    static let longestHandover: Duration = longestDelay * 3 + step
    /// After the last fault each shard is served after so long at most: a silent member is found dead, or a new one waits for
    /// the others.
    static let longestGap: Duration =
        FailoverCoordinator.patience + FailoverCoordinator.settling + longestDelay + longestDelay

    private enum News {
        case status(isOnline: Bool)
        case claim(Claim)
    }

    private struct Delivery {
        var sent: MonotonicTime
        var due: MonotonicTime
        var of: String
        var news: News

        /// True for the status of one that has left.
        var isEnd: Bool { if case .status(isOnline: false) = news { true } else { false } }
    }

    private struct Member {
        var coordinator: FailoverCoordinator
        var isRunning = false
        /// Since when it reaches a part of the cluster without a quorum; nil where it reaches the other.
        var cutSince: MonotonicTime?
        var isCut: Bool { cutSince != nil }
        /// Until when its line delays what it hears.
        var slowUntil = MonotonicTime.start
        var isConnected = false
        /// Since when an interval is due, and the time of the last decision.
        var dueSince: MonotonicTime?
        var decided = MonotonicTime.start
        var stalledUntil = MonotonicTime.start
        /// The time at which it connects again after its connection broke; nil while it is connected.
        var reconnectsAt: MonotonicTime?
        var learnsUntil = MonotonicTime.start
        /// The messages that are to arrive, in order.
        var inbox: [Delivery] = []
        /// The messages that wait in a part without a quorum.
        var held: [News] = []
        var served = ShardSet()
        var followed = ShardSet()
        /// Since when it has followed each shard without having been away.
        var followsSince: [UInt8: MonotonicTime] = [:]
        /// Since when it has heard nothing, or stood still.
        var awaySince: MonotonicTime?
        /// The time at which it was last away, or not connected.
        var wasAway = MonotonicTime.start
    }

    private(set) var now = MonotonicTime.start
    private var members: [String: Member]
    private let names: [String]
    private var generator: SeededGenerator
    /// The retained statuses, true for online.
    private var statuses: [String: Bool] = [:]
    /// Until when the whole cluster has no quorum.
    private var quorumAt = MonotonicTime.start
    /// The member that released each shard last, and the time.
    private var released: [UInt8: (name: String, at: MonotonicTime)] = [:]
    private var gapSince: [UInt8: MonotonicTime] = [:]
    private var lastFault = MonotonicTime.start
    private(set) var problems: [String] = []
    private(set) var story: [String] = []

    init(seed: UInt64, members count: Int) {
        generator = SeededGenerator(seed: seed)
        names = (0..<count).map { "fuser-\($0)-\(seed)" }
        members = Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, Member(coordinator: FailoverCoordinator(name: name, shards: 0...255, isPooled: true)))
            })
    }

    /// The members that serve shards, by shard.
    func owners() -> [UInt8: String] {
        var owners: [UInt8: String] = [:]
        for name in names { for shard in members[name]?.served.shards ?? [] { owners[shard] = name } }
        return owners
    }

    // MARK: Faults

    mutating func start(_ name: String) {
        note("\(name) starts")
        var member = Member(coordinator: FailoverCoordinator(name: name, shards: 0...255, isPooled: true))
        member.isRunning = true
        if Int.random(in: 0..<4, using: &generator) == 0 {
            member.learnsUntil = now + .seconds(Double.random(in: 1...8, using: &generator))
        }
        member.coordinator.updateLiveness(at: now)
        members[name] = member
        connect(name)
    }

    /// - Parameter hasWill: false where the broker does not notice, as where a machine loses its power.
    mutating func kill(_ name: String, hasWill: Bool = true) {
        note("\(name) is killed\(hasWill ? "" : " without a will")")
        let isCut = members[name]?.isCut == true
        members[name]?.isRunning = false
        members[name]?.isConnected = false
        members[name]?.served = ShardSet()
        members[name]?.followed = ShardSet()
        guard hasWill, !isCut else { return }
        statuses[name] = false
        accept(.status(isOnline: false), of: name)
    }

    /// One fault at a random member, or at the cluster.
    mutating func disturb() {
        let running = names.filter { members[$0]?.isRunning == true }
        let stopped = names.filter { members[$0]?.isRunning != true }
        let fault = Int.random(in: 0..<11, using: &generator)
        if fault < 3 || running.count < 2, let name = stopped.randomElement(using: &generator) { return start(name) }
        guard let name = running.randomElement(using: &generator) else { return }
        switch fault {
        case 0, 1: kill(name)
        case 2: kill(name, hasWill: false)
        case 3:
            members[name]?.stalledUntil = now + .seconds(Double.random(in: 1...25, using: &generator))
            note("\(name) stands still")
        case 4:
            guard members[name]?.reconnectsAt == nil, members[name]?.isCut == false else { return }
            note("the connection of \(name) breaks")
            members[name]?.isConnected = false
            members[name]?.coordinator.disconnected()
            // Unread bytes are lost with their connection.
            members[name]?.inbox = []
            members[name]?.reconnectsAt = now + .seconds(Double.random(in: 0.2...4, using: &generator))
            statuses[name] = false
            accept(.status(isOnline: false), of: name)
        case 5:
            quorumAt = max(quorumAt, now + .seconds(Double.random(in: 1...14, using: &generator)))
            note("the cluster has no quorum for \(quorumAt - now)")
        case 6:
            members[name]?.slowUntil = now + .seconds(Double.random(in: 5...30, using: &generator))
            note("the line of \(name) is slow")
        case 7:
            guard members[name]?.isConnected == true, members[name]?.isCut == false else { return }
            note("a broker publishes the last will of a connection that \(name) had before")
            statuses[name] = false
            accept(.status(isOnline: false), of: name)
        default:
            if members.values.contains(where: \.isCut) {
                heal()
            } else {
                for name in running.shuffled(using: &generator).prefix(running.count / 2) {
                    members[name]?.cutSince = now
                }
                note("cut off: \(names.filter { members[$0]?.isCut == true })")
            }
        }
    }

    /// Ends all faults, and starts those that do not run.
    mutating func repair() {
        heal()
        for name in names where members[name]?.isRunning != true { start(name) }
        for name in names {
            members[name]?.stalledUntil = .start
            members[name]?.slowUntil = .start
        }
        quorumAt = min(quorumAt, now)
    }

    private mutating func heal() {
        note("the cut is mended")
        for name in names where members[name]?.isCut == true {
            members[name]?.cutSince = nil
            for news in members[name]?.held ?? [] { accept(news, of: name) }
            members[name]?.held = []
        }
    }

    private mutating func note(_ words: String) {
        lastFault = now
        story.append("\(now - .start): \(words)")
    }

    // MARK: The cluster

    private mutating func connect(_ name: String) {
        members[name]?.isConnected = true
        members[name]?.reconnectsAt = nil
        members[name]?.coordinator.connected(at: now)
        for other in names where other != name {
            if let isOnline = statuses[other] { deliver(.status(isOnline: isOnline), of: other, to: name) }
        }
        statuses[name] = true
        accept(.status(isOnline: true), of: name)
    }

    private mutating func accept(_ news: News, of sender: String) {
        guard members[sender]?.isCut == false else {
            members[sender]?.held.append(news)
            return
        }
        for name in names where members[name]?.isRunning == true && members[name]?.isConnected == true {
            deliver(news, of: sender, to: name)
        }
    }

    private mutating func deliver(_ news: News, of sender: String, to name: String) {
        var delay = Duration.milliseconds(
            Int.random(in: 0...(Bool.random(using: &generator) ? 50 : 800), using: &generator))
        if let member = members[name], now < member.slowUntil { delay = delay * 8 }
        // A pause of the cluster comes before the acceptance.
        let due = max(members[name]?.inbox.last?.due ?? now, max(now, quorumAt) + delay)
        members[name]?.inbox.append(Delivery(sent: now, due: due, of: sender, news: news))
    }

    // MARK: Time

    mutating func run(_ duration: Duration) {
        let end = now + duration
        while now < end {
            now = now + Self.step
            for name in names { turn(name) }
            check()
        }
    }

    private mutating func turn(_ name: String) {
        guard var member = members[name], member.isRunning else { return }
        let isAway = member.isCut || now < member.stalledUntil || now < quorumAt
        if isAway, member.awaySince == nil { member.awaySince = now }
        if isAway || !member.isConnected || member.inbox.contains(where: { now - $0.sent > Self.longestDelay }) {
            member.wasAway = now
        }
        if let since = member.awaySince, !isAway {
            // It may have been found dead meanwhile.
            if now - since > FailoverCoordinator.patience {
                member.followsSince = member.followsSince.mapValues { _ in now }
            }
            member.awaySince = nil
        }
        defer { members[name] = member }
        guard now >= member.stalledUntil else { return }
        if let moment = member.reconnectsAt, now >= moment {
            members[name] = member
            connect(name)
            member = members[name] ?? member
        }
        member.coordinator.record(isLearning: now < member.learnsUntil)
        member.coordinator.updateLiveness(at: now)
        // Messages that were sent to it before the cut still come.
        while let next = member.inbox.first, next.due <= now, next.sent <= member.cutSince ?? now {
            member.inbox.removeFirst()
            guard member.isConnected else { continue }
            switch next.news {
            case .status(let isOnline):
                guard next.of == name else {
                    member.coordinator.receive(isOnline: isOnline, of: next.of, at: now)
                    continue
                }
                guard !isOnline else { continue }
                member.coordinator.takenForGone(at: now)
                statuses[name] = true
                members[name] = member
                accept(.status(isOnline: true), of: name)
                member = members[name] ?? member
            case .claim(let claim):
                if next.of == name {
                    member.coordinator.heardOwn(claim, at: now)
                } else {
                    member.coordinator.receive(claim, of: next.of, at: now)
                }
            }
        }
        decide(name, &member)
        if let (state, seq, shares) = member.coordinator.takeClaim(at: now) {
            var claim = Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
            (claim.ready, claim.serves) = (shares?.ready, shares?.serves)
            members[name] = member
            accept(.claim(claim), of: name)
            member = members[name] ?? member
        }
        member.served = member.isConnected ? member.coordinator.served : ShardSet()
        let followed = member.coordinator.followed ?? ShardSet()
        if followed != member.followed {
            for shard in followed.subtracting(member.followed).shards { member.followsSince[shard] = now }
            for shard in member.followed.subtracting(followed).shards { member.followsSince[shard] = nil }
            member.followed = followed
        }
    }

    /// Decides an interval a second, as far as it may.
    private mutating func decide(_ name: String, _ member: inout Member) {
        if member.dueSince == nil, now - member.decided >= .seconds(1) { member.dueSince = now }
        guard member.coordinator.mayDecide(isDue: member.dueSince != nil, at: now), let since = member.dueSince else {
            return
        }
        member.coordinator.decided()
        (member.dueSince, member.decided) = (nil, now)
        // Alone it may: then nobody else can decide the same.
        guard let cut = member.cutSince, since > cut, member.isConnected, !member.coordinator.served.isEmpty,
            members.count > 1
        else { return }
        report("\(name) decides what fell due after it was cut off")
    }

    // MARK: Promises

    private var before: [String: ShardSet] = [:]

    private mutating func check() {
        // A member that stands still does nothing.
        let active = names.filter { members[$0]?.isRunning == true && now >= members[$0]?.stalledUntil ?? now }
        var (once, twice) = (ShardSet(), ShardSet())
        for name in active {
            let served = members[name]?.served ?? ShardSet()
            var both = served
            both.formIntersection(once)
            twice.formUnion(both)
            once.formUnion(served)
        }
        for shard in twice.isEmpty ? [] : twice.shards {
            let serving = active.filter { members[$0]?.served.contains(shard) == true }
            // One that does not know yet that the others take it for gone goes on.
            let told = serving.filter { name in
                members[name]?.inbox.contains { $0.of == name && $0.isEnd } == false
            }
            if told.count > 1 { report("shard \(shard) is served by \(serving)") }
        }
        let isFaulty =
            now < quorumAt
            || members.values.contains {
                $0.isRunning
                    && ($0.isCut || now < $0.stalledUntil || now < $0.slowUntil || now < $0.inbox.first?.due ?? now)
            }
        if isFaulty { lastFault = now }
        let unserved = isFaulty || now - lastFault <= Self.longestGap ? ShardSet() : ShardSet.all.subtracting(once)
        gapSince = checkDuration(of: unserved, since: gapSince, Self.step, "is served by nobody")
        checkHandovers(active)
        before = Dictionary(uniqueKeysWithValues: active.map { ($0, members[$0]?.served ?? ShardSet()) })
    }

    private mutating func checkDuration(
        of shards: ShardSet, since earlier: [UInt8: MonotonicTime], _ longest: Duration, _ words: String
    ) -> [UInt8: MonotonicTime] {
        var since = earlier.filter { shards.contains($0.key) }
        for shard in shards.isEmpty ? [] : shards.shards {
            let start = since[shard] ?? now
            since[shard] = start
            guard now - start > longest else { continue }
            report("shard \(shard) \(words) for \(now - start)")
            since[shard] = now
        }
        return since
    }

    /// One that takes a shard over from another that lives has followed it for long enough.
    private mutating func checkHandovers(_ active: [String]) {
        for name in active {
            guard let member = members[name] else { continue }
            let new = member.served.subtracting(before[name] ?? ShardSet())
            for shard in new.isEmpty ? [] : new.shards {
                guard let (other, at) = released[shard], other != name, now - at <= Self.longestHandover,
                    let giver = members[other], giver.isRunning, now - giver.wasAway > .seconds(20)
                else { continue }
                let followed = member.followsSince[shard].map { now - $0 } ?? .zero
                guard followed + Self.step < FailoverCoordinator.following else { continue }
                report("\(name) takes shard \(shard) from \(other) after \(followed)")
            }
        }
        for (name, shards) in before {
            let lost = shards.subtracting(members[name]?.served ?? ShardSet())
            for shard in lost.isEmpty ? [] : lost.shards { released[shard] = (name, now) }
        }
    }

    private mutating func report(_ words: String) {
        if problems.count < 20 { problems.append("\(now - .start): \(words)") }
    }

    /// Faults of the state in which nothing has happened for a while: each shard is served by its first member, and followed
    /// by its first two.
    func unsettled() -> [String] {
        let running = names.filter { members[$0]?.isRunning == true }
        return (UInt8.min...UInt8.max).compactMap { shard in
            let order = running.sorted {
                FuserPool.weight(of: $0, shard: shard) > FuserPool.weight(of: $1, shard: shard)
            }
            let serving = running.filter { members[$0]?.served.contains(shard) == true }
            let following = order.filter { members[$0]?.followed.contains(shard) == true }
            return serving == Array(order.prefix(1)) && following == Array(order.prefix(2))
                ? nil : "shard \(shard): of \(order) serve \(serving), follow \(following)"
        }
    }
}
