public import Advertising
public import Bytes
internal import Glibc

/// Receives LE advertisements through an adapter of this machine. It recovers from any loss of the adapter by itself,
/// and logs its steps.
///
/// It belongs to one thread and never blocks. Call `advance` when its descriptor is readable and at its deadline:
///
///     let scanner = try Scanner(.auto, ScanSettings())
///     while true {
///         _ = try loop.wait(readable: [scanner.descriptor].compactMap { $0 }, until: scanner.nextDeadline)
///         scanner.advance(to: MonotonicClock.now(), wall: WallClock.now(), limit: 512) { time, event in … }
///     }
public final class Scanner {
    /// The time for which closely spaced reports gather in the kernel's buffer, which is far from full
    /// then: a thousand reports a second cause fifty wake-ups.
    public static let gathering: Duration = .milliseconds(20)
    /// The time limit for a change of power.
    static let powerLimit: Duration = .seconds(15)
    /// The greatest distance of a kernel time from now; a time further off dates from before the clock
    /// was set.
    private static let oldest: Duration = .seconds(60)

    var control: ScanController
    let survey: AdapterSurvey
    let tree: SystemTree
    let poller: Poller
    var socket: HCISocket?
    var management: HCISocket?
    /// The adapters that the management interface lists; nil before it was asked.
    var managed: Set<UInt16>?
    var call: BlockingCall?
    var power: PowerCycle?
    var switches: [SystemTree.Switch] = []
    /// The present, since the machine started and as the time of day.
    private var present: (now: MonotonicTime, wall: Timestamp)
    /// The time of the last reading; true if reports gather in the kernel's buffer since then.
    private var reading: (last: MonotonicTime, gathers: Bool) = (.start, false)
    private var stall = Stall()
    var loss = LossCount()

    /// A scanner that begins at the first `advance`. The time until it receives is a gap.
    ///
    /// - Parameters:
    ///   - address: the address that `auto` stood for in an earlier run, as given by `remembered`.
    ///   - now: the time since the machine started.
    ///   - wall: the same moment as the time of day.
    ///   - systemTree: the mount point of sysfs.
    ///
    /// Throws if the process can't open another descriptor.
    public init(
        _ choice: AdapterChoice, _ settings: ScanSettings, remembering address: DeviceAddress? = nil,
        now: MonotonicTime,
        wall: Timestamp, systemTree: String = "/sys"
    ) throws(RadioFault) {
        do {
            poller = try Poller()
        } catch {
            throw .system(call: "epoll_create1", code: error.code)
        }
        control = ScanController(choice, settings, remembering: address, at: Timestamp(now))
        survey = AdapterSurvey(systemTree: systemTree)
        tree = SystemTree(root: systemTree)
        present = (now, wall)
    }

    /// Ends the scan, which a controller would otherwise continue without a listener; closing a user channel ends its
    /// scan.
    deinit {
        guard let socket, let features = control.features, control.settings.channel == .shared else { return }
        try? socket.send(HCICommand.scanEnable(false, extended: features.extended).packet)
    }

    /// The descriptor, readable when `advance` is to be called; nil while reports gather.
    public var descriptor: Int32? { reading.gathers ? nil : poller.number }

    /// The latest time for the next call of `advance`, since the machine started.
    public var nextDeadline: MonotonicTime? {
        if !control.effects.isEmpty { return present.now }
        let due = [control.nextDeadline, power?.until].compactMap { $0 }.min().map { MonotonicTime($0) }
        guard reading.gathers else { return due }
        return min(due ?? .distantFuture, reading.last + Self.gathering)
    }

    /// The current state and counts.
    public var report: RadioReport { control.report }

    /// The address that `auto` stands for; nil for another choice, and before the adapter was found.
    public var remembered: DeviceAddress? { control.chooser.remembered }

    /// Events that the kernel dropped because the receive buffer was full (SO_MEMINFO). The count excludes drops on
    /// Linux before 4.12, and those of a controller that is faster than its host.
    public var lost: UInt64 { loss.count }

