import Dispatch
import Bytes
import Daemon
import Glibc
import Testing

@Suite struct RunLoopTests {
    @Test func aDeadlineEndsTheWaitAndNotBefore() throws {
        let loop = try RunLoop()
        let deadline = MonotonicClock.now() + 20_000_000
        let ready = try loop.wait(until: deadline)
        #expect(ready.deadlineReached && ready.readable.isEmpty && ready.signals.isEmpty && !ready.wokenUp)
        #expect(MonotonicClock.now() >= deadline)
    }

    @Test func aDeadlineThatIsPastReturnsAtOnceEveryTime() throws {
        let loop = try RunLoop()
        for deadline in [Int64(0), -5, .min, 1, 1] {
            #expect(try loop.wait(until: deadline).deadlineReached)
        }
    }

    @Test func aLaterDeadlineReplacesAnEarlierOne() throws {
        let loop = try RunLoop()
        loop.wakeUp.signal()
        #expect(try loop.wait(until: MonotonicClock.now() + 1_000_000).wokenUp)
        let deadline = MonotonicClock.now() + 30_000_000
        #expect(try loop.wait(until: deadline).deadlineReached)
        #expect(MonotonicClock.now() >= deadline)
    }

    @Test func aReadableDescriptorIsNamed() throws {
        let loop = try RunLoop()
        let quiet = Pipe()
        let busy = Pipe()
        #expect(write(busy.writing, "x", 1) == 1)
        #expect(try loop.wait(readable: [quiet.reading, busy.reading]).readable == [busy.reading])
        quiet.closeWriting()
        #expect(try loop.wait(readable: [quiet.reading]).readable == [quiet.reading])
    }

    @Test func anotherThreadWakesTheLoopOnceForSeveralCalls() throws {
        let loop = try RunLoop()
        let wakeUp = loop.wakeUp
        // A thread of its own: the pool that runs tests may be busy with others for longer than the wait lasts.
        DispatchQueue(label: "caller").async {
            wakeUp.signal()
            wakeUp.signal()
        }
        #expect(try loop.wait(until: MonotonicClock.now() + 5_000_000_000).wokenUp)
        // The second call may come after the first wait; then one more wait takes it.
        _ = try loop.wait(until: MonotonicClock.now() + 20_000_000)
        #expect(try loop.wait(until: 0).wokenUp == false)
    }

    @Test func signalsArriveAsValuesAndEndNothingByThemselves() throws {
        let loop = try RunLoop()
        pthread_kill(pthread_self(), SIGHUP)
        let first = try loop.wait(until: MonotonicClock.now() + 5_000_000_000)
        #expect(first.signals == [.hangUp] && !first.shouldEnd)
        pthread_kill(pthread_self(), SIGTERM)
        pthread_kill(pthread_self(), SIGINT)
        let second = try loop.wait(until: MonotonicClock.now() + 5_000_000_000)
        #expect(second.signals == [.terminate, .interrupt] && second.shouldEnd)
    }

    @Test func clocksGoForwardAndEpochsDiffer() {
        let before = MonotonicClock.now()
        #expect(MonotonicClock.now() >= before)
        #expect(WallClock.now().seconds > 1.7e9)
        let epoch = SystemRandom.epoch()
        #expect(epoch.utf8.count == 8 && epoch != SystemRandom.epoch())
    }

    @Test func theServiceManagerHearsThatTheServiceIsReady() throws {
        let server = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(server) }
        // An address of the family alone lets the kernel choose a free abstract name (unix(7), autobind).
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let name: String = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                #expect(bind(server, generic, 2) == 0)
                #expect(getsockname(server, generic, &length) == 0)
            }
            return withUnsafeBytes(of: &pointer.pointee.sun_path) { bytes in
                "@" + String(decoding: bytes[1..<Int(length) - 2], as: UTF8.self)
            }
        }
        let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": name])
        notifier.ready()
        notifier.status("4 rooms\n")
        notifier.stopping()
        let heard = (0..<3).map { _ in
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = recv(server, &bytes, 100, Int32(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        #expect(heard == ["READY=1", "STATUS=4 rooms\\n", "STOPPING=1"])
        ServiceNotifier(environment: [:]).ready()
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).ready()
    }
}
