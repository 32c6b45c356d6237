internal import Bytes

/// The offset of a place's clocks from UTC at any moment, read from a file of the time zone database (TZif, RFC 8536).
///
/// A reader of our own is needed. localtime_r(3) has one zone a process, and setting `TZ` for another isn't safe while
/// other threads run; the toolchain's `TimeZone` belongs to Foundation, which the programs don't link. The format is
/// small, stable and described in full. Names of zones and leap seconds are ignored: a file made with leap seconds
/// ("right/…") counts other seconds than Unix time does, and is rejected.
public struct TimeZoneRules: Hashable, Sendable {
    /// Unix times from which an offset holds, in order.
    private var changes: [Int64] = []
    /// Seconds east of UTC from each of `changes` on.
    private var offsets: [Int32] = []
    /// Seconds east of UTC before the first change.
    private var first: Int32 = 0
    /// The rule after the last change; nil if the last offset continues.
    private var rule: PosixTimeZone?

    /// UTC.
    public static let utc = TimeZoneRules()

    private init() {}

    /// A zone with a single rule.
    public init(_ rule: PosixTimeZone) {
        self.rule = rule
        first = Int32(rule.standard)
    }

    /// Reads a TZif file of version 1 to 4; of version 2 and later its 64-bit data and its rule. Nil for anything else.
    public init?(tzif file: Span<UInt8>) {
        guard var header = TZifHeader(file, at: 0) else { return nil }
        if header.version >= 2 {
            guard let second = TZifHeader(file, at: header.end(timeSize: 4)) else { return nil }
            header = second
        }
        let size = header.version >= 2 ? 8 : 4
        guard header.leaps == 0, header.types > 0, header.end(timeSize: size) <= file.count else { return nil }
        let indices = header.data + header.times * size
        let types = indices + header.times
        func offset(ofType type: Int) -> Int32? {
            guard type < header.types, let bits = file.bigEndian(UInt32.self, at: types + type * 6) else { return nil }
            let offset = Int32(bitPattern: bits)
            // RFC 8536 section 3.2 requires at most 26 hours; two days leave room.
            return (-172_800...172_800).contains(offset) ? offset : nil
        }
        guard let first = offset(ofType: 0) else { return nil }
        self.first = first
        for index in 0..<header.times {
            guard let type = file.byte(at: indices + index), let offset = offset(ofType: Int(type)),
                let time = Self.time(file, header.data + index * size, size), changes.last.map({ $0 < time }) ?? true
            else { return nil }
            changes.append(time)
            offsets.append(offset)
        }
        guard size == 8 else { return }
        var end = header.end(timeSize: 8)
        guard file.byte(at: end) == 0x0A else { return nil }
        var text: [UInt8] = []
        end += 1
        while let byte = file.byte(at: end), byte != 0x0A {
            text.append(byte)
            end += 1
        }
        guard file.byte(at: end) == 0x0A else { return nil }
        if !text.isEmpty {
            guard let rule = PosixTimeZone(String(decoding: text, as: UTF8.self)) else { return nil }
            self.rule = rule
        }
    }

    private static func time(_ file: Span<UInt8>, _ offset: Int, _ size: Int) -> Int64? {
        if size == 8 { return file.bigEndian(UInt64.self, at: offset).map { Int64(bitPattern: $0) } }
        return file.bigEndian(UInt32.self, at: offset).map { Int64(Int32(bitPattern: $0)) }
    }

    /// Seconds east of UTC at a Unix time, which must be within a million years of 1970.
    public func offset(at second: Int64) -> Int {
        let count = changesUpTo(second)
        if count == changes.count, let rule { return rule.offset(at: second) }
        return Int(count == 0 ? first : offsets[count - 1])
    }

    /// The first Unix time after `second` at which the clocks may be changed; nil if they never are.
    public func nextChange(after second: Int64) -> Int64? {
        let count = changesUpTo(second)
        if count < changes.count { return changes[count] }
        return rule?.nextChange(after: second)
    }

    /// The number of changes at or before a moment.
    private func changesUpTo(_ second: Int64) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A header of a TZif file (RFC 8536 section 3.1), each count within its plausible bounds.
private struct TZifHeader {
    static let size = 44
    /// Far more than any zone has: 310 years of weekly changes.
    static let bound: UInt32 = 16_384

    var version: Int
    var utcFlags: Int
    var standardFlags: Int
    var leaps: Int
    var times: Int
    var types: Int
    var characters: Int
    /// The beginning of the data.
    var data: Int

    init?(_ file: Span<UInt8>, at offset: Int) {
        guard file.hasBytes(Array("TZif".utf8), at: offset), let version = file.byte(at: offset + 4) else { return nil }
        switch version {
        case 0: self.version = 1
        case 0x32...0x34: self.version = Int(version - 0x30)
        default: return nil
        }
        var counts: [Int] = []
        for index in 0..<6 {
            guard let count = file.bigEndian(UInt32.self, at: offset + 20 + index * 4), count <= Self.bound else {
                return nil
            }
            counts.append(Int(count))
        }
        utcFlags = counts[0]
        standardFlags = counts[1]
        leaps = counts[2]
        times = counts[3]
        types = counts[4]
        characters = counts[5]
        data = offset + Self.size
    }

    /// The end of the data, with times of so many bytes.
    func end(timeSize size: Int) -> Int {
        data + times * (size + 1) + types * 6 + characters + leaps * (size + 4) + standardFlags + utcFlags
    }
}
