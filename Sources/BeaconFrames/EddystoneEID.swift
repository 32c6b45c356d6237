public import Bytes

/// An Eddystone-EID frame (frame type 0x30): a changing identifier that a holder of the identity key can resolve.
public struct EddystoneEID: Hashable, Sendable, BitwiseCopyable {
    /// The bytes of its service data.
    public static let size = 10

    /// The ephemeral identifier, its first byte being the most significant.
    public var eid: UInt64
    /// The power received at 0 m, in dBm.
    public var rangingData: Int8

    /// A frame of these values.
    @inlinable
    public init(eid: UInt64, rangingData: Int8) {
        self.eid = eid
        self.rangingData = rangingData
    }

    /// Reads service data; nil if it is no EID frame with 10 bytes.
    public init?(serviceData data: Span<UInt8>) {
        guard data.count == Self.size, data[0] == Eddystone.eid, let power = data.signedByte(at: 1),
            let eid = data.bigEndian(UInt64.self, at: 2)
        else { return nil }
        self.init(eid: eid, rangingData: power)
    }

    /// The identifier as 16 digits.
    public var text: String { Hex.text(eid, digits: 16) }

    /// The service data: 10 bytes.
    public var serviceData: [UInt8] {
        var bytes: [UInt8] = [Eddystone.eid, UInt8(bitPattern: rangingData)]
        bytes.append(bigEndian: eid)
        return bytes
    }

    /// The whole advertising data: flags, service list and service data, 21 bytes.
    public var advertisingData: [UInt8] { AdvertisingPayload.eddystone(serviceData) }

    /// The expected signal strength at one metre, in dBm: 41 dB below the power at 0 m.
    public var powerAtOneMetre: Int { Int(rangingData) - Eddystone.lossOverOneMetre }

    /// Writes `{"type":"eddystone-eid","eid","power"}`; the power is at 0 m.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "eddystone-eid")
        json.field("eid", text)
        json.field("power", rangingData)
        json.endObject()
    }
}
