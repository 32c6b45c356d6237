internal import Bytes

/// pcap, version 2 (draft-ietf-opsawg-pcap), with microseconds or nanoseconds and in either byte order.
struct PcapFormat {
    static let headerSize = 24
    static let recordHeaderSize = 16

    private let order: ByteOrder
    private let unitsPerMicrosecond: UInt32
    private let linkType: LinkType

    /// The byte order and the units a microsecond that the first four bytes mean; nil if they are no magic.
    static func recognize(_ bytes: Span<UInt8>) -> (order: ByteOrder, unitsPerMicrosecond: UInt32)? {
        switch bytes.bigEndian(UInt32.self, at: 0) {
        case 0xA1B2_C3D4: (.bigEndian, 1)
        case 0xA1B2_3C4D: (.bigEndian, 1000)
        case 0xD4C3_B2A1: (.littleEndian, 1)
        case 0x4D3C_B2A1: (.littleEndian, 1000)
        default: nil
        }
    }

    /// Reads the file header, whose magic was already recognized.
    init(_ source: inout ByteSource, _ order: ByteOrder, unitsPerMicrosecond: UInt32) throws(CaptureError) {
        self.order = order
        self.unitsPerMicrosecond = unitsPerMicrosecond
        try source.require(Self.headerSize, of: .fileHeader)
        let major = order.read(UInt16.self, source.bytes, at: 4)
        guard major == 2 else { throw CaptureError(.unsupportedVersion(UInt32(major)), at: source.offset + 4) }
        // The top four bits concern a frame check sequence, which no HCI packet has.
        let number = order.read(UInt32.self, source.bytes, at: 20) & 0x0FFF_FFFF
        guard let linkType = LinkType(number: number) else {
            throw CaptureError(.unsupportedLinkType(number), at: source.offset + 20)
        }
        self.linkType = linkType
        _ = source.consumeBytes(Self.headerSize)
    }

    /// True if all of the next packet is available.
    func hasNext(_ source: inout ByteSource) throws(CaptureError) -> Bool {
        guard try source.available(Self.recordHeaderSize) == Self.recordHeaderSize else { return false }
        let capturedLength = order.read(UInt32.self, source.bytes, at: 8)
        // An invalid length is left for `next` to reject.
        guard capturedLength <= CaptureReader.maximumPacketSize else { return true }
        let size = Self.recordHeaderSize + Int(capturedLength)
        return try source.available(size) == size
    }

    /// The next packet and the place of its bytes; nil at the end.
    func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        guard try source.available(Self.recordHeaderSize) > 0 else { return nil }
        try source.require(Self.recordHeaderSize, of: .recordHeader)
        let seconds = order.read(UInt32.self, source.bytes, at: 0)
        let fraction = order.read(UInt32.self, source.bytes, at: 4)
        let capturedLength = order.read(UInt32.self, source.bytes, at: 8)
        let microseconds = Int64(fraction / unitsPerMicrosecond)
        guard microseconds < 1_000_000,
            let time = CaptureTime.timestamp(seconds: Int64(seconds), microseconds: microseconds)
        else { throw CaptureError(.timeOutOfRange, at: source.offset) }
        guard capturedLength <= CaptureReader.maximumPacketSize else {
            throw CaptureError(.lengthOutOfRange(.packet, capturedLength), at: source.offset + 8)
        }
        try source.require(Self.recordHeaderSize + Int(capturedLength), of: .packet)
        _ = source.consumeBytes(Self.recordHeaderSize)
        let stored = source.consumeBytes(Int(capturedLength))
        return linkType.locatePacket(source.taken(stored), at: stored.lowerBound, time: time, direction: .unknown)
    }
}
