public import Advertising
public import Bytes
internal import Glibc

/// Hears LE advertisements through an adapter of this machine, and goes on hearing: whatever happens to the adapter, this
/// keeps trying and says what it does.
///
/// It belongs to one thread, never blocks, and wants to be called when its descriptor is readable and at its deadline:
///
///     let scanner = try Scanner(.auto, ScanSettings())
///     while true {
///         _ = try loop.wait(readable: [scanner.descriptor].compactMap { $0 }, until: scanner.nextDeadline)
///         scanner.advance(to: MonotonicClock.now(), wall: WallClock.now(), limit: 512) { time, event in … }
///     }
public final class Scanner {
    /// Reports that follow each other closely are let gather for so many nanoseconds in the kernel's buffer, which is
    /// far from full then: a thousand reports a second are fifty wake-ups.
    public static let gathering: Int64 = 20_000_000
    /// How often it is asked what was lost, in microseconds.
    private static let lossInterval: Int64 = 1_000_000
    /// How long a change of power may take, in microseconds.
    static let powerLimit: Int64 = 15_000_000
    /// Kernel times that are further than this from now came before the clock was set.
    private static let oldest: Int64 = 60_000_000

    var pilot: RadioPilot
    let survey: AdapterSurvey
    let tree: SystemTree
    let poller: Poller
    var socket: HCISocket?
    var management: HCISocket?
    /// The adapters that the management interface knows; nil while it isn't asked.
    var managed: Set<UInt16>?
    var call: BlockingCall?
    var power: PowerCycle?
    var switches: [SystemTree.Switch] = []
    private var now: Int64
    private var wall: Timestamp
    private var lastRead: Int64 = 0
    private var isGathering = false
    private var stall = Stall()
    var lostBefore: UInt64 = 0
    var lostHere: UInt64 = 0
    private var nextLossCheck = Timestamp(microseconds: 0)

    /// A scanner that begins at the first `advance`. Time until it hears is a gap.
    ///
    /// - Parameters:
    ///   - address: what `auto` stood for in an earlier run, as `remembered` gave it.
    ///   - now: nanoseconds since the machine started.
    ///   - wall: the same moment of the day.
    ///   - systemTree: where sysfs is mounted.
    ///
    /// Throws where the process can't have one descriptor more.
    public init(
        _ choice: AdapterChoice, _ settings: ScanSettings, remembering address: DeviceAddress? = nil, now: Int64,
        wall: Timestamp, systemTree: String = "/sys"
    ) throws(RadioFault) {
        do {
            poller = try Poller()
        } catch {
            throw .system(call: "epoll_create1", code: error.code)
        }
        pilot = RadioPilot(choice, settings, remembering: address, at: Timestamp(microseconds: now / 1000))
        survey = AdapterSurvey(systemTree: systemTree)
        tree = SystemTree(root: systemTree)
        self.now = now
        self.wall = wall
    }

    /// A controller would go on scanning with nobody to listen; a user channel's is closed with it.
    deinit {
        guard let socket, let features = pilot.features, pilot.settings.channel == .shared else { return }
        try? socket.send(HCICommand.scanEnable(false, extended: features.extended).packet)
    }

    /// Readable when `advance` is to be called; nil while reports are let gather.
    public var descriptor: Int32? { isGathering ? nil : poller.number }

    /// When `advance` is to be called at the latest, in nanoseconds since the machine started.
    public var nextDeadline: Int64? {
        if !pilot.effects.isEmpty { return now }
        let due = [pilot.nextDeadline, power?.until].compactMap { $0 }.min().map { $0.microseconds * 1000 }
        guard isGathering else { return due }
        return min(due ?? .max, lastRead + Self.gathering)
    }

    /// How it does.
    public var report: RadioReport { pilot.report }

    /// The address that `auto` stands for; nil for another choice, and before it was found.
    public var remembered: DeviceAddress? { pilot.chooser.remembered }

    /// Events that the kernel dropped because the receive buffer was full (SO_MEMINFO); those of Linux before 4.12 and
    /// those of a controller that can't keep up with its host are in no count.
    public var lost: UInt64 { lostBefore + lostHere }