    /// Reads the events that arrived and carries out the steps that are due.
    ///
    /// `body` receives each event that holds advertising reports, from its event code on, with the kernel's time of it.
    /// The event may be read until `body` returns. One batch more than `limit` events may be passed on. Returns true if
    /// more wait.
    public func advance(
        to now: MonotonicTime, wall: Timestamp, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) -> Bool {
        let hasStalled = now - present.now > Stall.least
        if hasStalled { stall.begin(max(moment, control.watch.lastHeard)) }
        present = (now, wall)
        openManagement()
        var isMore = false
        var isManaged = false
        var hasEnded = false
        var isReadable = false
        poller.forEachReady { number in
            if number == socket?.number { isReadable = true }
            if number == management?.number { isManaged = true }
            if number == call?.descriptor { hasEnded = true }
        }
        if isReadable { isMore = read(limit, body) }
        if isManaged { readManagement() }
        if hasEnded, let code = call?.result {
            call = nil
            control.liftEnded(code, at: moment)
        }
        if let until = power?.until, until <= moment { endPower(ETIMEDOUT) }
        // The events in the buffer are old, and those after it was full are lost.
        if hasStalled || isMore { control.watch.resume(at: moment) }
        if !isMore {
            leaveOutHole(until: moment)
            stall.end()
        }
        control.advance(to: moment)
        performEffects()
        if let socket { loss.readCounter(at: moment) { socket.dropped } }
        return isMore
    }

    /// Sets the scan up anew, from the event masks on; a search for the adapter is repeated at once. A set-up in
    /// progress continues.
    public func rescan() {
        control.rescan(at: moment)
    }

    /// The times at which listening stopped or resumed, on the wall clock, in order; each change is returned once.
    /// Before the first one nothing is received. It may be called within the `body` of `advance`: a change returned
    /// there precedes the event.
    public func takeListening() -> ScanChange? {
        switch control.listening.takeChange() {
        case .stopped(let time): .stopped(wallTime(of: time))
        case .resumed(let time): .resumed(wallTime(of: time))
        case nil: nil
        }
    }

    /// The faults that began or ended since the last call, on the wall clock. Of changes that nobody reads the latest
    /// 64 are retained.
    public func takeChanges() -> [RadioChange] {
        control.journal.takeChanges().map { change in
            switch change {
            case .failed(let fault, let since, let time):
                .failed(fault, since: wallTime(of: since), at: wallTime(of: time))
            case .hears(let rung, let time): .hears(after: rung, at: wallTime(of: time))
            }
        }
    }

    /// The notices since the last call.
    public func takeNotices() -> [RadioNotice] { control.journal.notices.takeAll() }

    // MARK: Time

    /// The scan controller's clock.
    var moment: Timestamp { Timestamp(present.now) }

    private func wallTime(of moment: Timestamp) -> Timestamp {
        present.wall.advanced(by: moment.duration(since: self.moment))
    }

    // MARK: Reading

    private func read(_ limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void) -> Bool {
        // A slow reader gets each event at once; for a frequent one events gather.
        reading = (present.now, present.now - reading.last < Self.gathering * 2)
        var given = 0
        while let socket {
            do {
                let count = try socket.receiveEvents { event, stamp in receive(event, stamp, body) }
                given += count
                if count < HCISocket.batch { return false }
                if given >= limit { return true }
            } catch {
                control.socketFailed(error.code, at: moment)
                performEffects()
                return false
            }
        }
        return false
    }

    private func receive(_ event: Span<UInt8>, _ stamp: Timestamp?, _ body: (Timestamp, Span<UInt8>) -> Void) {
        let wall = present.wall
        let age = stamp.map { wall.microseconds(since: $0) } ?? 0
        let isOdd = Duration.microseconds(age).magnitude > Self.oldest
        let time = isOdd ? wall : stamp ?? wall
        let moment = isOdd ? self.moment : self.moment.advanced(byMicroseconds: -max(0, age))
        guard event.byte(at: 0) == HCIEvent.leMeta else {
            return control.receive(event, at: moment, now: self.moment)
        }
        leaveOutHole(until: moment)
        guard HCIEvent.isForDecoder(event) else { return }
        HCIEvent.forEachAdvertiser(in: event) { control.receive(beacon: $0, at: moment) }
        body(time, event)
    }

    /// Records the gap before the event that ends it is passed on: no item is to leave because of the gap.
    private func leaveOutHole(until moment: Timestamp) {
        guard let hole = stall.hole(until: moment) else { return }
        control.listening.leaveOut(from: hole.from, to: hole.to)
    }
}
