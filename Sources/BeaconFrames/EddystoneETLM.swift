public import Bytes

/// An encrypted Eddystone-TLM frame (frame type 0x20, version 1): telemetry for a holder of the beacon's identity key.
public struct EddystoneETLM: Hashable, Sendable, BitwiseCopyable {
    /// The bytes of its service data.
    public static let size = 18

    /// The first eight of the twelve encrypted bytes.
    public var dataHigh: UInt64
    /// The last four bytes of the encrypted data.
    public var dataLow: UInt32
    /// The salt of this encryption.
    public var salt: UInt16
    /// The message integrity check.
    public var mic: UInt16

    /// A frame of these values.
    @inlinable
    public init(dataHigh: UInt64, dataLow: UInt32, salt: UInt16, mic: UInt16) {
        self.dataHigh = dataHigh
        self.dataLow = dataLow
        self.salt = salt
        self.mic = mic
    }

    /// Reads service data; nil if it is no TLM frame of version 1 with 18 bytes.
    public init?(serviceData data: Span<UInt8>) {
        guard data.count == Self.size, data[0] == Eddystone.tlm, data[1] == 1,
            let high = data.bigEndian(UInt64.self, at: 2), let low = data.bigEndian(UInt32.self, at: 10),
            let salt = data.bigEndian(UInt16.self, at: 14), let mic = data.bigEndian(UInt16.self, at: 16)
        else { return nil }
        self.init(dataHigh: high, dataLow: low, salt: salt, mic: mic)
    }

    /// The service data: 18 bytes.
    public var serviceData: [UInt8] {
        var bytes: [UInt8] = [Eddystone.tlm, 1]
        bytes.append(bigEndian: dataHigh)
        bytes.append(bigEndian: dataLow)
        bytes.append(bigEndian: salt)
        bytes.append(bigEndian: mic)
        return bytes
    }

    /// The whole advertising data: flags, service list and service data, 29 bytes.
    public var advertisingData: [UInt8] { AdvertisingPayload.eddystone(serviceData) }

    /// Writes `{"type":"eddystone-etlm","data","salt","mic"}`, all in hexadecimal digits.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "eddystone-etlm")
        json.field("data", Hex.text(dataHigh, digits: 16) + Hex.text(dataLow, digits: 8))
        json.field("salt", Hex.text(salt, digits: 4))
        json.field("mic", Hex.text(mic, digits: 4))
        json.endObject()
    }
}

extension EddystoneETLM {
    /// Reads the frame of a beacon that has the AD length of plain telemetry (17), so that salt and check follow the
    /// structure.
    ///
    /// Such frames exist in the field, and readers that ignore the length accept them. They are accepted here only if
    /// no other interpretation is possible: the structure has version 1 and lacks just the four bytes that end the
    /// data, and these are no structure of their own.
    init?(data: Span<UInt8>, withFaultAt offset: Int) {
        let start = offset - 18
        guard offset + 4 == data.count, start >= 0, data.hasBytes(Self.shortHeader, at: start) else { return nil }
        self.init(serviceData: data.extracting(start + 4..<data.count))
    }

    private static let shortHeader: [UInt8] = [17, 0x16, 0xAA, 0xFE, Eddystone.tlm, 1]
}
