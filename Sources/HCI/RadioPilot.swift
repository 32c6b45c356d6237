internal import Advertising
internal import Bytes

/// Decides what a scanner does: which adapter it opens, what it sends, when it tries what. It does nothing itself.
///
/// The scanner tells it what came and what time it is, on a clock that never jumps, and carries out its `effects`.
struct RadioPilot: Sendable {
    /// What the scanner is to do, and to answer by a call.
    enum Effect: Hashable, Sendable {
        /// List the adapters: `found`.
        case survey
        /// Open a socket on an adapter: `opened` or `refused`.
        case open(UInt16)
        /// Close it.
        case close
        /// Send a command: `receive`, or `broke` where that fails.
        case send(HCICommand)
        /// Begin what may take seconds: `lifted`.
        case lift(Lift, UInt16)
    }

    /// What is done to an adapter as a whole.
    enum Lift: Hashable, Sendable {
        case up, down, reset, downUp, power, bus
    }

    enum Phase: Sendable {
        /// Waits for an adapter that can be opened, and looks for it at a time.
        case searching(until: Timestamp)
        case lifting(Lift, byLadder: Bool)
        case settingUp(ScanSetup, until: Timestamp, byLadder: Bool)
        /// An adapter is open, and is set up at a time.
        case pausing(until: Timestamp, ScanSetup.Depth, takesBack: Bool)
        case scanning
    }

    /// How often an adapter that is missing or can't be opened is looked for, in microseconds.
    static let retry: Int64 = 2_000_000
    /// How long an adapter that another program took down is left so: it may want it for itself.
    static let courtesy: Int64 = 2_000_000
    /// How long others are let finish what they do to the scan, before it is taken back.
    static let settling: Int64 = 150_000
    /// How long a command may take: controllers answer those of ours within milliseconds. The kernel waits for 2 s
    /// (HCI_CMD_TIMEOUT), and sends nothing else meanwhile; the reset that follows doesn't wait for that.
    static let commandLimit: Int64 = 1_200_000
    /// After how long an adapter that is gone is looked for on its bus.
    static let missingLimit: Int64 = 10_000_000
    /// Notices that wait to be taken; further ones are dropped.
    static let noticeBound = 64
    /// Changes that wait to be taken; the oldest make room for further ones.
    static let changeBound = 64

    let settings: ScanSettings
    var chooser: AdapterChooser
    var phase: Phase
    var effects: [Effect] = [.survey]
    var notices: [RadioNotice] = []
    private(set) var changes: [RadioChange] = []
    var listening: Listening
    var watch: SilenceWatch
    var ladder = RecoveryLadder()
    var insistence = Insistence()
    /// The adapter that is open, or was last.
    var adapter: Adapter?
    var isOpen = false
    var features: ControllerFeatures?
    var problem: RadioFault?
    var takenBack = 0
    /// What another program did while a set-up was under way.
    var interference: ScanSetup.Depth?
    var missingSince: Timestamp?
    /// Whether it has listened at all.
    var hasListened = false

    init(
        _ choice: AdapterChoice, _ settings: ScanSettings, remembering address: DeviceAddress? = nil, at now: Timestamp
    ) {
        self.settings = settings
        chooser = AdapterChooser(choice, remembering: address)
        phase = .searching(until: now.advanced(byMicroseconds: Self.retry))
        listening = Listening(from: now)
        watch = SilenceWatch(at: now)
    }

    var name: String { adapter?.name ?? "" }

    /// How it does.
    var report: RadioReport {
        var report = RadioReport()
        switch phase {
        case .scanning: report.state = ladder.isClimbing && !ladder.isResting ? .recovering : .scanning
        case .searching, .lifting: report.state = ladder.isClimbing ? .recovering : .waiting
        case .settingUp, .pausing: report.state = ladder.isClimbing ? .recovering : .starting
        }
        report.problem = problem
        report.adapter = adapter?.name
        report.address = adapter?.address
        report.features = features?.names ?? []
        (report.tried, report.helped) = (ladder.tried, ladder.helped)
        report.takenBack = takenBack
        return report
    }

    /// When `advance` is to be called at the latest.
    var nextDeadline: Timestamp? {
        switch phase {
        case .searching(let until): until
        case .pausing(let until, _, _): min(until, ladder.nextDeadline ?? until)
        case .settingUp(_, let until, _): until
        case .lifting: nil
        case .scanning: min(watch.nextDeadline, ladder.nextDeadline ?? watch.nextDeadline)
        }
    }

    /// Lets time pass.
    mutating func advance(to now: Timestamp) {
        switch phase {
        case .lifting: return
        case .settingUp(_, let until, let byLadder):
            guard until <= now else { return }
            setUpFailed(.silent, .silent(name), byLadder: byLadder, at: now)
        case .searching(let until):
            // The ladder goes on when it is known whose adapter it is, and that it is there.
            guard until <= now else { return }
            phase = .searching(until: now.advanced(byMicroseconds: Self.retry))
            return effects.append(.survey)
        case .pausing(let until, let depth, let takesBack):
            if until <= now { resume(depth, takesBack, at: now) }
        case .scanning: look(at: now)
        }
        climb(at: now)
    }

    /// Judges the silence.
    private mutating func look(at now: Timestamp) {
        switch watch.judge(at: now) {
        case .mute where !ladder.isClimbing:
            let fault = RadioFault.mute(name)
            listening.stop(at: watch.lastHeard)
            fail(fault, at: now)
            ladder.begin(.mute, at: now)
        case .quiet where !ladder.isClimbing || ladder.isResting:
            tell(.info, "quiet", "nothing was heard for a minute; scan off and on, once a minute")
            setUp(.enable, byLadder: false, at: now)
        case .mute, .quiet, nil: break
        }
    }

    // MARK: Words

    mutating func tell(_ level: RadioNotice.Level, _ subject: String, _ text: String) {
        guard notices.count < Self.noticeBound else { return }
        notices.append(RadioNotice(level: level, subject: subject, text: text))
    }

    /// Something keeps it from hearing: told once, until it is something else.
    mutating func fail(_ fault: RadioFault, at now: Timestamp) {
        guard problem != fault else { return }
        problem = fault
        note(.failed(fault, since: min(listening.deafSince ?? now, now), at: now))
        tell(.warning, "radio", "\(fault); \(fault.mend)")
    }

    // MARK: Changes

    mutating func note(_ change: RadioChange) {
        if changes.count >= Self.changeBound { changes.removeFirst() }
        changes.append(change)
    }

    mutating func takeChanges() -> [RadioChange] {
        defer { changes.removeAll() }
        return changes
    }
}
