import Bytes
import Crypto
import Testing

/// AES-128 and its two modes, by the examples that their specifications give.
@Suite struct AESTests {
    private func bytes(_ hex: String) -> [UInt8] { Hex.bytes(hex)! }

    private func key(_ hex: String) -> AES128 { AES128(bytes(hex).span)! }

    private func text(_ block: AESBlock) -> String {
        Hex.text(block.high, digits: 16) + Hex.text(block.low, digits: 16)
    }

    @Test(
        "FIPS 197 appendices B and C.1",
        arguments: [
            (
                "2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734",
                "3925841d02dc09fbdc118597196a0b32"
            ),
            (
                "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
                "69c4e0d86a7b0430d8cdb78070b4c55a"
            ),
        ])
    func block(_ key: String, _ plain: String, _ cipher: String) {
        #expect(text(self.key(key).encrypt(AESBlock(bytes(plain).span))) == cipher)
        #expect(text(AES128(AESBlock(bytes(key).span)).encrypt(AESBlock(bytes(plain).span))) == cipher)
    }

    @Test("RFC 3610 section 8 and NIST SP 800-38C appendix C")
    func ccm() throws {
        try ccm(
            "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", "00000003020100a0a1a2a3a4a5", "0001020304050607",
            "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
            "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384", "17e8d12cfdf926e0")
        try ccm(
            "404142434445464748494a4b4c4d4e4f", "10111213141516", "0001020304050607", "20212223",
            "7162015b", "4dac255d")
    }

    private func ccm(
        _ key: String, _ nonce: String, _ associated: String, _ plain: String, _ cipher: String, _ tag: String
    ) throws {
        let key = self.key(key)
        let nonce = bytes(nonce)
        let associated = bytes(associated)
        let ciphertext = bytes(cipher)
        let tag = bytes(tag)
        let plain = bytes(plain)
        let sealed = AESCCM.seal(
            plain.span, tagSize: tag.count, nonce: nonce.span, associatedData: associated.span, key: key)
        #expect(sealed == ciphertext + tag)
        let opened = AESCCM.open(
            ciphertext.span, tag: tag.span, nonce: nonce.span, associatedData: associated.span, key: key)
        #expect(opened == plain)
        var wrong = tag
        wrong[tag.count - 1] ^= 1
        let withWrongTag = AESCCM.open(
            ciphertext.span, tag: wrong.span, nonce: nonce.span, associatedData: associated.span, key: key)
        #expect(withWrongTag == nil)
        let withoutAssociatedData = AESCCM.open(
            ciphertext.span, tag: tag.span, nonce: nonce.span, associatedData: [UInt8]().span, key: key)
        #expect(withoutAssociatedData == nil)
    }

    @Test func whatCCMCantTakeIsNoText() {
        let key = self.key("404142434445464748494a4b4c4d4e4f")
        let none: [UInt8] = []
        for (tag, nonce) in [(3, 13), (5, 13), (18, 13), (4, 6), (4, 14)] {
            let nonce = [UInt8](repeating: 1, count: nonce)
            let sealed = AESCCM.seal(none.span, tagSize: tag, nonce: nonce.span, associatedData: none.span, key: key)
            #expect(sealed == nil)
        }
        let nonce = [UInt8](repeating: 1, count: 13)
        let long = [UInt8](repeating: 1, count: 65_536)
        let sealed = AESCCM.seal(long.span, tagSize: 4, nonce: nonce.span, associatedData: none.span, key: key)
        #expect(sealed == nil)
    }

    @Test(
        "The EAX mode of operation, appendix G",
        arguments: [
            (
                "233952dee4d5ed5f9b9c6d6ff80ff478", "62ec67f9c3a4a407fcb2a8c49031a8b3", "6bfb914fd07eae6b", "",
                "", "e037830e8389f27b025a2d6527e79d01"
            ),
            (
                "91945d3f4dcbee0bf45ef52255f095a4", "becaf043b0a23d843194ba972c66debd", "fa3bfd4806eb53fa", "f7fb",
                "19dd", "5c4c9331049d0bdab0277408f67967e5"
            ),
            (
                "8395fcf1e95bebd697bd010bc766aac3", "22e7add93cfc6393c57ec0b3c17d6b44", "126735fcc320d25a",
                "ca40d7446e545ffaed3bd12a740a659ffbbb3ceab7",
                "cb8920f87a6c75cff39627b56e3ed197c552d295a7", "cfc46afc253b4652b1af3795b124ab6e"
            ),
        ])
    func eax(_ key: String, _ nonce: String, _ header: String, _ plain: String, _ cipher: String, _ tag: String) {
        let key = self.key(key)
        let (nonce, header, plain) = (bytes(nonce), bytes(header), bytes(plain))
        let (ciphertext, whole) = AESEAX.seal(plain.span, nonce: nonce.span, header: header.span, key: key)
        #expect(Hex.text(ciphertext.span) == cipher)
        #expect(text(whole) == tag)
        for size in [2, 16] {
            var leading = Array(bytes(tag).prefix(size))
            let opened = AESEAX.open(
                ciphertext.span, tag: leading.span, nonce: nonce.span, header: header.span, key: key)
            #expect(opened == plain)
            leading[0] ^= 0x80
            let withWrongTag = AESEAX.open(
                ciphertext.span, tag: leading.span, nonce: nonce.span, header: header.span, key: key)
            #expect(withWrongTag == nil)
        }
    }

    @Test func aKeyHasSixteenBytesAndIsNeverPrinted() {
        #expect(AES128([UInt8](repeating: 1, count: 15).span) == nil)
        #expect(AES128([UInt8](repeating: 1, count: 17).span) == nil)
        let key = self.key("000102030405060708090a0b0c0d0e0f")
        for print in ["\(key)", "\([key])", String(reflecting: key), "\(Optional(key) as Any)"] {
            #expect(print.contains("an AES-128 key") && !print.contains("rd_key"), "\(print)")
        }
    }
}
