internal import Bytes

/// The Common Extended Advertising Payload Format (Core Vol 6 Part B 2.3.4), read from a PDU's payload.
struct ExtendedHeader {
    /// AuxPtr (2.3.4.5): the place and time of the packet that continues this one.
    struct Pointer {
        /// The channel index.
        var channel: UInt8
        /// The time between the start of this packet and that of the next; zero for no next packet.
        var offset: Duration
    }

    /// AdvMode: connectable, scannable, both bits clear, or both set, which is reserved.
    let mode: UInt8
    /// AdvA.
    private(set) var address: DeviceAddress?
    /// TargetA.
    private(set) var target: DeviceAddress?
    /// ADI (2.3.4.4) as it is sent: the data identifier in the low 12 bits, the set identifier above.
    private(set) var dataInfo: UInt16?
    private(set) var pointer: Pointer?
    /// The interval in SyncInfo (2.3.4.6), in units of 1.25 ms.
    private(set) var periodicInterval: UInt16?
    /// TxPower in dBm.
    private(set) var txPower: Int8?
    /// AdvData: the bytes of the packet after the extended header.
    let data: Range<Int>

    /// The advertising set's identifier.
    var sid: UInt8? { dataInfo.map { UInt8(truncatingIfNeeded: $0 >> 12) } }

    /// Reads the header; nil if a field passes its end or AdvMode is reserved.
    init?(_ packet: Span<UInt8>, _ pdu: AdvertisingPDU) {
        guard let first = pdu.payload.first else { return nil }
        mode = packet[first] >> 6
        let end = first + 1 + Int(packet[first] & 0x3F)
        guard mode != 3, end <= pdu.payload.upperBound else { return nil }
        data = end..<pdu.payload.upperBound
        guard end > first + 1 else { return }
        let flags = packet[first + 1]
        var offset = first + 2
        // A field's first byte, if its flag is set.
        func field(_ bit: UInt8, _ size: Int) -> Int? {
            guard flags & 1 << bit != 0 else { return nil }
            defer { offset += size }
            return offset
        }
        let places = (
            address: field(0, 6), target: field(1, 6), tone: field(2, 1), info: field(3, 2), pointer: field(4, 3),
            sync: field(5, 18), power: field(6, 1)
        )
        guard offset <= end else { return nil }
        address = places.address.map { pdu.advertiser(packet, at: $0) }
        target = places.target.map { pdu.target(packet, at: $0) }
        dataInfo = places.info.flatMap { packet.littleEndian(UInt16.self, at: $0) }
        pointer = places.pointer.flatMap { packet.bytes(3, at: $0) }.map { Pointer($0) }
        periodicInterval = places.sync.flatMap { packet.littleEndian(UInt16.self, at: $0 + 2) }
        txPower = places.power.flatMap { packet.signedByte(at: $0) }
    }
}

extension ExtendedHeader.Pointer {
    /// Channel index 6 bits, clock accuracy 1, offset units 1 (30 or 300 µs), offset 13, PHY 3.
    init(_ bits: UInt32) {
        channel = UInt8(bits & 0x3F)
        offset = .microseconds(bits >> 8 & 0x1FFF) * (bits & 0x80 == 0 ? 30 : 300)
    }
}
