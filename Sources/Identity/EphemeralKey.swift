public import BeaconFrames
internal import Bytes
public import Crypto

/// A beacon's identity key, from which its Eddystone-EID identifiers are computed (Eddystone, "EID Computation"), and
/// with which its encrypted telemetry is opened (Eddystone, "Encrypted TLM Frame Specification").
///
/// Time here is the beacon's own: its counter of seconds.
public struct EphemeralKey: Sendable {
    /// The valid rotation exponents.
    public static let exponents: ClosedRange<UInt8> = 0...15

    /// The rotation exponent K: the beacon changes its identifier every 2ᴷ seconds, 0...15.
    public let exponent: UInt8
    private let key: AES128

    /// An identity key; nil for an invalid exponent.
    public init?(_ key: AES128, exponent: UInt8) {
        guard Self.exponents.contains(exponent) else { return nil }
        self.key = key
        self.exponent = exponent
    }

    /// The lifetime of an identifier in seconds: 1...32,768.
    public var period: UInt32 { 1 << UInt32(exponent) }

    /// The identifier at a time. Costs three block ciphers and a key expansion.
    public func identifier(at counter: UInt32) -> UInt64 {
        identifier(at: counter, temporaryKey(at: counter))
    }

    /// The key for 65,536 seconds.
    func temporaryKey(at counter: UInt32) -> AES128 {
        AES128(key.encrypt(AESBlock(high: 0, low: 0xFF << 32 | UInt64(counter >> 16))))
    }

    func identifier(at counter: UInt32, _ temporaryKey: AES128) -> UInt64 {
        let start = counter & ~(period - 1)
        return temporaryKey.encrypt(AESBlock(high: 0, low: UInt64(exponent) << 32 | UInt64(start))).high
    }

    /// Decrypts telemetry that was encrypted at a time; nil if the key or the time doesn't match.
    ///
    /// The check has 16 bits: a frame of another key or time passes once in 65,536 times. A frame must therefore be
    /// opened only with the key of the beacon to which its address belongs.
    public func open(_ frame: EddystoneETLM, at counter: UInt32) -> EddystoneTLM? {
        var check: [UInt8] = []
        check.append(bigEndian: frame.mic)
        var ciphertext: [UInt8] = []
        ciphertext.append(bigEndian: frame.dataHigh)
        ciphertext.append(bigEndian: frame.dataLow)
        let nonce = nonce(counter, frame.salt)
        let plaintext = AESEAX.open(
            ciphertext.span, tag: check.span, nonce: nonce.span, header: [UInt8]().span, key: key)
        guard let plaintext else { return nil }
        let serviceData: [UInt8] = [0x20, 0x00] + plaintext
        return EddystoneTLM(serviceData: serviceData.span)
    }

    /// The frame that a beacon of this key sends for its telemetry at a time, with a salt of its choice.
    public func seal(_ frame: EddystoneTLM, at counter: UInt32, salt: UInt16) -> EddystoneETLM? {
        let plaintext = Array(frame.serviceData.dropFirst(2))
        let nonce = nonce(counter, salt)
        let (ciphertext, tag) = AESEAX.seal(
            plaintext.span, nonce: nonce.span, header: [UInt8]().span, key: key)
        var serviceData: [UInt8] = [0x20, 0x01] + ciphertext
        serviceData.append(bigEndian: salt)
        serviceData += [tag[0], tag[1]]
        return EddystoneETLM(serviceData: serviceData.span)
    }

    /// The beginning of the identifier's time and the salt: 48 bits.
    private func nonce(_ counter: UInt32, _ salt: UInt16) -> [UInt8] {
        var nonce: [UInt8] = []
        nonce.append(bigEndian: counter & ~(period - 1))
        nonce.append(bigEndian: salt)
        return nonce
    }
}
