/// btsnoop, version 1: the format of RFC 1761 with Bluetooth's magic, data links and flags. All numbers are big-endian.
///
/// Data link 1002 stores H4 packets; bit 0 of a record's flags is set for received. Data link 2001 (BlueZ's btmon)
/// stores packets of the Linux monitor; the flags hold the adapter in their high half and the opcode in the low one.
struct BtsnoopFormat {
    static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
    static let headerSize = 16
    static let recordHeaderSize = 24
    static let h4: UInt32 = 1002
    static let linuxMonitor: UInt32 = 2001
    /// Microseconds from the origin of the format's times to 1970: 719,540 days, which is 12 more than the calendar has
    /// since the year 0 given on the format's page. All readers and writers use this number.
    static let origin: Int64 = 0x00DC_DDB3_0F2F_8000

    private let dataLink: UInt32

    /// Reads the file header, whose magic was already recognized.
    init(_ source: inout ByteSource) throws(CaptureError) {
        try source.require(Self.headerSize, of: .fileHeader)
        let version = ByteOrder.bigEndian.read(UInt32.self, source.bytes, at: 8)
        guard version == 1 else { throw CaptureError(.unsupportedVersion(version), at: source.offset + 8) }
        dataLink = ByteOrder.bigEndian.read(UInt32.self, source.bytes, at: 12)
        guard dataLink == Self.h4 || dataLink == Self.linuxMonitor else {
            throw CaptureError(.unsupportedLinkType(dataLink), at: source.offset + 12)
        }
        _ = source.consumeBytes(Self.headerSize)
    }

    /// True if all of the next packet is available.
    func hasNext(_ source: inout ByteSource) throws(CaptureError) -> Bool {
        guard try source.available(Self.recordHeaderSize) == Self.recordHeaderSize else { return false }
        let includedLength = ByteOrder.bigEndian.read(UInt32.self, source.bytes, at: 4)
        // An invalid length is left for `next` to reject.
        guard includedLength <= CaptureReader.maximumPacketSize else { return true }
        let size = Self.recordHeaderSize + Int(includedLength)
        return try source.available(size) == size
    }

    /// The next packet and the place of its bytes; nil at the end.
    func next(_ source: inout ByteSource) throws(CaptureError) -> FoundPacket? {
        guard try source.available(Self.recordHeaderSize) > 0 else { return nil }
        try source.require(Self.recordHeaderSize, of: .recordHeader)
        let includedLength = ByteOrder.bigEndian.read(UInt32.self, source.bytes, at: 4)
        let flags = ByteOrder.bigEndian.read(UInt32.self, source.bytes, at: 8)
        let stamp = Int64(bitPattern: ByteOrder.bigEndian.read(UInt64.self, source.bytes, at: 16))
        guard let time = CaptureTime.timestamp(microseconds: stamp, since: Self.origin) else {
            throw CaptureError(.timeOutOfRange, at: source.offset + 16)
        }
        guard includedLength <= CaptureReader.maximumPacketSize else {
            throw CaptureError(.lengthOutOfRange(.packet, includedLength), at: source.offset + 4)
        }
        try source.require(Self.recordHeaderSize + Int(includedLength), of: .packet)
        _ = source.consumeBytes(Self.recordHeaderSize)
        let stored = source.consumeBytes(Int(includedLength))
        if dataLink == Self.linuxMonitor {
            let opcode = UInt16(truncatingIfNeeded: flags)
            let adapter = UInt16(truncatingIfNeeded: flags >> 16)
            return FoundPacket(LinuxMonitor.packet(opcode: opcode, adapter: adapter, time: time), stored)
        }
        return LinkType.h4.locatePacket(
            source.taken(stored), at: stored.lowerBound, time: time, direction: flags & 1 == 0 ? .sent : .received)
    }
}
