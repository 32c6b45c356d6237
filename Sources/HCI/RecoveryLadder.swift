public import Bytes

/// What is tried one after another to make a controller hear again, gentle things first.
///
/// After each rung there is a time in which it may prove itself; a rung that fails, or that can't be tried here, makes
/// room for the next at once. When the last hasn't helped it rests, longer each time, and begins anew.
public struct RecoveryLadder: Hashable, Sendable {
    /// A thing to try.
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

        /// A word for it, as it stands in `info`.
        public var name: String { self == .downUp ? "down_up" : "\(self)" }

        /// How long it may take until beacons are heard again, in microseconds.
        var patience: Int64 { self < .downUp ? 2_000_000 : 4_000_000 }

        /// Whether `left` is the gentler one.
        public static func < (left: Rung, right: Rung) -> Bool { left.rawValue < right.rawValue }
    }

    /// Why it is climbed.
    public enum Cause: Hashable, Sendable {
        /// Beacons fell silent together: only hearing them proves anything.
        case mute
        /// A command was refused: a scan that runs proves enough.
        case refused
        /// A command or the adapter didn't answer: gentler rungs than a reset would not get an answer either.
        case silent
        /// The adapter is gone: only its bus is left.
        case gone

        var firstRung: Rung {
            switch self {
            case .mute: .reenable
            case .refused: .parameters
            case .silent: .reset
            case .gone: .bus
            }
        }
    }

    /// How a rung that was tried went.
    public enum Outcome: Hashable, Sendable {
        /// It did what it does; whether that helps is still to be seen.
        case done
        /// It failed.
        case failed
        /// It can't be done here, or not with this process's rights.
        case impossible
    }

    private enum State: Hashable {
        case idle
        /// The rung is to be tried at a time.
        case waiting(Rung, until: Timestamp)
        case trying(Rung)
        case resting(until: Timestamp)
    }

    /// The first rest, in microseconds.
    static let firstRest: Int64 = 15_000_000
    /// The longest.
    static let longestRest: Int64 = 900_000_000
    /// How long it must have gone well for the next fault to begin with the first rest again.
    static let calm: Int64 = 120_000_000

    /// How often each rung was tried; since the start.
    public private(set) var tried: [Rung: Int] = [:]
    /// After which rung it went well again, and how often.
    public private(set) var helped: [Rung: Int] = [:]
    /// Rungs that can't be tried here.
    public private(set) var impossible: Set<Rung> = []
    /// Why it is climbed; nil while all is well.
    public private(set) var cause: Cause?
    private var state = State.idle
    private var last: Rung?
    private var rests = 0
    private var begun = Timestamp(microseconds: 0)
    private var lastRecovery: Timestamp?

    /// A ladder that nobody stands on.
    public init() {}

    /// Whether something is wrong.
    public var isClimbing: Bool { cause != nil }

    /// Whether everything was tried and it rests.
    public var isResting: Bool { if case .resting = state { true } else { false } }

    /// When `next` has something to give; nil while nothing is wrong or a rung is being tried.
    public var nextDeadline: Timestamp? {
        switch state {
        case .idle, .trying: nil
        case .waiting(_, let until), .resting(let until): until
        }
    }

    /// Something went wrong. While it is climbed already only a worse cause counts.
    public mutating func begin(_ cause: Cause, at now: Timestamp) {
        if let present = self.cause {
            if cause.firstRung > present.firstRung { self.cause = cause }
            // Whatever was being waited for has not helped.
            if case .waiting(let rung, let until) = state, cause != .mute {
                state = .waiting(max(rung, cause.firstRung), until: min(until, now))
            }
            return
        }
        if let lastRecovery, now.microseconds(since: lastRecovery) > Self.calm { rests = 0 }
        self.cause = cause
        (begun, last) = (now, nil)
        state = .waiting(cause.firstRung, until: now)
    }

    /// The rung to try now, if its time has come. Its outcome is to be told.
    public mutating func next(at now: Timestamp) -> Rung? {
        switch state {
        case .idle, .trying: return nil
        case .waiting(let rung, let until):
            return until <= now ? take(rung) : nil
        case .resting(let until):
            return until <= now ? take(cause?.firstRung ?? .reenable) : nil
        }
    }

    /// How the rung that `next` gave went.
    public mutating func tell(_ outcome: Outcome, at now: Timestamp) {
        guard case .trying(let rung) = state else { return }
        switch outcome {
        case .done:
            last = rung
            climb(from: rung, at: now.advanced(byMicroseconds: rung.patience))
        case .failed: climb(from: rung, at: now)
        case .impossible:
            impossible.insert(rung)
            tried[rung, default: 1] -= 1
            climb(from: rung, at: now)
        }
    }

    /// It hears again. Gives the rung that helped, if one did, and how many microseconds that took.
    public mutating func recover(at now: Timestamp) -> (rung: Rung?, after: Int64)? {
        guard cause != nil else { return nil }
        if let last { helped[last, default: 0] += 1 }
        cause = nil
        state = .idle
        lastRecovery = now
        return (last, now.microseconds(since: begun))
    }

    /// Whatever it was climbed for is no more.
    public mutating func cancel() {
        cause = nil
        state = .idle
    }

    private mutating func take(_ rung: Rung) -> Rung {
        tried[rung, default: 0] += 1
        state = .trying(rung)
        return rung
    }

    private mutating func climb(from rung: Rung, at moment: Timestamp) {
        // A cause that became worse meanwhile skips what can't help.
        let first = cause?.firstRung ?? .reenable
        if let above = Rung(rawValue: rung.rawValue + 1) {
            state = .waiting(max(above, first), until: moment)
        } else {
            let rest = min(Self.firstRest << Int64(min(rests, 10)), Self.longestRest)
            rests += 1
            state = .resting(until: moment.advanced(byMicroseconds: rest))
        }
    }
}
