import Bytes
import Support
import Testing

@testable import BrokerSession

/// The report that a broker accepts messages and drops them.
struct StatusWatchTests {
    @Test func aStatusThatComesBackIsPublishedAgainEachMinute() {
        var watch = StatusWatch()
        watch.connected(at: .start)
        #expect(watch.nextDeadline == .second(3))
        for minute in 0..<3 {
            let heard = MonotonicTime.second(60 * minute + 1)
            let wasUnheard = watch.recordReturn(at: heard)
            #expect(!wasUnheard && watch.nextDeadline == heard + .seconds(60))
            let early = watch.advance(to: heard + .seconds(59), isSending: false)
            let due = watch.advance(to: heard + .seconds(60), isSending: false)
            #expect(early == nil && due == .sayAgain)
        }
    }

    @Test func aStatusThatComesBackNoMoreIsNoticed() {
        var watch = StatusWatch()
        watch.connected(at: .start)
        _ = watch.recordReturn(at: .start)
        let actions = (1...66).compactMap {
            watch.advance(to: .second($0), isSending: false)
        }
        #expect(actions == [.sayAgain, .sayAgain, .renewConnection])
        // A session that renewed a moment ago does not do it again: then the next try is a minute later.
        #expect(watch.nextDeadline == .second(126))
        // On the new connection it never came back: then it is no stalled subscription.
        watch.connected(at: .second(70))
        _ = watch.advance(to: .second(73), isSending: false)
        let last = watch.advance(to: .second(76), isSending: false)
        #expect(last == .tell)
    }

    @Test func oneThatDoesNotIsSaidAgainThenToldThenSaidEachMinuteUntilItDoes() {
        var watch = StatusWatch()
        watch.connected(at: .start)
        var actions: [(Int, StatusWatch.Action)] = []
        for second in 0..<200 {
            if let action = watch.advance(to: .second(second), isSending: false) {
                actions.append((second, action))
            }
        }
        #expect(actions.map(\.0) == [3, 6, 66, 126, 186])
        #expect(actions.map(\.1) == [.sayAgain, .tell, .sayAgain, .sayAgain, .sayAgain])
        let wasUnheard = watch.recordReturn(at: .second(200))
        #expect(wasUnheard)
        // It is told again where it happens again.
        watch.connected(at: .start)
        _ = watch.advance(to: .second(3), isSending: false)
        let action = watch.advance(to: .second(6), isSending: false)
        #expect(action == .tell)
    }

    @Test func aSlowLineIsNotTakenForADenial() {
        var watch = StatusWatch()
        watch.connected(at: .start)
        for turn in 1...StatusWatch.extensions {
            let action = watch.advance(to: .second(3 * turn), isSending: true)
            #expect(action == nil)
        }
        // But nothing is waited for for ever.
        let action = watch.advance(to: .second(33), isSending: true)
        #expect(action == .sayAgain)
    }

    @Test func aLostConnectionSaysNothing() {
        var watch = StatusWatch()
        watch.connected(at: .start)
        watch.giveUp()
        #expect(watch.nextDeadline == nil)
        let action = watch.advance(to: .second(100), isSending: false)
        #expect(action == nil)
    }
}
