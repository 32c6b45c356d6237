internal import Advertising
internal import Bytes

/// Decides the actions of a scanner: its choice of adapter, its commands and their times. It has no effects of its own.
///
/// The scanner passes it events and the time of a clock that never jumps, and carries out its `effects`.
struct ScanController: Sendable {
    /// An action for the scanner to carry out, and to answer by a call.
    enum Effect: Hashable, Sendable {
        /// List the adapters: `found`.
        case survey
        /// Open a socket on an adapter: `opened` or `refused`.
        case open(UInt16)
        /// Close the socket.
        case close
        /// Send a command: `receive`, or `broke` on failure.
        case send(HCICommand)
        /// Begin a step that may take seconds: `lifted`.
        case lift(Lift, UInt16)
    }

    /// A step that acts on an adapter as a whole.
    enum Lift: Hashable, Sendable {
        case up, down, reset, downUp, power, bus
    }

    enum Phase: Sendable {
        /// Waits for an adapter that can be opened, and searches for it at this time.
        case searching(until: Timestamp)
        case lifting(Lift, byLadder: Bool)
        case settingUp(ScanSetup, until: Timestamp, byLadder: Bool)
        /// An adapter is open, and is set up at this time.
        case pausing(until: Timestamp, ScanSetup.Depth, takesBack: Bool)
        case scanning
    }

    /// The interval between searches for an adapter that is missing or can't be opened.
    static let retry: Duration = .seconds(2)
    /// The time for which an adapter that another program took down is left alone: that program may
    /// need it.
    static let courtesy: Duration = .seconds(2)
    /// The time given to other programs to finish their changes to the scan, before it is resumed.
    static let settling: Duration = .milliseconds(150)
    /// The time limit for a command: controllers answer ours within milliseconds. The kernel waits for
    /// 2 s (HCI_CMD_TIMEOUT), and sends nothing else meanwhile; the reset that follows doesn't wait for that.
    static let commandLimit: Duration = .milliseconds(1200)
    /// The time after which the bus of a missing adapter is power-cycled.
    static let missingLimit: Duration = .seconds(10)

    let settings: ScanSettings
    var chooser: AdapterChooser
    var phase: Phase
    var effects: [Effect] = [.survey]
    var journal = RadioJournal()
    var listening: Listening
    var watch: SilenceWatch
    var ladder = RecoveryLadder()
    var resumptions = Resumptions()
    /// The adapter that is open, or was last.
    var adapter: Adapter?
    var isOpen = false
    var features: ControllerFeatures?
    /// The depth of set-up made necessary by another program during a set-up.
    var interference: ScanSetup.Depth?
    var missingSince: Timestamp?

    init(
        _ choice: AdapterChoice, _ settings: ScanSettings, remembering address: DeviceAddress? = nil, at now: Timestamp
    ) {
        self.settings = settings
        chooser = AdapterChooser(choice, remembering: address)
        phase = .searching(until: now.advanced(by: Self.retry))
        listening = Listening(from: now)
        watch = SilenceWatch(at: now)
    }

    var name: String { adapter?.name ?? "" }

    /// The current state and counts.
    var report: RadioReport {
        var report = RadioReport()
        switch phase {
        case .scanning: report.state = ladder.isClimbing && !ladder.isResting ? .recovering : .scanning
        case .searching, .lifting: report.state = ladder.isClimbing ? .recovering : .waiting
        case .settingUp, .pausing: report.state = ladder.isClimbing ? .recovering : .starting
        }
        report.problem = journal.problem
        report.adapter = adapter?.name
        report.address = adapter?.address
        report.features = features?.names ?? []
        (report.tried, report.helped) = (ladder.tried, ladder.helped)
        report.takenBack = resumptions.takenBack
        return report
    }

    /// The latest time for the next call of `advance`.
    var nextDeadline: Timestamp? {
        switch phase {
        case .searching(let until): until
        case .pausing(let until, _, _): min(until, ladder.nextDeadline ?? until)
        case .settingUp(_, let until, _): until
        case .lifting: nil
        case .scanning: min(watch.nextDeadline, ladder.nextDeadline ?? watch.nextDeadline)
        }
    }

    /// Carries out the steps that are due at `now`.
    mutating func advance(to now: Timestamp) {
        switch phase {
        case .lifting: return
        case .settingUp(_, let until, let byLadder):
            guard until <= now else { return }
            setUpFailed(.silent, .silent(name), byLadder: byLadder, at: now)
        case .searching(let until):
            // The ladder continues once the adapter is known to be present and free.
            guard until <= now else { return }
            phase = .searching(until: now.advanced(by: Self.retry))
            return effects.append(.survey)
        case .pausing(let until, let depth, let takesBack):
            if until <= now { resumeScan(depth, takesBack, at: now) }
        case .scanning: checkSilence(at: now)
        }
        climbLadder(at: now)
    }

    /// Acts on the silence until now.
    private mutating func checkSilence(at now: Timestamp) {
        switch watch.verdict(at: now) {
        case .mute where !ladder.isClimbing:
            let fault = RadioFault.mute(name)
            listening.stop(at: watch.lastHeard)
            recordFault(fault, at: now)
            ladder.begin(.mute, at: now)
        case .quiet where !ladder.isClimbing || ladder.isResting:
            log(.info, "quiet", "nothing was heard for a minute; scan off and on, once a minute")
            setUp(.enable, byLadder: false, at: now)
        case .mute, .quiet, nil: break
        }
    }

    /// Records a notice.
    mutating func log(_ level: RadioNotice.Level, _ subject: String, _ text: String) {
        journal.notices.append(level, subject, text)
    }

    /// Records a fault once, until it is a different one.
    mutating func recordFault(_ fault: RadioFault, at now: Timestamp) {
        journal.recordFault(fault, since: listening.deafSince ?? now, at: now)
    }
}
