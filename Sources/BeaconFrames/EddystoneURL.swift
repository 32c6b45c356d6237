public import Bytes

/// An Eddystone-URL frame (frame type 0x10): a web address in at most 17 bytes.
public struct EddystoneURL: Hashable, Sendable, BitwiseCopyable {
    /// The address in the form of the frame: a scheme and compressed bytes, all of which have a meaning.
    public let encoded: EncodedURL
    /// The power received at 0 m, in dBm.
    public var txPower: Int8

    /// A frame of an address.
    @inlinable
    public init(_ encoded: EncodedURL, txPower: Int8) {
        self.encoded = encoded
        self.txPower = txPower
    }

    /// A frame of an address in its shortest form.
    ///
    /// - Throws: ``BeaconFrameFault`` if the address has another scheme, a byte that isn't printable ASCII, or needs
    ///   more than 17 bytes.
    public init(_ url: some StringProtocol, txPower: Int8) throws(BeaconFrameFault) {
        self.init(try EncodedURL(url), txPower: txPower)
    }

    /// Reads service data; nil if it is no URL frame: another length than 3...20, or a byte without a meaning.
    public init?(serviceData data: Span<UInt8>) {
        guard data.count >= 3, data[0] == Eddystone.url, let power = data.signedByte(at: 1),
            let encoded = EncodedURL(data, from: 2)
        else { return nil }
        self.init(encoded, txPower: power)
    }

    /// The web address.
    public var url: String { encoded.text }

    /// The service data: 3...20 bytes.
    public var serviceData: [UInt8] {
        var bytes: [UInt8] = [Eddystone.url, UInt8(bitPattern: txPower)]
        encoded.append(to: &bytes)
        return bytes
    }

    /// The whole advertising data: flags, service list and service data, at most 31 bytes.
    public var advertisingData: [UInt8] { AdvertisingPayload.eddystone(serviceData) }

    /// The expected signal strength at one metre, in dBm: 41 dB below the power at 0 m.
    public var powerAtOneMetre: Int { Int(txPower) - Eddystone.lossOverOneMetre }

    /// Writes `{"type":"eddystone-url","url","power"}`; the power is at 0 m.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("type", "eddystone-url")
        json.field("url", url)
        json.field("power", txPower)
        json.endObject()
    }
}
