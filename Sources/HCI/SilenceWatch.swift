public import Bytes

/// Judges silence by what was heard before it: a controller that went deaf, or a quiet place.
///
/// It learns how often beacons speak, of the first 256 at a time. *Mute* is a total silence of more than
/// twice what 20 or more of those beacons ever kept, all of them heard within the last 3 s before it. Everything else is *quiet*:
/// nothing since the start, or few beacons that stopped one by one.
public struct SilenceWatch: Sendable {
    /// What a silence is taken for.
    public enum Verdict: Hashable, Sendable {
        /// The controller is deaf.
        case mute
        /// There is nothing to hear, as far as can be told. Said once a minute.
        case quiet
    }

    private struct Beacon {
        var last: Timestamp
        /// The longest gap in microseconds, which fades by an eighth with each shorter one.
        var longest: Int64 = 0
        var gaps = 0
    }

    /// The most beacons that are learned at once; further ones aren't needed for a verdict.
    public static let capacity = 256
    /// Gaps after which a beacon is learned.
    static let leastGaps = 4
    /// Beacons that must have fallen silent together.
    static let crowd = 20
    /// Within which time they must, in microseconds.
    static let together: Int64 = 3_000_000
    /// How long a silence is before it is looked at, and how often it is then.
    static let step: Int64 = 500_000
    /// How long it is quiet before that is said, and how often it is then.
    static let quiet: Int64 = 60_000_000
    /// A beacon that was silent for so long makes room for another.
    static let memory: Int64 = 60_000_000
    /// Two reports of one advertising event, on several channels, are no gap.
    static let sameEvent: Int64 = 15_000

    private var beacons: [UInt64: Beacon] = [:]
    private var last: Timestamp
    private var lastQuiet: Timestamp
    private var nextLook: Timestamp
    private var lastSweep: Timestamp

    /// A watch that begins now and knows no beacon.
    public init(at now: Timestamp) {
        (last, lastQuiet, lastSweep) = (now, now, now)
        nextLook = now.advanced(byMicroseconds: Self.step)
        beacons.reserveCapacity(Self.capacity)
    }

    /// The latest report.
    public var lastHeard: Timestamp { last }
    /// How many beacons are learned.
    public var learned: Int { beacons.values.count { $0.gaps >= Self.leastGaps } }
    /// When `judge` is to be called at the latest.
    public var nextDeadline: Timestamp { max(nextLook, last.advanced(byMicroseconds: Self.step)) }

    /// A report of a beacon, by any number that tells beacons apart.
    public mutating func hear(_ beacon: UInt64, at now: Timestamp) {
        last = max(last, now)
        guard let index = beacons.index(forKey: beacon) else {
            if beacons.count >= Self.capacity { sweep(now) }
            if beacons.count < Self.capacity { beacons[beacon] = Beacon(last: now) }
            return
        }
        let gap = now.microseconds(since: beacons.values[index].last)
        guard gap >= Self.sameEvent else { return }
        beacons.values[index].last = now
        let faded = beacons.values[index].longest - (beacons.values[index].longest - gap) / 8
        beacons.values[index].longest = max(gap, faded)
        beacons.values[index].gaps += 1
    }

    /// Begins anew after time in which nothing could be heard: no gap is learned from that.
    public mutating func resume(at now: Timestamp) {
        let pause = now.microseconds(since: last)
        guard pause > 0 else { return }
        for index in beacons.values.indices {
            beacons.values[index].last = beacons.values[index].last.advanced(byMicroseconds: pause)
        }
        (last, lastQuiet) = (now, now)
        nextLook = now.advanced(byMicroseconds: Self.step)
    }

    /// What the silence until now is; nil while there is none, or none that says anything.
    public mutating func judge(at now: Timestamp) -> Verdict? {
        guard now >= nextDeadline else { return nil }
        nextLook = now.advanced(byMicroseconds: Self.step)
        if missed(at: now) >= Self.crowd { return .mute }
        guard now.microseconds(since: max(last, lastQuiet)) >= Self.quiet else { return nil }
        lastQuiet = now
        return .quiet
    }

    /// Learned beacons that spoke shortly before the silence, and that have never been silent for half as long as it is.
    private func missed(at now: Timestamp) -> Int {
        let silence = now.microseconds(since: last)
        return beacons.values.count { beacon in
            beacon.gaps >= Self.leastGaps && last.microseconds(since: beacon.last) <= Self.together
                && silence > 2 * beacon.longest + Self.step
        }
    }

    private mutating func sweep(_ now: Timestamp) {
        // At most once in a while: a crowd of strangers must not make this a search for each report.
        guard now.microseconds(since: lastSweep) >= Self.memory / 6 else { return }
        lastSweep = now
        for (beacon, state) in beacons where now.microseconds(since: state.last) > Self.memory {
            beacons[beacon] = nil
        }
    }
}
