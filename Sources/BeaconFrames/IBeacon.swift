import Advertising
public import Bytes

/// An iBeacon (Apple, Proximity Beacon Specification R1): manufacturer data of company 0x004C with type 0x02 and length
/// 0x15.
public struct IBeacon: Hashable, Sendable, BitwiseCopyable {
    /// Apple's company identifier.
    public static let company: UInt16 = 0x004C
    /// The bytes of its manufacturer data, company identifier included. Any other length is another message.
    public static let size = 25

    /// The UUID of the beacon's organization.
    public var uuid: BeaconUUID
    /// The group within the organization.
    public var major: UInt16
    /// The beacon within the group.
    public var minor: UInt16
    /// The signal strength at one metre, in dBm.
    public var measuredPower: Int8

    /// A beacon of these values.
    @inlinable
    public init(uuid: BeaconUUID, major: UInt16, minor: UInt16, measuredPower: Int8) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.measuredPower = measuredPower
    }

    /// Reads manufacturer data that begins with the company identifier; nil if it is no iBeacon.
    public init?(manufacturerData data: Span<UInt8>) {
        guard data.count == Self.size, data[0] == 0x4C, data[1] == 0x00, data[2] == 0x02, data[3] == 0x15,
            let uuid = BeaconUUID(data, at: 4), let major = data.bigEndian(UInt16.self, at: 20),
            let minor = data.bigEndian(UInt16.self, at: 22), let power = data.signedByte(at: 24)
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor, measuredPower: power)
    }

    /// The manufacturer data, company identifier included: 25 bytes.
    public var manufacturerData: [UInt8] {
        var bytes: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
        uuid.append(to: &bytes)
        bytes.append(bigEndian: major)
        bytes.append(bigEndian: minor)
        bytes.append(UInt8(bitPattern: measuredPower))
        return bytes
    }

    /// The whole advertising data: flags and manufacturer data, 30 bytes.
    public var advertisingData: [UInt8] {
        var bytes = AdvertisingPayload.flags
        ADStructure.append(type: ADType.manufacturerData, manufacturerData.span, to: &bytes)
        return bytes
    }

    /// The signal strength at one metre, in dBm.
    public var powerAtOneMetre: Int { Int(measuredPower) }

    /// Writes `{"type":"ibeacon","uuid","major","minor","power"}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "ibeacon")
        json.field("uuid", uuid.text)
        json.field("major", major)
        json.field("minor", minor)
        json.field("power", measuredPower)
        json.endObject()
    }
}
