import Bytes
import Crypto
import Testing

/// AES-256 and multiples of a curve's generator, by published examples.
@Suite struct PrimeCurveTests {
    private func bytes(_ hex: String) -> [UInt8] { Hex.bytes(hex)! }

    private func x(_ curve: PrimeCurve, _ number: String) -> String? {
        let number = bytes(number)
        return curve.multiple(number.span).map { Hex.text($0.x.span) }
    }

    @Test("FIPS 197 appendix C.3")
    func aes256() {
        let key = bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        let plain = AESBlock(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
        let cipher = AES256(key.span)?.encrypt(plain)
        #expect(cipher == AESBlock(high: 0x8EA2_B7CA_5167_45BF, low: 0xEAFC_4990_4B49_6089))
        let isTaken = AES256(key.span.extracting(0..<16)) != nil
        #expect(!isTaken)
    }

    /// The generators of SEC 2, key pairs of NDN-Lite's tests (named-data-iot/ndn-lite, tests), and one of NIST's (CAVP,
    /// "ECC CDH Primitive", P-256, count 0).
    @Test(arguments: [
        (PrimeCurve.secp160r1, "01", "4a96b5688ef573284664698968c38bb913cbfc82"),
        (.secp160r1, "96c65f598762b9812ee8efab7bb44f74458816d5", "a12bbf14775851fdff03aa5c886ed5cba4aa010a"),
        (.secp160r1, "eae0f12f8d879f1fe94ff106403cd4788b0f729f", "544a85d77e0de0b54149361869caf444300a7791"),
        (.secp256r1, "01", "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
        (
            .secp256r1, "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
            "ead218590119e8876b29146ff89ca61770c4edbbf97d38ce385ed281d8a6b230"
        ),
    ])
    func multiples(_ curve: PrimeCurve, _ number: String, _ expected: String) {
        #expect(x(curve, number) == expected)
    }

    /// The group order of secp160r1 has one bit more than a coordinate: a number is reduced by all 161.
    @Test func numbersAreReducedByTheGroupOrder() {
        let order = "0100000000000000000001f4c8f927aed3ca752257"
        let generator = x(.secp160r1, "01")
        #expect(x(.secp160r1, order) == nil)
        #expect(x(.secp160r1, "0100000000000000000001f4c8f927aed3ca752258") == generator)
        // The negative of a point has its x coordinate.
        #expect(x(.secp160r1, "0100000000000000000001f4c8f927aed3ca752256") == generator)
        let number = bytes("0100000000000000000001f4c8f927aed3ca752258")
        #expect(Hex.text(PrimeCurve.secp160r1.scalar(number.span).span) == String(repeating: "0", count: 39) + "1")
        #expect(PrimeCurve.isComplete)
    }
}
