public import Bytes

/// The steps by which a controller is made to receive again, the gentlest first.
///
/// Each rung has a time in which it may take effect. A rung that fails, or that can't be tried here, gives way to the
/// next at once. After the last one has failed the ladder rests, longer each time, and begins anew.
public struct RecoveryLadder: Hashable, Sendable {
    /// A step of recovery.
    public enum Rung: Int, CaseIterable, Sendable, Comparable {
        /// Scan off and on.
        case reenable
        /// The scan's parameters set anew.
        case parameters
        /// HCI_Reset, and everything set anew.
        case reset
        /// The adapter down and up.
        case downUp
        /// The adapter's power off and on, by the management interface.
        case power
        /// Its USB device off and on, else its rfkill switch.
        case bus

        /// The rung's name in `info`.
        public var name: String { self == .downUp ? "down_up" : "\(self)" }

        /// The time limit until beacons are received again. A crowd of which 20 were received within 3
        /// s isn't silent for a tenth of that.
        var patience: Duration {
            switch self {
            case .reenable, .parameters: .milliseconds(700)
            case .reset: .seconds(1)
            case .downUp, .power, .bus: .seconds(4)
            }
        }

        /// True if `left` is the gentler one.
        public static func < (left: Rung, right: Rung) -> Bool { left.rawValue < right.rawValue }
    }

    /// The reason for a climb.
    public enum Cause: Hashable, Sendable {
        /// Beacons fell silent together: only their reception proves a recovery.
        case mute
        /// A command was rejected: a running scan is sufficient proof.
        case refused
        /// A command or the adapter didn't answer: rungs gentler than a reset would get no answer either.
        case silent
        /// The adapter can't be taken up: there is no scan to act on.
        case stuck
        /// The adapter is gone: only its bus can be acted on.
        case gone

        var firstRung: Rung {
            switch self {
            case .mute: .reenable
            case .refused: .parameters
            case .silent: .reset
            case .stuck: .downUp
            case .gone: .bus
            }
        }
    }

    /// The outcome of a rung.
    public enum Outcome: Hashable, Sendable {
        /// The step was carried out; its effect is still unknown.
        case done
        /// It failed.
        case failed
        /// It can't be done here, or not with this process's rights.
        case impossible
    }

    private enum State: Hashable {
        case idle
        /// The rung is to be tried at this time.
        case waiting(Rung, until: Timestamp)
        case trying(Rung)
        case resting(until: Timestamp)
    }

    /// The first rest.
    static let firstRest: Duration = .seconds(15)
    /// The longest rest.
    static let longestRest: Duration = .minutes(15)
    /// The time without a fault after which the next one begins with the first rest again.
    static let calm: Duration = .minutes(2)

    /// The number of times that each rung was tried since the start.
    public private(set) var tried: [Rung: Int] = [:]
    /// The number of recoveries after each rung.
    public private(set) var helped: [Rung: Int] = [:]
    /// Rungs that can't be tried here.
    public private(set) var impossible: Set<Rung> = []
    /// The reason for the climb; nil if there is no fault.
    public private(set) var cause: Cause?
    private var state = State.idle
    private var last: Rung?
    private var rests = 0
    private var begun = Timestamp(microseconds: 0)
    private var lastRecovery: Timestamp?

    /// A ladder without a fault.
    public init() {}

    /// True if there is a fault.
    public var isClimbing: Bool { cause != nil }

    /// True if every rung was tried and the ladder rests.
    public var isResting: Bool { if case .resting = state { true } else { false } }

    /// The time at which `next` returns a rung; nil without a fault or while a rung is being tried.
    public var nextDeadline: Timestamp? {
        switch state {
        case .idle, .trying: nil
        case .waiting(_, let until), .resting(let until): until
        }
    }

    /// The rung that `next` returns at that time; nil without a fault or while a rung is being tried.
    public var upcoming: Rung? {
        switch state {
        case .idle, .trying: nil
        case .waiting(let rung, _): rung
        case .resting: cause?.firstRung
        }
    }

    /// A fault was found. During a climb only a worse cause has an effect.
    public mutating func begin(_ cause: Cause, at now: Timestamp) {
        if let present = self.cause {
            if cause.firstRung > present.firstRung { self.cause = cause }
            // The step being waited for has not helped.
            if case .waiting(let rung, let until) = state, cause != .mute {
                state = .waiting(max(rung, cause.firstRung), until: min(until, now))
            }
            return
        }
        if let lastRecovery, now.duration(since: lastRecovery) > Self.calm { rests = 0 }
        self.cause = cause
        (begun, last) = (now, nil)
        state = .waiting(cause.firstRung, until: now)
    }

    /// The rung to try now, if its time has come. Report its outcome by `receive`.
    public mutating func nextRung(at now: Timestamp) -> Rung? {
        switch state {
        case .idle, .trying: return nil
        case .waiting(let rung, let until):
            return until <= now ? tryRung(rung) : nil
        case .resting(let until):
            return until <= now ? tryRung(cause?.firstRung ?? .reenable) : nil
        }
    }

    /// Receives the outcome of the rung that `next` returned.
    public mutating func receive(_ outcome: Outcome, at now: Timestamp) {
        guard case .trying(let rung) = state else { return }
        switch outcome {
        case .done:
            last = rung
            advanceRung(from: rung, at: now.advanced(by: rung.patience))
        case .failed: advanceRung(from: rung, at: now)
        case .impossible:
            impossible.insert(rung)
            tried[rung, default: 1] -= 1
            advanceRung(from: rung, at: now)
        }
    }

    /// Reception has resumed. Returns the rung that helped, if one did, and the time that it took.
    public mutating func recordRecovery(at now: Timestamp) -> (rung: Rung?, after: Duration)? {
        guard cause != nil else { return nil }
        if let last { helped[last, default: 0] += 1 }
        cause = nil
        state = .idle
        lastRecovery = now
        return (last, now.duration(since: begun))
    }

    /// The reason for the climb no longer exists.
    public mutating func cancelClimb() {
        cause = nil
        state = .idle
    }

    private mutating func tryRung(_ rung: Rung) -> Rung {
        tried[rung, default: 0] += 1
        state = .trying(rung)
        return rung
    }

    private mutating func advanceRung(from rung: Rung, at moment: Timestamp) {
        // A cause that became worse meanwhile skips the rungs that can't help.
        let first = cause?.firstRung ?? .reenable
        if let above = Rung(rawValue: rung.rawValue + 1) {
            state = .waiting(max(above, first), until: moment)
        } else {
            let rest = min(Self.firstRest * (1 << min(rests, 10)), Self.longestRest)
            rests += 1
            state = .resting(until: moment.advanced(by: rest))
        }
    }
}
