internal import Bytes

extension ExitRule {
    /// The stored form of a rule over a restart: all of its state, so that a restart changes nothing.
    public struct Record: Hashable, Sendable {
        /// Its interval in milliseconds; 0 if it isn't known.
        public var interval: Int32 = 0
        /// Another interval that was detected once, in milliseconds; 0 for none.
        public var candidate: Int32 = 0
        /// The interval of its slowest mode, in milliseconds; 0 for none.
        public var slow: Int32 = 0
        /// Its longest fade in milliseconds; 0 for none.
        public var fade: Int32 = 0
        /// The time of the last such fade.
        public var fadeSeen = ListeningTime.zero
        /// The shortest of a run of gaps that were longer than the exit time, in milliseconds; 0 for none.
        public var pending: Int32 = 0
        /// The number of gaps in that run.
        public var run: Int32 = 0
        /// The latest of a row of similar absences, in milliseconds; 0 for none.
        public var absence: Int32 = 0
        /// The length of that row.
        public var absences: Int32 = 0
        /// The number of known gaps.
        public var gaps: Int32 = 0
        /// Packets that arrived …
        public var received: Int32 = 0
        /// … of so many that were sent.
        public var sent: Int32 = 0
        /// The last gaps in milliseconds, the oldest first; at most 16.
        public var recent: [Int32] = []
        /// The mean level of the last seconds in dBm.
        public var fastLevel: Float = 0
        /// The mean level of a quarter of a minute in dBm.
        public var slowLevel: Float = 0
        /// The number of levels in these means, up to 4.
        public var levels: UInt8 = 0

        /// A record of an empty rule.
        public init() {}
    }

    /// The record of this rule.
    public var record: Record {
        var record = Record()
        (record.interval, record.candidate, record.slow, record.fade) = (interval, candidate, slow, fades.longest)
        (record.fadeSeen, record.pending, record.run) = (fades.seen, run.shortest, run.count)
        (record.absence, record.absences) = (absences.latest, absences.count)
        (record.gaps, record.received, record.sent) = (gaps, loss.received, loss.sent)
        record.recent = ring.recent
        (record.fastLevel, record.slowLevel, record.levels) = (level.fast, level.slow, level.count)
        return record
    }

    /// A rule restored from its record. Invalid values are clamped to the nearest valid one.
    public init(_ record: Record, expectedInterval: Duration? = nil) {
        self.init(expectedInterval: expectedInterval)
        let longest = Int32(Self.longestOfAll.milliseconds)
        func clamp(_ value: Int32, _ range: ClosedRange<Int32>) -> Int32 {
            min(max(value, range.lowerBound), range.upperBound)
        }
        interval = clamp(record.interval, 0...longest)
        candidate = clamp(record.candidate, 0...longest)
        slow = clamp(record.slow, 0...longest)
        fades.longest = clamp(record.fade, 0...Self.longestFade)
        fades.seen = max(.zero, record.fadeSeen)
        run.shortest = clamp(record.pending, 0...longest)
        run.count = clamp(record.run, 0...1000)
        absences.latest = clamp(record.absence, 0...longest)
        absences.count = clamp(record.absences, 0...Self.habit)
        gaps = clamp(record.gaps, 0...(.max))
        loss.received = clamp(record.received, 0...Self.lossMemory)
        loss.sent = clamp(record.sent, loss.received...(Self.lossMemory * 16))
        for gap in record.recent.suffix(GapRing.memory) { ring.append(clamp(gap, 0...longest)) }
        level = LevelTrend(fast: record.fastLevel, slow: record.slowLevel, count: record.levels)
        updateExitTime()
    }
}

extension ExitRule.Record {
    /// The version of the form; another one is not read.
    private static let version: UInt8 = 2

    /// Its values in a row of bytes, for a column of a store.
    public var bytes: [UInt8] {
        var row = RowWriter()
        row.append(Self.version)
        for value in [interval, candidate, slow, fade, pending, run, absence, absences, gaps, received, sent] {
            row.append(value)
        }
        row.append(fadeSeen.microseconds)
        row.append(fastLevel.bitPattern)
        row.append(slowLevel.bitPattern)
        row.append(levels)
        for gap in recent.suffix(GapRing.memory) { row.append(gap) }
        return row.bytes
    }

    /// Reads such a row; nil if it is none.
    public init?(bytes: Span<UInt8>) {
        let fixed = 1 + 11 * 4 + 8 + 2 * 4 + 1
        guard bytes.count >= fixed, bytes.count <= fixed + 4 * GapRing.memory, (bytes.count - fixed) % 4 == 0,
            bytes[0] == Self.version
        else { return nil }
        var row = RowReader()
        func next<Value: FixedWidthInteger>(_ type: Value.Type) -> Value { row.next(type, bytes) ?? 0 }
        _ = next(UInt8.self)
        self.init()
        (interval, candidate, slow) = (next(Int32.self), next(Int32.self), next(Int32.self))
        (fade, pending, run) = (next(Int32.self), next(Int32.self), next(Int32.self))
        (absence, absences) = (next(Int32.self), next(Int32.self))
        (gaps, received, sent) = (next(Int32.self), next(Int32.self), next(Int32.self))
        fadeSeen = ListeningTime(microseconds: next(Int64.self))
        fastLevel = Float(bitPattern: next(UInt32.self))
        slowLevel = Float(bitPattern: next(UInt32.self))
        levels = next(UInt8.self)
        while row.offset < bytes.count { recent.append(next(Int32.self)) }
    }
}
