internal import BrokerSession
internal import Bytes
internal import System

/// The waits of the agent's thread, and its clocks.
struct ServiceLoop {
    private let loop: RunLoop
    private var notifier: ServiceNotifier
    private let read: () -> ClockReading
    private var watch: ClockWatch
    /// True if SIGHUP asked for the configuration to be read anew.
    private var isReloadAsked = false

    init(_ loop: RunLoop, _ notifier: ServiceNotifier, clocks read: @escaping () -> ClockReading) {
        self.loop = loop
        self.notifier = notifier
        self.read = read
        watch = ClockWatch(read())
    }

    /// The present wall time.
    var wall: Timestamp { read().wall }
    /// The time since the machine's start.
    var sinceStart: MonotonicTime { read().sinceStart }

    /// The wall time, with the changes of the clocks since the last call.
    mutating func readClocks() -> (wall: Timestamp, change: ClockWatch.Change) {
        let reading = read()
        return (reading.wall, watch.evaluateReading(reading))
    }

    /// The monotonic moment at which the wall clock shows `time`, at most a second from now, so that a change of the
    /// wall clock is noticed.
    func deadline(ofWall time: Timestamp?) -> MonotonicTime {
        let reading = read()
        let wait = time?.duration(since: reading.wall) ?? .seconds(1)
        return reading.sinceStart + min(max(.zero, wait), .seconds(1))
    }

    /// Waits for descriptors, a signal, or a monotonic moment. Returns true if a signal asked to end.
    mutating func wait(readable descriptors: [Int32], until deadline: MonotonicTime?) throws -> Bool {
        let due = [deadline, notifier.nextDeadline].compactMap { $0 }.min()
        let ready = try loop.wait(readable: descriptors, until: due)
        notifier.alive()
        if ready.signals.contains(.hangUp) { isReloadAsked = true }
        return ready.shouldEnd
    }

    /// True once after a signal that asked for the configuration to be read anew.
    mutating func takeReload() -> Bool {
        defer { isReloadAsked = false }
        return isReloadAsked
    }

    /// Reports the beginning, or the end of a reload, to the service manager.
    func ready() { notifier.ready() }

    /// Reports the beginning of a reload to the service manager.
    func reloading() { notifier.reloading() }

    /// Reports the end to the service manager.
    func stopping() { notifier.stopping() }
}
