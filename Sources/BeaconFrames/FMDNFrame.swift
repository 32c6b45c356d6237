internal import Advertising
public import Bytes

/// A frame of Google's Find Hub Network, formerly Find My Device Network (Google, "Find Hub Network Accessory
/// Specification" v1.3, "Advertised frames"): service data of Eddystone's UUID with frame type 0x40, or 0x41 in
/// unwanted tracking protection mode.
///
/// Tags send it, and so do Android phones that are offline. A holder of the ephemeral identity key can resolve the
/// identifier.
public struct FMDNFrame: Hashable, Sendable, BitwiseCopyable {
    /// An ephemeral identifier: the x coordinate of a point, in 20 bytes on secp160r1 and 32 on secp256r1.
    public struct Identifier: Hashable, Sendable, BitwiseCopyable {
        /// The sizes that there are.
        public static let sizes = [20, 32]

        /// The bytes 0...7, which distinguish identifiers in practice.
        public let prefix: UInt64
        private let second: UInt64
        private let third: UInt64
        private let fourth: UInt64
        private let isLong: Bool

        /// An identifier of 20 or 32 bytes; nil for any other number of bytes.
        public init?(_ bytes: Span<UInt8>) {
            guard Self.sizes.contains(bytes.count), let prefix = bytes.bigEndian(UInt64.self, at: 0),
                let second = bytes.bigEndian(UInt64.self, at: 8)
            else { return nil }
            (self.prefix, self.second, isLong) = (prefix, second, bytes.count == 32)
            if isLong {
                third = bytes.bigEndian(UInt64.self, at: 16) ?? 0
                fourth = bytes.bigEndian(UInt64.self, at: 24) ?? 0
            } else {
                third = UInt64(bytes.bigEndian(UInt32.self, at: 16) ?? 0) << 32
                fourth = 0
            }
        }

        /// Its 20 or 32 bytes.
        public var bytes: [UInt8] {
            var bytes: [UInt8] = []
            for word in [prefix, second, third, fourth] { bytes.append(bigEndian: word) }
            return Array(bytes.prefix(isLong ? 32 : 20))
        }

        /// Its bytes as 40 or 64 digits.
        public var text: String {
            let bytes = bytes
            return Hex.text(bytes.span)
        }
    }

    /// The charge of a battery ("Hashed flags" in the specification).
    public enum Battery: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Not reported by the tag.
        case unsupported
        /// Full enough.
        case normal
        /// Low.
        case low
        /// To be replaced soon.
        case critical
    }

    /// The identifier, another one every 1,024 s.
    public var identifier: Identifier
    /// A Boolean value that is true in unwanted tracking protection mode, in which the address changes once a day
    /// instead of every 1,024 s.
    public var isInProtectionMode: Bool
    /// Battery level and mode, masked by a byte that is derived from the key; nil if the tag leaves it out.
    public var hashedFlags: UInt8?
    /// The battery's level, which is decoded with the key; nil in a received frame.
    public var battery: Battery?

    /// A frame of these values.
    @inlinable
    public init(identifier: Identifier, isInProtectionMode: Bool, hashedFlags: UInt8?) {
        self.identifier = identifier
        self.isInProtectionMode = isInProtectionMode
        self.hashedFlags = hashedFlags
    }

    /// Reads the service data of UUID 0xFEAA, without the UUID; nil if it is no such frame of 21, 22, 33 or 34 bytes.
    public init?(serviceData data: Span<UInt8>) {
        guard let type = data.byte(at: 0), type == Eddystone.fmdn || type == Eddystone.fmdnProtection else {
            return nil
        }
        let size = data.count > 22 ? 32 : 20
        guard (1 + size...2 + size).contains(data.count), let identifier = Identifier(data.extracting(1..<1 + size))
        else { return nil }
        self.init(
            identifier: identifier, isInProtectionMode: type == Eddystone.fmdnProtection,
            hashedFlags: data.byte(at: 1 + size))
    }

    /// The service data without the UUID.
    public var serviceData: [UInt8] {
        [isInProtectionMode ? Eddystone.fmdnProtection : Eddystone.fmdn] + identifier.bytes
            + (hashedFlags.map { [$0] } ?? [])
    }

    /// The whole advertising data: flags and service data, 29 bytes at most with an identifier of 20 bytes, else 41,
    /// which requires extended advertising.
    public var advertisingData: [UInt8] {
        var bytes = AdvertisingPayload.flags
        ADStructure.append(type: ADType.serviceData16, ([0xAA, 0xFE] + serviceData).span, to: &bytes)
        return bytes
    }

    /// Writes `{"type":"fmdn","eid","unwanted_tracking","hashed_flags"}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "fmdn")
        json.field("eid", identifier.text)
        json.field("unwanted_tracking", isInProtectionMode)
        json.field("hashed_flags", hashedFlags.map { Hex.text($0, digits: 2) })
        json.endObject()
    }
}
