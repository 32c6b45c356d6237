public import Bytes

/// Evaluates a silence by the reports before it: the controller is deaf, or the place is quiet.
///
/// It learns the advertising intervals of the first 256 beacons at a time. *Mute* is a total silence of more than twice
/// the longest gap of 20 or more of those beacons, all of them received within the last 3 s before it. Everything else
/// is *quiet*: nothing since the start, or few beacons that stopped one by one.
public struct SilenceWatch: Sendable {
    /// The cause of a silence.
    public enum Verdict: Hashable, Sendable {
        /// The controller is deaf.
        case mute
        /// There is probably nothing to receive. Logged once a minute.
        case quiet
    }

    private struct Beacon {
        var last: Timestamp
        /// The longest gap, which decays by an eighth with each shorter one.
        var longest = Duration.zero
        var gaps = 0
    }

    /// The most beacons that are learned at once; a verdict needs no more.
    public static let capacity = 256
    /// The number of gaps after which a beacon is learned.
    static let leastGaps = 4
    /// The number of beacons that must have fallen silent together.
    static let crowd = 20
    /// The time within which they must have fallen silent.
    static let together: Duration = .seconds(3)
    /// The shortest silence that is evaluated.
    static let least: Duration = .milliseconds(500)
    /// The interval between evaluations of a silence.
    static let step: Duration = .milliseconds(250)
    /// The length of a quiet time before it is logged, and the interval between such logs.
    static let quiet: Duration = .seconds(60)
    /// The silence after which a beacon makes room for another.
    static let memory: Duration = .seconds(60)
    /// The time within which reports belong to one advertising event on several channels and are no
    /// gap.
    static let sameEvent: Duration = .milliseconds(15)

    private var beacons: [UInt64: Beacon] = [:]
    private var last: Timestamp
    private var lastQuiet: Timestamp
    private var nextLook: Timestamp
    private var lastSweep: Timestamp

    /// A watch that begins now and knows no beacon.
    public init(at now: Timestamp) {
        (last, lastQuiet, lastSweep) = (now, now, now)
        nextLook = now.advanced(by: Self.least)
        beacons.reserveCapacity(Self.capacity)
    }

    /// The time of the latest report.
    public var lastHeard: Timestamp { last }
    /// The number of beacons that are learned.
    public var learned: Int { beacons.values.count { $0.gaps >= Self.leastGaps } }
    /// The latest time for the next call of `verdict`.
    public var nextDeadline: Timestamp { max(nextLook, last.advanced(by: Self.least)) }

    /// Receives a report of a beacon, identified by any distinct number.
    public mutating func receive(_ beacon: UInt64, at now: Timestamp) {
        last = max(last, now)
        guard let index = beacons.index(forKey: beacon) else {
            if beacons.count >= Self.capacity { removeExpired(now) }
            if beacons.count < Self.capacity { beacons[beacon] = Beacon(last: now) }
            return
        }
        let gap = now.duration(since: beacons.values[index].last)
        guard gap >= Self.sameEvent else { return }
        beacons.values[index].last = now
        let faded = beacons.values[index].longest - (beacons.values[index].longest - gap) / 8
        beacons.values[index].longest = max(gap, faded)
        beacons.values[index].gaps += 1
    }

    /// Begins anew after a time without reception: no gap is learned from it.
    public mutating func resume(at now: Timestamp) {
        let pause = now.duration(since: last)
        guard pause > .zero else { return }
        for index in beacons.values.indices {
            beacons.values[index].last = beacons.values[index].last.advanced(by: pause)
        }
        (last, lastQuiet) = (now, now)
        nextLook = now.advanced(by: Self.least)
    }

    /// The cause of the silence until now; nil if there is no silence, or one without meaning.
    public mutating func verdict(at now: Timestamp) -> Verdict? {
        guard now >= nextDeadline else { return nil }
        nextLook = now.advanced(by: Self.step)
        if missedCount(at: now) >= Self.crowd { return .mute }
        guard now.duration(since: max(last, lastQuiet)) >= Self.quiet else { return nil }
        lastQuiet = now
        return .quiet
    }

    /// The number of learned beacons that sent shortly before the silence and were never silent for half of its length.
    private func missedCount(at now: Timestamp) -> Int {
        let silence = now.duration(since: last)
        return beacons.values.count { beacon in
            beacon.gaps >= Self.leastGaps && last.duration(since: beacon.last) <= Self.together
                && silence > beacon.longest * 2 + Self.least
        }
    }

    private mutating func removeExpired(_ now: Timestamp) {
        // Limits the rate: a crowd of unknown beacons must not cause a search with each report.
        guard now.duration(since: lastSweep) >= Self.memory / 6 else { return }
        lastSweep = now
        for (beacon, state) in beacons where now.duration(since: state.last) > Self.memory {
            beacons[beacon] = nil
        }
    }
}
