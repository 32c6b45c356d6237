import Bytes
import Crypto
import Testing

/// RFC 4231, its test cases 1, 2 and 6.
@Suite struct HMACTests {
    @Test(
        "Compute the codes of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func codes(_ key: [UInt8], _ text: String, _ code: String) {
        #expect(Hex.text(HMAC.sha256(Array(text.utf8), key: key).span) == code)
    }

    @Test("Compare byte strings") func compares() {
        #expect(ConstantTime.isEqual([], []) && ConstantTime.isEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.isEqual([1, 2], [1, 3]) && !ConstantTime.isEqual([1], [1, 2]))
    }
}
