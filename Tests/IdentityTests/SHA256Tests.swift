import Bytes
import Crypto
import Testing

/// FIPS 180-4, by the examples that NIST gives for it.
@Suite struct SHA256Tests {
    @Test(
        "Compute the same shards and digests as any other program",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func vectors(_ message: String, _ digest: String) {
        #expect(SHA256.hex(message, digits: 64) == digest)
        #expect(Hex.text(SHA256.digest(Array(message.utf8).span).span) == digest)
        #expect(SHA256.hex(message, digits: 2) == digest.prefix(2))
    }
}
