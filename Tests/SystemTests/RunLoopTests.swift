import Bytes
import Dispatch
import Glibc
import System
import Support
import Testing

@Suite struct RunLoopTests {
    @Test func aDeadlineEndsTheWaitAndNotBefore() throws {
        let loop = try RunLoop()
        let deadline = MonotonicClock.now() + .milliseconds(20)
        let ready = try loop.wait(until: deadline)
        #expect(ready.deadlineReached && ready.readable.isEmpty && ready.signals.isEmpty && !ready.wokenUp)
        #expect(MonotonicClock.now() >= deadline)
    }

    @Test func aDeadlineThatIsPastReturnsAtOnceEveryTime() throws {
        let loop = try RunLoop()
        for nanoseconds in [Int64(0), -5, .min, 1, 1] {
            #expect(try loop.wait(until: MonotonicTime(nanoseconds: nanoseconds)).deadlineReached)
        }
    }

    @Test func aLaterDeadlineReplacesAnEarlierOne() throws {
        let loop = try RunLoop()
        loop.wakeUp.signal()
        #expect(try loop.wait(until: MonotonicClock.now() + .milliseconds(1)).wokenUp)
        let deadline = MonotonicClock.now() + .milliseconds(30)
        #expect(try loop.wait(until: deadline).deadlineReached)
        #expect(MonotonicClock.now() >= deadline)
    }

    @Test func aReadableDescriptorIsNamed() throws {
        let loop = try RunLoop()
        let quiet = ReadablePipe()
        let busy = ReadablePipe()
        #expect(write(busy.writing, "x", 1) == 1)
        #expect(try loop.wait(readable: [quiet.reading, busy.reading]).readable == [busy.reading])
        quiet.closeWriting()
        #expect(try loop.wait(readable: [quiet.reading]).readable == [quiet.reading])
    }

    @Test func anotherThreadWakesTheLoopOnceForSeveralCalls() throws {
        let loop = try RunLoop()
        let wakeUp = loop.wakeUp
        // A thread of its own: the pool that runs tests may be busy with others for longer than the wait lasts.
        let caller = DispatchQueue(label: "caller")
        caller.async {
            wakeUp.signal()
            wakeUp.signal()
        }
        #expect(try loop.wait(until: MonotonicClock.now() + .seconds(5)).wokenUp)
        // The second call may come after the first wait; then one more wait takes it.
        caller.sync {}
        _ = try loop.wait(until: .start)
        #expect(try loop.wait(until: .start).wokenUp == false)
    }

    @Test("A closed terminal ends a program that has no files to read again")
    func closedTerminal() throws {
        let loop = try RunLoop()
        pthread_kill(pthread_self(), SIGHUP)
        let ready = try loop.wait(until: MonotonicClock.now() + .seconds(5))
        #expect(ready.signals == [.hangUp] && ready.shouldEnd)
    }

    @Test func signalsArriveAsValuesAndEndNothingByThemselves() throws {
        let loop = try RunLoop(reloads: true)
        pthread_kill(pthread_self(), SIGHUP)
        let first = try loop.wait(until: MonotonicClock.now() + .seconds(5))
        #expect(first.signals == [.hangUp] && !first.shouldEnd)
        pthread_kill(pthread_self(), SIGTERM)
        pthread_kill(pthread_self(), SIGINT)
        let second = try loop.wait(until: MonotonicClock.now() + .seconds(5))
        #expect(second.signals == [.terminate, .interrupt] && second.shouldEnd)
    }

    /// The signals that the calling thread blocks, of those that a loop takes.
    private static func blockedSignals() -> Set<Int32> {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return Set(RunLoop.Signal.allCases.map(\.rawValue).filter { sigismember(&mask, $0) == 1 })
    }

    @Test("Survive a second ^C while ending after the first one")
    func secondInterruption() throws {
        let before = Self.blockedSignals()
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        do {
            let loop = try RunLoop(reloads: true)
            pthread_kill(pthread_self(), SIGHUP)
            #expect(!(try loop.wait(until: MonotonicClock.now() + .seconds(5)).shouldEnd))
        }
        #expect(Self.blockedSignals() == before)
        do {
            let loop = try RunLoop()
            pthread_kill(pthread_self(), SIGINT)
            #expect(try loop.wait(until: MonotonicClock.now() + .seconds(5)).shouldEnd)
        }
        #expect(Self.blockedSignals() == Set(RunLoop.Signal.allCases.map(\.rawValue)))
        pthread_kill(pthread_self(), SIGINT)
        // The next loop receives what was sent between the two.
        #expect(try RunLoop().wait(until: MonotonicClock.now() + .seconds(5)).shouldEnd)
    }

    @Test func clocksGoForwardAndEpochsDiffer() {
        let before = MonotonicClock.now()
        #expect(MonotonicClock.now() >= before)
        #expect(WallClock.now().seconds > 1.7e9)
        let epoch = SystemRandom.epoch()
        #expect(epoch.utf8.count == 8 && epoch != SystemRandom.epoch())
    }
}
