import Bytes
import Crypto
import Testing

/// AES-256-GCM against the vectors of "The Galois/Counter Mode of Operation", appendix B.
@Suite struct AESGCMTests {
    struct Vector: Sendable {
        var key: String, nonce: String, header: String, plaintext: String, sealed: String
    }

    static let vectors = [
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), header: "",
            plaintext: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), header: "",
            plaintext: String(repeating: "00", count: 16),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888", header: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test("Seal and open the published vectors, and nothing with another byte", arguments: vectors)
    func published(_ vector: Vector) throws {
        let key = try #require(Hex.bytes(vector.key))
        let nonce = try #require(Hex.bytes(vector.nonce))
        let header = try #require(Hex.bytes(vector.header))
        let plaintext = try #require(Hex.bytes(vector.plaintext))
        let sealed = AESGCM.seal(plaintext, nonce: nonce, header: header, key: key)
        #expect(Hex.text(sealed.span) == vector.sealed)
        #expect(AESGCM.open(sealed, nonce: nonce, header: header, key: key) == plaintext)
        for index in sealed.indices {
            var other = sealed
            other[index] ^= 1
            #expect(AESGCM.open(other, nonce: nonce, header: header, key: key) == nil)
        }
        #expect(AESGCM.open(sealed, nonce: nonce, header: header + [0], key: key) == nil)
        #expect(AESGCM.open(Array(sealed.dropLast()), nonce: nonce, header: header, key: key) == nil)
    }
}