    /// Takes what has come and does what is due.
    ///
    /// `body` gets each event that holds advertising reports, from its event code on, and the kernel's time of it. It may
    /// be read until `body` returns. Of `limit` events one batch more may be given; whether more wait.
    public func advance(
        to now: Int64, wall: Timestamp, limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void
    ) -> Bool {
        let hasStalled = (now - self.now) / 1000 > Stall.least
        if hasStalled { stall.begin(max(moment, pilot.watch.lastHeard)) }
        (self.now, self.wall) = (now, wall)
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
            pilot.lifted(code, at: moment)
        }
        if let until = power?.until, until <= moment { endPower(ETIMEDOUT) }
        // What waits in the buffer is old, and what found it full is lost.
        if hasStalled || isMore { pilot.watch.resume(at: moment) }
        if !isMore {
            leaveOutHole(until: moment)
            stall.end()
        }
        pilot.advance(to: moment)
        perform()
        countLoss()
        return isMore
    }

    /// Sets the scan up anew, from the event masks on; an adapter that is searched for is looked for at once. What goes on
    /// to that end already goes on.
    public func rescan() {
        pilot.rescan(at: moment)
    }

    /// When listening ceased or began again, on the wall's time, in order; each change is given once. Before the first one
    /// nothing is heard. It may be called within the `body` of `advance`: a change that is there then came before the event.
    public func takeListening() -> ScanChange? {
        switch pilot.listening.take() {
        case .stopped(let time): .stopped(wallTime(of: time))
        case .resumed(let time): .resumed(wallTime(of: time))
        case nil: nil
        }
    }

    /// What has come to keep it from hearing since the last call, and what no longer does, on the wall's time. Of changes
    /// that nobody takes the latest 64 are kept.
    public func takeChanges() -> [RadioChange] {
        pilot.takeChanges().map { change in
            switch change {
            case .failed(let fault, let since, let time):
                .failed(fault, since: wallTime(of: since), at: wallTime(of: time))
            case .hears(let rung, let time): .hears(after: rung, at: wallTime(of: time))
            }
        }
    }

    /// What has happened since the last call.
    public func takeNotices() -> [RadioNotice] {
        defer { pilot.notices.removeAll() }
        return pilot.notices
    }

    // MARK: Time

    /// The pilot's clock.
    var moment: Timestamp { Timestamp(microseconds: now / 1000) }

    private func wallTime(of moment: Timestamp) -> Timestamp {
        wall.advanced(byMicroseconds: moment.microseconds(since: self.moment))
    }

    // MARK: Reading

    private func read(_ limit: Int, _ body: (Timestamp, Span<UInt8>) -> Void) -> Bool {
        // Who reads seldom gets each event at once; who reads often lets them gather.
        isGathering = now - lastRead < 2 * Self.gathering
        lastRead = now
        var given = 0
        while let socket {
            do {
                let count = try socket.receiveEvents { event, stamp in take(event, stamp, body) }
                given += count
                if count < HCISocket.batch { return false }
                if given >= limit { return true }
            } catch {
                pilot.broke(error.code, at: moment)
                perform()
                return false
            }
        }
        return false
    }

    private func take(_ event: Span<UInt8>, _ stamp: Int64, _ body: (Timestamp, Span<UInt8>) -> Void) {
        let age = stamp == 0 ? 0 : wall.microseconds - stamp
        let isOdd = age > Self.oldest || age < -Self.oldest
        let time = isOdd ? wall : wall.advanced(byMicroseconds: -age)
        let moment = isOdd ? self.moment : self.moment.advanced(byMicroseconds: -max(0, age))
        guard event.byte(at: 0) == ReportAddresses.leMeta else {
            return pilot.receive(event, at: moment, now: self.moment)
        }
        leaveOutHole(until: moment)
        guard ReportAddresses.areExpected(in: event) else { return }
        ReportAddresses.forEach(in: event) { pilot.hear($0, at: moment) }
        body(time, event)
    }

    /// Before the event that ends it is given: nobody is to leave because of it.
    private func leaveOutHole(until moment: Timestamp) {
        guard let hole = stall.hole(until: moment) else { return }
        pilot.listening.leaveOut(from: hole.from, to: hole.to)
    }

    private func countLoss() {
        guard let socket, moment >= nextLossCheck else { return }
        nextLossCheck = moment.advanced(byMicroseconds: Self.lossInterval)
        lostHere = socket.dropped ?? 0
    }
}
