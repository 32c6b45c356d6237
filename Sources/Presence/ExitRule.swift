internal import Bytes

/// The duration of silence after which a beacon is gone, learned from its gaps.
///
/// Five times the 95th percentile of its gaps, at least 10 s and at most 180 s. The percentile is computed from two
/// figures that are learned separately, its interval and its share of lost packets, since either is known long before
/// the tail of the gaps is. At least every second packet is assumed to be lost: a body may step in between at any
/// moment.
///
/// Silence that ends with a return at a similar level, a *fade*, is distinguished from a slow mode by the gaps that
/// follow. After a fade the wait is half as long again as the longest fade; in a slow mode it is five percentiles of
/// that mode. The absence of a person who leaves for a minute or two and returns to the same place resembles a long
/// fade. The difference is the frequency: a fade of more than 30 s counts if it is the third of its kind, each within
/// six hours of the one before. Until the next gap has decided between the two, it is treated as a slow mode. A slow
/// mode is retained after its first occurrence. A silence that began while the level fell, or that lasted longer than
/// 15 minutes, is an absence and teaches nothing. Three similar ones in a row, however, are the beacon's cadence,
/// regardless of its level.
///
/// If five times the percentile is more than 180 s, it is used nevertheless, up to 15 minutes, and ``isTooSlow`` is
/// true.
public struct ExitRule: Sendable {
    /// The shortest exit time.
    public static let shortest: Duration = .seconds(10)
    /// The longest exit time of a beacon that sends often enough.
    public static let longest: Duration = .seconds(180)
    /// The longest of all; a longer silence is an absence.
    public static let longestOfAll: Duration = .seconds(900)
    /// The exit time of an unknown beacon.
    public static let unlearned: Duration = .seconds(30)
    /// The number of gaps before the learned values are in force.
    public static let leastGaps = 20
    /// The multiple of the percentile.
    static let factor = 5
    /// Gaps that count for the share of lost packets; older ones decay by halves.
    static let lossMemory: Int32 = 2048
    /// The number of gaps up to which the share of lost packets is bounded to three in ten.
    static let lossCertainty: Int32 = 400
    /// The assumed share of lost packets before any gap: 40 of 57 arrive, three in ten are lost.
    static let prior: (received: Int32, sent: Int32) = (40, 57)
    /// The microseconds after which a fade without a repetition counts half: compared for each packet.
    static let fadeMemory = Duration.days(7).microseconds
    /// Consecutive absences of similar length that count as the beacon's cadence.
    static let habit: Int32 = 3
    /// The longest silence beyond the exit time that is learned as a fade from one alone, in milliseconds …
    static let singleFade: Int32 = 30_000
    /// … and longer ones from so many similar ones, each of which …
    static let alikeFades: Int32 = 3
    /// … follows the one before within this listening time.
    static let fadeSpacing: Duration = .hours(6)
    /// The longest silence that is learned as a fade, in milliseconds.
    static let longestFade = Int32((longest * 2 / 3).milliseconds)

    /// The exit time in force.
    public var exitAfter: Duration { .microseconds(exitMicroseconds) }
    /// The same, as an integer: compared for each packet, and stored for each beacon.
    private(set) var exitMicroseconds: Int64
    /// A Boolean value that is true if the beacon sends so seldom that five times the percentile of its gaps is more
    /// than 180 s.
    public private(set) var isTooSlow = false

    let expected: Duration?
    var ring = GapRing()
    var gaps: Int32 = 0
    /// Its present interval, in milliseconds; 0 before 8 gaps.
    var interval: Int32 = 0
    /// An interval that was detected once and isn't confirmed yet.
    var candidate: Int32 = 0
    var loss = Loss()
    /// The interval of the slowest mode that has ended, in milliseconds.
    var slow: Int32 = 0
    var fades = Fades()
    private var possibleFades = FadeRow()
    var run = GapRun()
    var absences = AbsenceRow()
    var level = LevelTrend()

    /// A rule for a beacon without reports, which advertises at `expectedInterval` if that is known.
    public init(expectedInterval: Duration? = nil) {
        expected = expectedInterval
        exitMicroseconds = Self.unlearned.microseconds
        updateExitTime()
    }

    /// Records a packet.
    ///
    /// - Parameters:
    ///   - gap: Microseconds since the packet before; nil if a part of that time wasn't listened to.
    ///   - rssi: Its level in dBm.
    ///   - listened: The listening time at its arrival.
    public mutating func recordPacket(after gap: Int64?, rssi: Int8?, listened: ListeningTime) {
        guard let gap, !GapRing.isSameEvent(gap) else {
            if gap == nil { level.add(rssi, after: 0) }
            return
        }
        let (milliseconds, seconds) = (Int32(clamping: gap / 1000), Float(gap) / 1e6)
        if gap > exitMicroseconds / 2 {
            let isAbsence = .microseconds(gap) > Self.longestOfAll || level.isReceding || !level.isSimilar(rssi)
            if isAbsence {
                level = LevelTrend()
                level.add(rssi, after: seconds)
                if absences.isHabit(.microseconds(gap)) { learnGap(milliseconds, listened) }
                return
            }
        }
        absences.count = 0
        level.add(rssi, after: seconds)
        learnGap(milliseconds, listened)
    }

