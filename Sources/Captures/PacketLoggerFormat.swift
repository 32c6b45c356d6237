internal import Bytes

/// Apple's PacketLogger (`.pklg`), in both versions: numbers are big-endian in the first, little-endian in the second.
///
/// A sequence of records without a file header (Wireshark's `packetlogger.c`): the length of the rest of the record,
/// seconds since 1970 and microseconds, 4 bytes each, a type, and a packet without the H4 indicator.
struct PacketLoggerFormat {
    static let recordHeaderSize = 13
    /// The greatest length accepted in the first record of a file, which has no magic.
    static let likelyLength: UInt32 = 65_535

    private let order: ByteOrder

    private init(_ order: ByteOrder) {
        self.order = order
    }

    /// The format of a file that may begin with a record: with a length that a record can have.
    static func candidate(_ bytes: Span<UInt8>) -> PacketLoggerFormat? {
        for order in [ByteOrder.bigEndian, .littleEndian] {
            let length = order.read(UInt32.self, bytes, at: 0)
            if (9...likelyLength).contains(length) { return PacketLoggerFormat(order) }
        }
        return nil
    }

    /// True if the complete header of the first record has plausible values.
    func isLikely(_ bytes: Span<UInt8>) -> Bool {
        order.read(UInt32.self, bytes, at: 8) < 1_000_000 && Self.packetKind(of: bytes.byte(at: 12) ?? 0xFF) != nil
    }

    /// The next packet and the place of its bytes; nil at the end.
    func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        guard try source.available(12) > 0 else { return nil }
        try source.require(12, of: .recordHeader)
        let length = order.read(UInt32.self, source.bytes, at: 0)
        guard (8...UInt32(CaptureReader.maximumPacketSize)).contains(length) else {
            throw CaptureError(.lengthOutOfRange(.packet, length), at: source.offset)
        }
        let seconds = order.read(UInt32.self, source.bytes, at: 4)
        let microseconds = order.read(UInt32.self, source.bytes, at: 8)
        guard microseconds < 1_000_000,
            let time = CaptureTime.timestamp(seconds: Int64(seconds), microseconds: Int64(microseconds))
        else { throw CaptureError(.timeOutOfRange, at: source.offset + 4) }
        try source.require(4 + Int(length), of: .packet)
        _ = source.consumeBytes(12)
        let stored = source.consumeBytes(Int(length) - 8)
        let meaning = source.taken(stored).byte(at: 0).flatMap { Self.packetKind(of: $0) }
        let (kind, direction) = meaning ?? (.other, .unknown)
        return FoundPacket(CapturedPacket(time: time, kind: kind, direction: direction), stored.dropFirst(1))
    }

    /// The meaning of a record's type; nil for an unknown one. Logs, notes and LMP are `other`.
    private static func packetKind(of type: UInt8) -> (CapturedPacket.Kind, CapturedPacket.Direction)? {
        switch type {
        case 0x00: (.command, .sent)
        case 0x01: (.event, .received)
        case 0x02: (.acl, .sent)
        case 0x03: (.acl, .received)
        case 0x08: (.sco, .sent)
        case 0x09: (.sco, .received)
        case 0x0A, 0x0B, 0xF7...0xFE: (.other, .unknown)
        default: nil
        }
    }
}
