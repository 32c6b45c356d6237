import Bytes
import Support
import WireProtocol
import Testing

@testable import Fuser

/// Fusers of one house that hear each other's claims, on a virtual clock of seconds.
private struct Fusers {
    private var coordinators: [String: FailoverCoordinator] = [:]
    private var running: Set<String> = []
    /// Those that do nothing, as stopped or cut off.
    var still: Set<String> = []
    private var now = MonotonicTime.start

    init(_ fusers: [String: ClosedRange<UInt8>]) {
        for (name, shards) in fusers { coordinators[name] = FailoverCoordinator(name: name, shards: shards) }
    }

    private var awake: [String] { running.subtracting(still).sorted() }

    mutating func start(_ name: String) {
        guard let shards = coordinators[name]?.shards else { return }
        var new = FailoverCoordinator(name: name, shards: shards)
        new.updateLiveness(at: now)
        new.connected(at: now)
        for other in running where other != name {
            new.receive(isOnline: true, of: other, at: now)
            coordinators[other]?.receive(isOnline: true, of: name, at: now)
        }
        coordinators[name] = new
        running.insert(name)
        still.remove(name)
    }

    mutating func learn(_ name: String, _ isLearning: Bool) { coordinators[name]?.record(isLearning: isLearning) }

    mutating func deny(_ name: String, _ isDenied: Bool) {
        coordinators[name]?.record(lacksSubscription: isDenied, at: now)
    }

    /// Its connection breaks, and the broker says so.
    mutating func kill(_ name: String) {
        running.remove(name)
        for other in running { coordinators[other]?.receive(isOnline: false, of: name, at: now) }
    }

    mutating func run(_ seconds: Double, _ check: (Fusers) -> Void = { _ in }) {
        let end = now + .seconds(seconds)
        while now < end {
            now = now + .milliseconds(100)
            for name in awake {
                coordinators[name]?.updateLiveness(at: now)
                guard let (state, seq, _) = coordinators[name]?.takeClaim(at: now),
                    let shards = coordinators[name]?.shards
                else {
                    continue
                }
                let claim = Claim(shards: shards, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
                coordinators[name]?.heardOwn(claim, at: now)
                for other in awake where other != name { coordinators[other]?.receive(claim, of: name, at: now) }
            }
            check(self)
        }
    }

    /// Who serves a shard.
    func serving(_ shard: UInt8 = 0) -> [String] {
        awake.filter { coordinators[$0]?.served.contains(shard) == true }
    }
}

@Suite struct FailoverCoordinatorTests {
    @Test("One that is alone serves at once")
    func alone() {
        var fusers = Fusers(["main": 0...255])
        fusers.start("main")
        #expect(fusers.serving() == ["main"])
        fusers.run(60)
        #expect(fusers.serving() == ["main"])
    }

    @Test("Fusers that have left take no place of one that lives")
    func manyNames() {
        var fuser = FailoverCoordinator(name: "z", shards: 0...255)
        fuser.connected(at: .start)
        for number in 0..<100 { fuser.receive(isOnline: false, of: "pod-\(number)", at: .start) }
        fuser.receive(isOnline: true, of: "a", at: .start)
        #expect(fuser.living == 1)
        for number in 0..<100 { fuser.receive(isOnline: true, of: "b-\(number)", at: .start) }
        #expect(fuser.living == FailoverCoordinator.capacity)
    }

    @Test("The claims of fusers that have left are kept for no more names than are known")
    func manyClaims() {
        var fuser = FailoverCoordinator(name: "z", shards: 0...255)
        fuser.connected(at: .start)
        for number in 0..<100 {
            let claim = Claim(shards: 0...127, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1)
            fuser.receive(claim, of: "pod-\(number)", at: .start)
            fuser.receive(isOnline: false, of: "pod-\(number)", at: .start)
        }
        #expect(fuser.claims.count == FailoverCoordinator.capacity)
    }

