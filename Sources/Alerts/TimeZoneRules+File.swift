internal import Bytes

extension TimeZoneRules {
    /// The years of which the changes are kept. A file's own begin in the 19th century, and its rule has no end.
    private static let years = 1970...2100

    /// The rules in a zone's file (TZif, RFC 9636). Nil for other bytes, for damaged ones, and for a file that counts leap
    /// seconds, as those of `right/` do: Unix time doesn't.
    ///
    /// The C library reads such files too, but has one zone a process, which it takes from the environment: it can't be
    /// asked for a second zone while other threads run.
    public init?(file bytes: [UInt8]) {
        let bytes = bytes.span
        // The first block is for readers of four bytes a time; a file that has only this one is read by it.
        guard let older = Block(bytes, at: 0, timeSize: 4) else { return nil }
        guard older.version != 0 else {
            self.init(offset: older.offset, every: older.changes)
            return
        }
        guard let block = Block(bytes, at: older.end, timeSize: 8) else { return nil }
        var changes = block.changes
        let text = bytes.extracting(block.end..<bytes.count)
        guard text.byte(at: 0) == 0x0A, text.byte(at: text.count - 1) == 0x0A, text.count > 1 else { return nil }
        // Without a rule, the offset of the last change holds.
        if text.count > 2 {
            let rule = ClockRule(String(decoding: Array(copying: text.extracting(1..<text.count - 1)), as: UTF8.self))
            guard let rule else { return nil }
            let last = changes.last?.second ?? .min
            changes += Self.years.flatMap { rule.changes(in: $0) }.filter { $0.second > last }
        }
        self.init(offset: block.offset, every: changes)
    }

    /// Rules of the changes from 1970 on, without those that change nothing.
    private init(offset: Int, every changes: [Change]) {
        var (first, kept) = (offset, [Change]())
        for change in changes {
            guard change.second > 0 else {
                first = change.offset
                continue
            }
            // Of two changes at one moment the later one counts: an end and the next beginning of summer time.
            if kept.last?.second == change.second { kept.removeLast() }
            if change.offset != kept.last?.offset ?? first { kept.append(change) }
        }
        self.init(offset: first, changes: kept)
    }
}

/// A header and the data after it (RFC 9636, sections 3.1 and 3.2).
private struct Block {
    /// Zero where this is the only block.
    let version: UInt8
    /// Seconds east of UTC before the first change.
    let offset: Int
    let changes: [TimeZoneRules.Change]
    /// The place of the byte after it.
    let end: Int

    private static let headerSize = 44
    /// The offsets that the specification allows.
    private static let offsets = -89_999...93_599

    init?(_ bytes: Span<UInt8>, at start: Int, timeSize: Int) {
        guard bytes.hasBytes(Array("TZif".utf8), at: start), let version = bytes.byte(at: start + 4) else { return nil }
        let counts = (0..<6).compactMap { bytes.bigEndian(UInt32.self, at: start + 20 + 4 * $0).map(Int.init) }
        guard counts.count == 6 else { return nil }
        let (indicators, leapSeconds, times, types, letters) = (
            counts[0] + counts[1], counts[2], counts[3], counts[4], counts[5]
        )
        let timesStart = start + Self.headerSize
        let typesStart = timesStart + times * (timeSize + 1)
        let end = typesStart + types * 6 + letters + indicators
        guard leapSeconds == 0, types > 0, end <= bytes.count else { return nil }

        var offsets: [Int] = []
        for type in 0..<types {
            let offset = bytes.bigEndian(UInt32.self, at: typesStart + 6 * type).map { Int(Int32(bitPattern: $0)) }
            guard let offset, Self.offsets.contains(offset) else { return nil }
            offsets.append(offset)
        }
        var changes: [TimeZoneRules.Change] = []
        for index in 0..<times {
            let place = timesStart + index * timeSize
            let second =
                timeSize == 4
                ? bytes.bigEndian(UInt32.self, at: place).map { Int64(Int32(bitPattern: $0)) }
                : bytes.bigEndian(UInt64.self, at: place).map { Int64(bitPattern: $0) }
            guard let second, let type = bytes.byte(at: timesStart + times * timeSize + index), Int(type) < types,
                second > changes.last?.second ?? .min
            else { return nil }
            changes.append(.init(at: second, to: offsets[Int(type)]))
        }
        self.version = version
        self.offset = offsets[0]
        self.changes = changes
        self.end = end
    }
}
