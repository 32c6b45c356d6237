public import Bytes

/// An Eddystone-UID frame (frame type 0x00): the beacon's identity.
public struct EddystoneUID: Hashable, Sendable, BitwiseCopyable {
    /// The ten bytes that identify the beacon's organization.
    public struct Namespace: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
        /// The first eight bytes.
        public let high: UInt64
        /// The last two bytes.
        public let low: UInt16

        /// A namespace of its two parts.
        @inlinable
        public init(high: UInt64, low: UInt16) {
            self.high = high
            self.low = low
        }

        /// Reads 20 digits of either case; nil for anything else.
        public init?(_ text: some StringProtocol) {
            guard let bytes = Hex.bytes(text), bytes.count == 10, let high = bytes.span.bigEndian(UInt64.self, at: 0),
                let low = bytes.span.bigEndian(UInt16.self, at: 8)
            else { return nil }
            self.init(high: high, low: low)
        }

        /// 20 digits.
        public var text: String { Hex.text(high, digits: 16) + Hex.text(low, digits: 4) }

        /// The same as ``text``.
        public var description: String { text }
    }

    /// The organization.
    public var namespace: Namespace
    /// The beacon within the namespace, in the low 48 bits.
    public let instance: UInt64
    /// The power received at 0 m, in dBm.
    public var rangingData: Int8

    /// A frame of these values; of `instance` the low 48 bits count.
    @inlinable
    public init(namespace: Namespace, instance: UInt64, rangingData: Int8) {
        self.namespace = namespace
        self.instance = instance & 0xFFFF_FFFF_FFFF
        self.rangingData = rangingData
    }

    /// Reads service data; nil if it is no UID frame. 20 bytes, or 18 from beacons that leave the two reserved bytes
    /// out.
    public init?(serviceData data: Span<UInt8>) {
        guard data.count == 20 || data.count == 18, data[0] == Eddystone.uid,
            let power = data.signedByte(at: 1), let high = data.bigEndian(UInt64.self, at: 2),
            let low = data.bigEndian(UInt16.self, at: 10), let upper = data.bigEndian(UInt16.self, at: 12),
            let lower = data.bigEndian(UInt32.self, at: 14)
        else { return nil }
        self.init(
            namespace: Namespace(high: high, low: low), instance: UInt64(upper) << 32 | UInt64(lower),
            rangingData: power)
    }

    /// Reads an instance of 12 digits of either case; nil for anything else.
    public static func instance(_ text: some StringProtocol) -> UInt64? {
        guard let bytes = Hex.bytes(text), bytes.count == 6 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The instance as 12 digits.
    public var instanceText: String { Hex.text(instance, digits: 12) }

    /// The service data: 20 bytes, the reserved two being 0.
    public var serviceData: [UInt8] {
        var bytes: [UInt8] = [Eddystone.uid, UInt8(bitPattern: rangingData)]
        bytes.append(bigEndian: namespace.high)
        bytes.append(bigEndian: namespace.low)
        bytes.append(bigEndian: UInt16(truncatingIfNeeded: instance >> 32))
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: instance))
        bytes.append(bigEndian: UInt16(0))
        return bytes
    }

    /// The whole advertising data: flags, service list and service data, 31 bytes.
    public var advertisingData: [UInt8] { AdvertisingPayload.eddystone(serviceData) }

    /// The expected signal strength at one metre, in dBm: 41 dB below the power at 0 m.
    public var powerAtOneMetre: Int { Int(rangingData) - Eddystone.lossOverOneMetre }

    /// Writes `{"type":"eddystone-uid","namespace","instance","power"}`; the power is at 0 m.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "eddystone-uid")
        json.field("namespace", namespace.text)
        json.field("instance", instanceText)
        json.field("power", rangingData)
        json.endObject()
    }
}
