import Testing

@testable import BrokerSession

/// The report that a broker accepts messages and drops them.
struct StatusWatchTests {
    private static let second: Int64 = 1_000_000_000

    @Test func aStatusThatComesBackIsPublishedAgainEachMinute() {
        var watch = StatusWatch()
        watch.connected(at: 0)
        #expect(watch.nextDeadline == 3 * Self.second)
        for minute in 0..<3 as Range<Int64> {
            let heard = (60 * minute + 1) * Self.second
            let wasUnheard = watch.heard(at: heard)
            #expect(!wasUnheard && watch.nextDeadline == heard + 60 * Self.second)
            let early = watch.advance(to: heard + 59 * Self.second, isSending: false)
            let due = watch.advance(to: heard + 60 * Self.second, isSending: false)
            #expect(early == nil && due == .sayAgain)
        }
    }

    @Test func aStatusThatComesBackNoMoreIsNoticed() {
        var watch = StatusWatch()
        watch.connected(at: 0)
        _ = watch.heard(at: 0)
        let actions = (1...66 as ClosedRange<Int64>).compactMap {
            watch.advance(to: $0 * Self.second, isSending: false)
        }
        #expect(actions == [.sayAgain, .sayAgain, .renewConnection])
        // A session that renewed a moment ago does not do it again: then the next try is a minute later.
        #expect(watch.nextDeadline == 126 * Self.second)
        // On the new connection it never came back: then it is no stalled subscription.
        watch.connected(at: 70 * Self.second)
        _ = watch.advance(to: 73 * Self.second, isSending: false)
        let last = watch.advance(to: 76 * Self.second, isSending: false)
        #expect(last == .tell)
    }

    @Test func oneThatDoesNotIsSaidAgainThenToldThenSaidEachMinuteUntilItDoes() {
        var watch = StatusWatch()
        watch.connected(at: 0)
        var actions: [(Int64, StatusWatch.Action)] = []
        for second in 0..<200 {
            if let action = watch.advance(to: Int64(second) * Self.second, isSending: false) {
                actions.append((Int64(second), action))
            }
        }
        #expect(actions.map(\.0) == [3, 6, 66, 126, 186])
        #expect(actions.map(\.1) == [.sayAgain, .tell, .sayAgain, .sayAgain, .sayAgain])
        let wasUnheard = watch.heard(at: 200 * Self.second)
        #expect(wasUnheard)
        // It is told again where it happens again.
        watch.connected(at: 0)
        _ = watch.advance(to: 3 * Self.second, isSending: false)
        let action = watch.advance(to: 6 * Self.second, isSending: false)
        #expect(action == .tell)
    }

    @Test func aSlowLineIsNotTakenForADenial() {
        var watch = StatusWatch()
        watch.connected(at: 0)
        for turn in 1...Int64(StatusWatch.extensions) {
            let action = watch.advance(to: turn * 3 * Self.second, isSending: true)
            #expect(action == nil)
        }
        // But nothing is waited for for ever.
        let action = watch.advance(to: 33 * Self.second, isSending: true)
        #expect(action == .sayAgain)
    }

    @Test func aLostConnectionSaysNothing() {
        var watch = StatusWatch()
        watch.connected(at: 0)
        watch.giveUp()
        #expect(watch.nextDeadline == nil)
        let action = watch.advance(to: 100 * Self.second, isSending: false)
        #expect(action == nil)
    }
}
