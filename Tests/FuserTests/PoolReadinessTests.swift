import Bytes
import Support
import Testing
import WireProtocol

@testable import Fuser

/// A new member of a pool beside one that was there before, with its claims and their returns one by one.
@Suite struct PoolReadinessTests {
    private var a = FailoverCoordinator(name: "a", shards: 0...255, isPooled: true)

    private mutating func takeClaim(_ now: MonotonicTime) -> Claim? {
        a.updateLiveness(at: now)
        return a.takeClaim(at: now).map { state, seq, shares in
            claim(state, seq, ready: shares?.ready ?? ShardSet(), serves: shares?.serves ?? ShardSet())
        }
    }

    private func claim(_ state: Claim.State, _ seq: UInt64, ready: ShardSet, serves: ShardSet = ShardSet()) -> Claim {
        var claim = Claim(shards: 0...255, state: state, epoch: "0000000a", lastEvent: 0, seq: seq)
        (claim.ready, claim.serves) = (ready, serves)
        return claim
    }

    @Test("Begin with shards for which nobody is ready, and leave them once to a member that is: not in turn with it")
    mutating func leaves() throws {
        let start = MonotonicTime.second(5)
        a.connected(at: .start)
        // It has yet to learn what it was taught.
        a.record(isLearning: true)
        a.receive(isOnline: true, of: "b", at: .start)
        a.receive(claim(.starting, 1, ready: ShardSet()), of: "b", at: .start)
        a.heardOwn(try #require(takeClaim(.second(1))), at: .second(1))
        let begun = try #require(takeClaim(start))
        #expect(begun.serves?.isEmpty == false && begun.serves == begun.ready)
        // The other's claim comes before its own returns.
        a.receive(claim(.serving, 2, ready: .all), of: "b", at: start + .milliseconds(2))
        let left = try #require(takeClaim(start + .milliseconds(3)))
        #expect(left.serves?.isEmpty == true && left.ready?.isEmpty == true)
        a.heardOwn(begun, at: start + .milliseconds(4))
        #expect(takeClaim(start + .milliseconds(5)) == nil, "it claims none of them again")
        a.heardOwn(left, at: start + .milliseconds(6))
        #expect(takeClaim(start + .milliseconds(7)) == nil && a.served.isEmpty)

        // It takes its part when it has learned.
        a.record(isLearning: false)
        var served: [ShardSet] = []
        for tenth in 51...140 {
            let now = MonotonicTime.start + .milliseconds(tenth * 100)
            a.receive(claim(.serving, UInt64(tenth), ready: .all), of: "b", at: now)
            while let next = takeClaim(now) { a.heardOwn(next, at: now) }
            if a.served != served.last { served.append(a.served) }
        }
        #expect(served.first?.isEmpty == true && served.count == 2 && served.last == begun.serves)
    }

    @Test("Wait beside others until it has followed, though nobody is ready, as after a time without a quorum")
    mutating func follows() throws {
        a.connected(at: .start)
        a.receive(claim(.starting, 1, ready: ShardSet()), of: "b", at: .start)
        var claims: [Claim] = []
        for tenth in 5...60 {
            let now = MonotonicTime.start + .milliseconds(tenth * 100)
            while let next = takeClaim(now) {
                a.heardOwn(next, at: now)
                claims.append(next)
            }
            #expect(a.served.isEmpty == (tenth < 50), "after \(tenth) tenths of a second")
        }
        #expect(claims.first?.serves?.isEmpty == true && claims.first?.ready?.isEmpty == true)
    }
}
