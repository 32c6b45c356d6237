internal import Bytes

/// The records of a decompressed btsnooz log: length, original length, time since the record before, type, packet. All
/// numbers are little-endian; lengths count the type, of one byte.
struct SnoozLog {
    /// The forms of a record's header.
    enum Layout: CaseIterable {
        /// Version 1: 16-bit length, 32-bit time, type.
        case first
        /// Version 2: 16-bit length, 16-bit original length, 32-bit time, type.
        case second
        /// Version 2 of some makers' stacks: as the second with a 64-bit time.
        case wide

        var headerSize: Int {
            switch self {
            case .first: 7
            case .second: 9
            case .wide: 13
            }
        }

        /// The version whose logs may have this form.
        var version: UInt8 { self == .first ? 1 : 2 }
    }

    private var bytes: [UInt8] = []
    private var layout = Layout.second
    private var position = 0
    /// The time of the record before the next one; nil if times can't be determined.
    private var clock: Int64?

    /// Loads a log and its header: version and the time of the last packet.
    mutating func loadLog(_ bytes: [UInt8], _ header: [UInt8], isWhole: Bool) {
        guard let version = header.first else { return }
        self.bytes = bytes
        let fitting = Layout.allCases.filter { $0.version == version }
        layout = fitting.first { walkRecords($0, isWhole: isWhole) != nil } ?? fitting.first ?? .second
        guard isWhole, let last = header.span.littleEndian(UInt64.self, at: 1),
            let sum = walkRecords(layout, isWhole: true)
        else { return }
        clock = Int64(bitPattern: last) &- sum
    }

    /// The next packet with a copy of its bytes; nil if no whole record follows.
    mutating func next() -> FoundPacket? {
        guard let record = readRecord(at: position, layout) else { return nil }
        position = record.end
        clock = clock.map { $0 &+ record.delta }
        let (kind, direction) = Self.packetKind(of: record.type)
        let time = clock.flatMap { CaptureTime.timestamp(microseconds: $0, since: 0) }
        let packet = CapturedPacket(time: time, kind: kind, direction: direction)
        return FoundPacket(packet, copy: Array(bytes[record.start..<record.end]))
    }

    /// The sum of all times; nil if the records don't have this form up to the end of the log, or of the part of it
    /// that exists.
    private func walkRecords(_ layout: Layout, isWhole: Bool) -> Int64? {
        var place = 0
        var sum: Int64 = 0
        while let record = readRecord(at: place, layout) {
            guard Self.packetKind(of: record.type).0 != .other else { return nil }
            place = record.end
            sum &+= record.delta
        }
        return place == bytes.count || !isWhole ? sum : nil
    }

    private func readRecord(
        at place: Int, _ layout: Layout
    ) -> (type: UInt8, delta: Int64, start: Int, end: Int)? {
        let span = bytes.span
        let start = place + layout.headerSize
        guard let length = span.littleEndian(UInt16.self, at: place), length > 0, let type = span.byte(at: start - 1),
            start + Int(length) - 1 <= bytes.count
        else { return nil }
        let delta: Int64? =
            switch layout {
            case .first: span.littleEndian(UInt32.self, at: place + 2).map(Int64.init)
            case .second: span.littleEndian(UInt32.self, at: place + 4).map(Int64.init)
            case .wide: span.littleEndian(UInt64.self, at: place + 4).map { Int64(bitPattern: $0) }
            }
        return delta.map { (type, $0, start, start + Int(length) - 1) }
    }

    /// The packet types of Android's stack (`bt_types.h`, high byte).
    private static func packetKind(of type: UInt8) -> (CapturedPacket.Kind, CapturedPacket.Direction) {
        switch type {
        case 0x10: (.event, .received)
        case 0x11: (.acl, .received)
        case 0x12: (.sco, .received)
        case 0x17: (.iso, .received)
        case 0x20: (.command, .sent)
        case 0x21: (.acl, .sent)
        case 0x22: (.sco, .sent)
        case 0x2D: (.iso, .sent)
        default: (.other, .unknown)
        }
    }
}
