internal import Bytes

/// The place of an advertising PDU in a link-layer packet (Core Vol 6 Part B 2.1 to 2.3).
struct AdvertisingPDU {
    /// The access address of every advertising channel.
    static let accessAddress: UInt32 = 0x8E89_BED6

    /// PDU types (Table 2.3).
    enum Kind: UInt8 {
        case advInd = 0, advDirectInd, advNonconnInd, scanRequest, scanResponse, connectRequest, advScanInd
        case extended, connectResponse
    }

    /// A reason to ignore the remainder of a packet.
    enum Refusal: Error {
        case other, crcFailed, whitened, malformed
    }

    /// The PDU type; nil for a reserved one.
    let kind: Kind?
    /// TxAdd: the advertiser's address is random.
    let isTransmitterRandom: Bool
    /// RxAdd: the target's address is random.
    let isTargetRandom: Bool
    /// The bytes after the header.
    let payload: Range<Int>

    /// Finds the PDU of a packet that begins with the access address.
    init(_ packet: Span<UInt8>, _ reception: LinkLayerReception) throws(Refusal) {
        guard let received = packet.littleEndian(UInt32.self, at: 0) else { throw .malformed }
        guard reception.content != .foreign, received == Self.accessAddress || reception.reference == Self.accessAddress
        else { throw .other }
        if reception.crc == .failed, !reception.isWhitened { throw .crcFailed }
        // LE Coded: the coding indicator.
        let start = reception.phy == .leCoded ? 5 : 4
        guard let header = packet.byte(at: start), let length = packet.byte(at: start + 1) else { throw .malformed }
        let end = start + 2 + Int(length)
        guard end <= packet.count else { throw reception.isWhitened ? .whitened : .malformed }
        if reception.isWhitened || reception.crc == .unchecked {
            let stored = packet.bytes(3, at: end)
            guard stored != nil || !reception.isWhitened else { throw .whitened }
            if let stored, stored != LinkLayerCRC.value(of: packet.extracting(start..<end)) {
                throw reception.isWhitened ? .whitened : .crcFailed
            }
        }
        kind = Kind(rawValue: header & 0x0F)
        isTransmitterRandom = header & 0x40 != 0
        isTargetRandom = header & 0x80 != 0
        payload = start + 2..<end
    }

    /// The advertiser's address at `offset`, which must be within the packet.
    func advertiser(_ packet: Span<UInt8>, at offset: Int) -> DeviceAddress {
        DeviceAddress(packet.addressBits(at: offset), isTransmitterRandom ? .random : .public)
    }

    /// The target's address at `offset`, which must be within the packet.
    func target(_ packet: Span<UInt8>, at offset: Int) -> DeviceAddress {
        DeviceAddress(packet.addressBits(at: offset), isTargetRandom ? .random : .public)
    }
}

extension Span where Element == UInt8 {
    /// The little-endian number of `count` bytes at `offset`; nil if they pass the end.
    func bytes(_ count: Int, at offset: Int) -> UInt32? {
        guard offset >= 0, offset + count <= self.count else { return nil }
        var value: UInt32 = 0
        for index in 0..<count { value |= UInt32(self[offset + index]) << UInt32(8 * index) }
        return value
    }
}
