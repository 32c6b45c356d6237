import Advertising
public import Bytes

/// An AltBeacon (AltBeacon Protocol Specification v1.0): manufacturer data of any company with the beacon code 0xBEAC.
public struct AltBeacon: Hashable, Sendable, BitwiseCopyable {
    /// The company identifier of its maker.
    public var company: UInt16
    /// The first 16 bytes of its 20-byte identifier, which identify the beacon's organization.
    public var uuid: BeaconUUID
    /// The next two bytes of the identifier.
    public var major: UInt16
    /// The last two bytes of the identifier.
    public var minor: UInt16
    /// The signal strength at one metre, in dBm.
    public var referenceRSSI: Int8
    /// The maker's own byte; 0 from makers that leave it out.
    public var mfgReserved: UInt8

    /// A beacon of these values.
    @inlinable
    public init(
        company: UInt16, uuid: BeaconUUID, major: UInt16, minor: UInt16, referenceRSSI: Int8, mfgReserved: UInt8 = 0
    ) {
        self.company = company
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.referenceRSSI = referenceRSSI
        self.mfgReserved = mfgReserved
    }

    /// Reads manufacturer data that begins with the company identifier; nil if it is no AltBeacon.
    ///
    /// 26 bytes, or 25 from beacons that leave the reserved byte out, as some in the field do.
    public init?(manufacturerData data: Span<UInt8>) {
        guard data.count == 26 || data.count == 25, data[2] == 0xBE, data[3] == 0xAC,
            let company = data.littleEndian(UInt16.self, at: 0), let uuid = BeaconUUID(data, at: 4),
            let major = data.bigEndian(UInt16.self, at: 20), let minor = data.bigEndian(UInt16.self, at: 22),
            let power = data.signedByte(at: 24)
        else { return nil }
        self.init(
            company: company, uuid: uuid, major: major, minor: minor, referenceRSSI: power,
            mfgReserved: data.byte(at: 25) ?? 0)
    }

    /// The manufacturer data, company identifier included: 26 bytes.
    public var manufacturerData: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: company)
        bytes.append(bigEndian: UInt16(0xBEAC))
        uuid.append(to: &bytes)
        bytes.append(bigEndian: major)
        bytes.append(bigEndian: minor)
        bytes.append(UInt8(bitPattern: referenceRSSI))
        bytes.append(mfgReserved)
        return bytes
    }

    /// The whole advertising data: flags and manufacturer data, 31 bytes.
    public var advertisingData: [UInt8] {
        var bytes = AdvertisingPayload.flags
        ADStructure.append(type: ADType.manufacturerData, manufacturerData.span, to: &bytes)
        return bytes
    }

    /// The signal strength at one metre, in dBm.
    public var powerAtOneMetre: Int { Int(referenceRSSI) }

    /// Writes `{"type":"altbeacon","company","uuid","major","minor","power","mfg"}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "altbeacon")
        json.field("company", company)
        json.field("uuid", uuid.text)
        json.field("major", major)
        json.field("minor", minor)
        json.field("power", referenceRSSI)
        json.field("mfg", mfgReserved)
        json.endObject()
    }
}
