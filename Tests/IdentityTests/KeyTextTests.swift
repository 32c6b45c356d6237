import Identity
import Testing

/// Keys that a user put in a wrong place: a message about them must not contain them.
@Suite("Keys in what is shown") struct KeyTextTests {
    @Test(
        "Hide anything that may be a key in a text",
        arguments: [
            ("00112233445566778899aabbccddeeff", "…"), ("irk:00112233445566778899AABBCCDDEEFF", "irk:…"),
            ("Key=00112233445566778899aabbccddeeff", "Key=…"),
            ("00112233445566778899aabbccddeeff 10 1753862400", "… 10 1753862400"),
            ("00112233445566778899aabbccddeeff0011", "…"),
            ("00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff", "…"),
            ("x 00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff y", "x … y"),
            ("hex:00,11,22,33,44,55,66,77,88,99,aa,bb,cc,dd,ee,ff", "hex:…"),
            ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= 1753862400", "… 1753862400"),
            ("/+7dzLuqmYh3ZlVEMyIRAA==", "…"), ("irk: AAECAwQFBgcICQoLDA0ODw== ", "irk: … "),
        ])
    func hidden(text: String, shown: String) { #expect(KeyText.hidden(in: text) == shown) }

    @Test(
        "Show a text without a key unchanged",
        arguments: [
            "", "phone.irk", "keys/phone.irk", "aa:bb:cc:dd:ee:ff", "0123456789ab",
            "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1", "0001020304050607080901234567890",
            "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee", "Küche 🚪", "AAECAwQF==", "deadbeef",
        ])
    func plain(text: String) { #expect(KeyText.hidden(in: text) == text) }
}