    @Test("Of two the lowest name serves, and the other stands by, whichever was first", arguments: ["a", "b"])
    func two(_ first: String) {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start(first)
        fusers.run(20)
        #expect(fusers.serving() == [first])
        fusers.start(first == "a" ? "b" : "a")
        // One that has just begun does not know what was said before.
        fusers.run(4) { #expect($0.serving() == [first]) }
        fusers.run(6)
        #expect(fusers.serving() == ["a"])
    }

    @Test("Two that start together leave nothing unserved")
    func together() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("a")
        fusers.start("b")
        fusers.run(0.7)
        fusers.run(30) { #expect($0.serving() == ["a"]) }
    }

    @Test("A fuser that is denied a subscription leaves the house to the other, and follows it before it serves again")
    func denied() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("a")
        fusers.start("b")
        fusers.run(20)
        fusers.deny("a", true)
        #expect(fusers.serving().isEmpty)
        fusers.run(0.3)
        fusers.run(60) { #expect($0.serving() == ["b"]) }
        fusers.deny("a", false)
        fusers.run(4) { #expect($0.serving() == ["b"]) }
        fusers.run(4)
        fusers.run(20) { #expect($0.serving() == ["a"]) }

        var alone = Fusers(["a": 0...255])
        alone.start("a")
        alone.run(20)
        alone.deny("a", true)
        alone.run(30) { #expect($0.serving().isEmpty) }
        alone.deny("a", false)
        #expect(alone.serving() == ["a"], "nobody else serves")
    }

    @Test(
        "One that still learns what it was taught leaves the house to the one that serves, and serves where none does")
    func learning() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("b")
        fusers.run(20)
        fusers.start("a")
        fusers.learn("a", true)
        fusers.run(60) { #expect($0.serving() == ["b"]) }
        fusers.learn("a", false)
        fusers.run(5)
        #expect(fusers.serving() == ["a"])
        // What is taught later is learned beside the work.
        fusers.learn("a", true)
        fusers.run(20) { #expect($0.serving() == ["a"]) }

        var alone = Fusers(["a": 0...255, "b": 0...255])
        alone.start("a")
        alone.learn("a", true)
        alone.run(20) { #expect($0.serving() == ["a"]) }
        alone.start("b")
        alone.run(20) { #expect($0.serving() == ["a"]) }
    }

    @Test("Where the serving one is killed, its last will hands over at once")
    func killed() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("a")
        fusers.start("b")
        fusers.run(20)
        fusers.kill("a")
        #expect(fusers.serving() == ["b"])
    }

    @Test("Where it stands still or is cut off, the other serves ten seconds after its last claim")
    func hung() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("a")
        fusers.start("b")
        fusers.run(20)
        fusers.still.insert("a")
        fusers.run(6.9) { #expect($0.serving() == []) }
        fusers.run(3.3)
        #expect(fusers.serving() == ["b"])
        // It comes to itself, doesn't know what happened, and follows before it counts.
        fusers.run(30)
        fusers.still.remove("a")
        fusers.run(4.8) { #expect($0.serving() == ["b"]) }
        fusers.run(6)
        #expect(fusers.serving() == ["a"])
    }

    @Test("While it is cut off beside another, nothing is due in the past")
    func deadlines() {
        var failover = FailoverCoordinator(name: "a", shards: 0...255)
        failover.connected(at: .start)
        failover.receive(isOnline: true, of: "b", at: .start)
        failover.disconnected()
        for second in 1...60 {
            let now = MonotonicTime.second(second)
            failover.updateLiveness(at: now)
            #expect(failover.nextDeadline.map { $0 > now } ?? true, "after \(second) s")
        }
        #expect(failover.served.isEmpty)
    }

    @Test("One that was killed and comes back is not taken for what it was")
    func comesBack() {
        var failover = FailoverCoordinator(name: "b", shards: 0...255)
        failover.connected(at: .start)
        failover.receive(isOnline: true, of: "a", at: .start)
        failover.receive(
            Claim(shards: 0...255, state: .serving, epoch: "0000000a", lastEvent: 0, seq: 1), of: "a", at: .start)
        #expect(failover.served.isEmpty)
        failover.receive(isOnline: false, of: "a", at: .start)
        #expect(failover.served == .all)
        failover.updateLiveness(at: .start + FailoverCoordinator.following + .nanoseconds(1))
        failover.receive(isOnline: true, of: "a", at: .start + FailoverCoordinator.following + .nanoseconds(1))
        #expect(failover.served == .all, "it has claimed nothing yet")
    }

    @Test("What waited while it stood still, its own claim too, doesn't make it serve")
    func stale() {
        var failover = FailoverCoordinator(name: "a", shards: 0...255)
        func claim(_ state: Claim.State, _ seq: UInt64) -> Claim {
            Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
        }
        failover.connected(at: .start)
        failover.receive(isOnline: true, of: "b", at: .start)
        failover.receive(claim(.standby, 1), of: "b", at: .second(1))
        failover.updateLiveness(at: .second(6))
        let sent = failover.takeClaim(at: .second(6))
        #expect(sent?.state == .serving)
        // It stands still before that comes back.
        failover.updateLiveness(at: .second(40))
        #expect(failover.served.isEmpty)
        failover.heardOwn(claim(.serving, sent?.seq ?? 0), at: .second(40))
        failover.receive(claim(.standby, 2), of: "b", at: .second(40))
        #expect(failover.served.isEmpty)
        failover.receive(claim(.serving, 9), of: "b", at: .second(40))
        let fresh = failover.takeClaim(at: .second(40))
        #expect(fresh?.state == .starting)
        failover.heardOwn(claim(.starting, fresh?.seq ?? 0), at: .second(41))
        #expect(failover.served.isEmpty)
        failover.updateLiveness(at: .second(46))
        #expect(failover.served == .all)
    }

    @Test("What waited in a line that was cut doesn't make who took over stand by")
    func belated() {
        var b = FailoverCoordinator(name: "b", shards: 0...255)
        func claim(_ state: Claim.State, _ seq: UInt64) -> Claim {
            Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
        }
        func live(until end: Int, from start: Int) {
            for time in start...end {
                if let own = b.takeClaim(at: .second(time)) {
                    b.heardOwn(claim(own.state, own.seq), at: .second(time))
                }
                b.updateLiveness(at: .second(time))
            }
        }
        b.connected(at: .start)
        b.receive(claim(.serving, 1), of: "a", at: .second(1))
        live(until: 10, from: 1)
        #expect(b.served.isEmpty)
        live(until: 12, from: 11)
        #expect(b.served == .all, "it is found dead")

        // Its line is mended: claims of before, and then that it begins anew.
        for seq in 2...4 { b.receive(claim(.serving, UInt64(seq)), of: "a", at: .second(20)) }
        live(until: 20, from: 13)
        #expect(b.served == .all)
        b.receive(claim(.starting, 5), of: "a", at: .second(20.1))
        #expect(b.served == .all)
        b.receive(claim(.serving, 6), of: "a", at: .second(25.2))
        #expect(b.served.isEmpty)

        // One that never begins anew was not away, but not heard.
        live(until: 40, from: 26)
        #expect(b.served == .all)
        for time in 41...46 { b.receive(claim(.serving, UInt64(time)), of: "a", at: .second(time)) }
        #expect(b.served.isEmpty)
    }

    @Test("A new connection has the whole time in which a claim must come back, however long there was none")
    func fencedAcrossConnections() {
        var coordinator = FailoverCoordinator(name: "a", shards: 0...255)
        var now = MonotonicTime.start
        coordinator.connected(at: now)
        now = now + .seconds(15)
        coordinator.updateLiveness(at: now)
        #expect(coordinator.fencedSince == now)
        coordinator.disconnected()
        #expect(coordinator.fencedSince == nil)
        now = now + .seconds(40)
        coordinator.updateLiveness(at: now)
        #expect(coordinator.fencedSince == nil)
        coordinator.connected(at: now)
        coordinator.updateLiveness(at: now)
        #expect(coordinator.fencedSince == now)
    }

    @Test("Give each further connection twice the time to bring a claim back, up to a minute, until one does")
    func patience() throws {
        var coordinator = FailoverCoordinator(name: "a", shards: 0...255)
        coordinator.connected(at: .second(0))
        coordinator.updateLiveness(at: .second(15))
        var patiences: [Duration] = []
        for time in 16...20 {
            patiences.append(coordinator.echoPatience)
            coordinator.disconnected()
            // An attempt that makes no connection does not count.
            coordinator.disconnected()
            coordinator.connected(at: .second(time))
        }
        #expect(patiences == [.seconds(10), .seconds(20), .seconds(40), .seconds(60), .seconds(60)])
        let claimed = coordinator.takeClaim(at: .second(30))
        let (state, seq, _) = try #require(claimed)
        let claim = Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
        coordinator.heardOwn(claim, at: .second(30))
        #expect(coordinator.echoPatience == .seconds(10) && coordinator.fencedSince == nil)
    }

    @Test("The time for a claim to come back begins when the broker has answered what answers rest on, or in a minute")
    func fencedWhileSubscribing() {
        var coordinator = FailoverCoordinator(name: "a", shards: 0...255)
        coordinator.connected(at: .second(0))
        coordinator.updateLiveness(at: .second(15))
        coordinator.disconnected()
        coordinator.connected(at: .second(20))
        coordinator.updateLiveness(at: .second(50))
        #expect(coordinator.fencedSince == .second(20))
        coordinator.awaitSubscriptions(at: .second(50))
        #expect(coordinator.fencedSince == .second(50))
        coordinator.awaitSubscriptions(at: .second(100))
        #expect(coordinator.fencedSince == .second(80))
    }

    @Test("A short standstill, at which nobody takes over, changes nothing")
    func shortStandstill() {
        var fusers = Fusers(["a": 0...255, "b": 0...255])
        fusers.start("a")
        fusers.start("b")
        fusers.run(20)
        fusers.still.insert("a")
        fusers.run(5)
        fusers.still.remove("a")
        fusers.run(20) { #expect($0.serving() == ["a"]) }
    }

    @Test("At no moment do two serve, once they know each other")
    func neverTwo() {
        var fusers = Fusers(["a": 0...255, "b": 0...255, "c": 0...255])
        for name in ["a", "b", "c"] { fusers.start(name) }
        fusers.run(20)
        fusers.still.insert("a")
        fusers.run(40) { #expect($0.serving().count <= 1) }
        #expect(fusers.serving() == ["b"])
        fusers.kill("b")
        fusers.run(20)
        #expect(fusers.serving() == ["c"])
        fusers.start("b")
        fusers.still.remove("a")
        fusers.run(4)
        #expect(fusers.serving() == ["c"])
        fusers.run(20) { #expect((1...2).contains($0.serving().count)) }
        #expect(fusers.serving() == ["a"])
    }

    @Test("What is due is decided once a claim has come back that was sent since, and never in a line that is cut")
    func decides() throws {
        var a = FailoverCoordinator(name: "a", shards: 0...255)
        a.connected(at: .start)
        func mayDecide(_ now: MonotonicTime, isDue: Bool = true) -> Bool { a.mayDecide(isDue: isDue, at: now) }
        #expect(mayDecide(.second(1)) && !a.isDeciding, "alone it decides at once")
        func hear(_ now: MonotonicTime) {
            let claim = Claim(shards: 0...255, state: .standby, epoch: "0000000b", lastEvent: 0, seq: 1)
            a.receive(claim, of: "b", at: now)
        }
        func takeClaim(_ now: MonotonicTime) -> Claim? {
            a.updateLiveness(at: now)
            return a.takeClaim(at: now).map {
                Claim(shards: 0...255, state: $0.state, epoch: "0000000a", lastEvent: 0, seq: $0.seq)
            }
        }
        for second in 1...8 {
            hear(.second(second))
            if let claim = takeClaim(.second(second)) { a.heardOwn(claim, at: .second(second)) }
        }
        #expect(a.served == ShardSet(0...255))
        #expect(takeClaim(.second(8) + .milliseconds(100)) == nil)

        let due = MonotonicTime.second(8) + .milliseconds(200)
        #expect(!mayDecide(due) && a.isDeciding)
        let claim = try #require(takeClaim(due), "a claim is due at once")
        #expect(!mayDecide(due + .milliseconds(1)))
        #expect(takeClaim(due + .milliseconds(1)) == nil, "one is enough")
        a.heardOwn(claim, at: due + .milliseconds(5))
        #expect(mayDecide(due + .milliseconds(5)) && !a.isDeciding)
        // Messages that wait to be read delay it.
        #expect(mayDecide(due + .milliseconds(500)))
        a.decided()
        #expect(mayDecide(due + .milliseconds(600), isDue: false))
        #expect(!mayDecide(.second(9)), "each decision has a claim of its own")

        // Its line is cut: as long as it takes itself to be serving it decides nothing.
        for tenth in 90...240 {
            let now = MonotonicTime.start + .milliseconds(tenth * 100)
            _ = takeClaim(now)
            #expect(mayDecide(now) == a.served.isEmpty, "\(tenth)")
        }
        #expect(a.served.isEmpty)
    }

    @Test("Two share the shards, and a third stands by for both")
    func shared() {
        var fusers = Fusers(["a": 0...0x7f, "b": 0x80...0xff, "c": 0...255])
        for name in ["a", "b", "c"] { fusers.start(name) }
        fusers.run(20)
        #expect(fusers.serving(0x10) == ["a"] && fusers.serving(0x90) == ["b"])
        fusers.kill("b")
        fusers.run(1)
        #expect(fusers.serving(0x10) == ["a"] && fusers.serving(0x90) == ["c"])
    }

    @Test(
        "Claims that name no shards, or none that there are, are refused", arguments: ["", "ff-00", "0-1", "00-7f-ff"])
    func shards(_ text: String) {
        #expect(Claim.shards(text) == nil)
    }

    @Test("A fuser knows at once which items another is being taught, until that ends or the other is gone")
    func teaching() throws {
        var (a, b) = (FailoverCoordinator(name: "a", shards: 0...255), FailoverCoordinator(name: "b", shards: 0...255))
        a.connected(at: .start)
        b.connected(at: .start)
        let (first, next) = (a.takeClaim(at: .second(1)), a.takeClaim(at: .second(2)))
        #expect(first != nil && next == nil)
        func tell(_ teaching: [String], at now: MonotonicTime) throws {
            let sent = a.takeClaim(at: now, teaching: teaching)
            let (state, seq, _) = try #require(sent, "it is told at once")
            var claim = Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
            claim.teaching = teaching
            b.receive(try Claim(payload: claim.payload.span), of: "a", at: now)
        }
        try tell(["keys"], at: .second(2))
        #expect(b.teacher(of: "keys") == "a" && b.teacher(of: "cat") == nil)
        try tell([], at: .second(2) + .nanoseconds(1))
        #expect(b.teacher(of: "keys") == nil)
        try tell(["keys"], at: .second(3))
        b.receive(isOnline: false, of: "a", at: .second(3))
        #expect(b.teacher(of: "keys") == nil)
    }
}