    private mutating func learnGap(_ gap: Int32, _ listened: ListeningTime) {
        let before = (gaps, interval, run.shortest, fades.longest, slow)
        updateRun(gap, listened)
        ring.append(gap)
        if gaps < .max { gaps += 1 }
        if gap <= Self.longestFade {
            if gap >= fades.longest / 2 { fades.seen = listened }
            if run.shortest == 0 {
                if Int64(gap) * 1000 <= exitMicroseconds {
                    fades.longest = max(fades.longest, gap)
                } else {
                    recordFade(gap, listened)
                }
            }
        }
        if listened.microseconds(since: fades.seen) > Self.fadeMemory {
            fades.longest /= 2
            fades.seen = listened
        }
        updateMode()
        guard interval > 0 else { return updateExitTime() }
        let unit = max(1, run.shortest > 0 ? run.shortest : slow / 2 > interval && gap > slow / 2 ? slow : interval)
        loss.receive(after: (gap + unit / 2) / unit)
        if gaps <= 64 || loss.received % 16 == 0 || before != (gaps, interval, run.shortest, fades.longest, slow) {
            updateExitTime()
        }
    }

    /// Records a silence beyond the exit time as a fade, if it is short or has occurred often enough.
    private mutating func recordFade(_ gap: Int32, _ listened: ListeningTime) {
        guard gap > max(Self.singleFade, fades.longest) else {
            fades.longest = max(fades.longest, gap)
            return
        }
        if let longest = possibleFades.receive(gap, listened) { fades.longest = max(fades.longest, longest) }
    }

    /// Distinguishes fades from a slow mode by the gaps after the first one longer than the exit time.
    private mutating func updateRun(_ gap: Int32, _ listened: ListeningTime) {
        if run.shortest > 0 {
            if gap >= run.shortest / 4 {
                run.shortest = min(run.shortest, gap)
                run.count += 1
            } else {
                if run.count > 1 {
                    slow = max(slow, run.shortest)
                } else if run.shortest <= Self.longestFade {
                    recordFade(run.shortest, listened)
                }
                run.shortest = 0
            }
        } else if gaps >= Self.leastGaps, gap <= Self.longestFade, Int64(gap) * 1000 > exitMicroseconds {
            run.shortest = gap
            run.count = 1
        }
    }

    /// Derives the interval from the ring. Another mode must be detected in two whole rings before it is confirmed,
    /// since one ring in three thousand of a weakly received beacon shows twice its interval.
    private mutating func updateMode() {
        let isEarly = gaps <= 32
        guard isEarly ? gaps >= 8 && gaps % 4 == 0 : gaps % 16 == 0 else { return }
        let seen = ring.interval
        if isEarly || Self.isAlike(seen, interval, 1.6) {
            interval = seen
            candidate = 0
        } else if Self.isAlike(seen, candidate, 1.33) {
            if interval / 3 >= seen { slow = max(slow, interval) }
            interval = seen
            candidate = 0
        } else {
            candidate = seen
        }
        if run.shortest > 0, interval >= run.shortest / 2 { run.shortest = 0 }
    }

    static func isAlike(_ left: Int32, _ right: Int32, _ ratio: Double) -> Bool {
        Double(left) <= Double(right) * ratio && Double(right) <= Double(left) * ratio
    }

    mutating func updateExitTime() {
        // Before that many gaps the ring alone decides: an estimate after one gap is better than none.
        let percentile = loss.percentile
        guard gaps >= Self.leastGaps else {
            let start = expected.map { $0 * Self.factor } ?? Self.unlearned
            let seen = Duration.milliseconds(ring.interval) * percentile * Self.factor
            exitMicroseconds = min(max(Self.shortest, start, seen), Self.longestOfAll).microseconds
            return
        }
        let usual = Duration.milliseconds(max(interval, slow)) * percentile * Self.factor
        isTooSlow = usual > Self.longest
        let faded = min(.microseconds(Int64(fades.longest) * 1500), Self.longest)
        var exit = min(max(Self.shortest, usual, faded), Self.longestOfAll)
        if run.shortest > 0 {
            let slow = Duration.milliseconds(run.shortest) * percentile * Self.factor
            exit = max(exit, min(slow, Self.longestOfAll))
        }
        exitMicroseconds = exit.microseconds
    }
}
