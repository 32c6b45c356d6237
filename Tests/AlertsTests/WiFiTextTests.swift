import Alerts
import Testing

@Suite struct WiFiTextTests {
    @Test(arguments: [
        ("Guests", "correct horse", false, "WIFI:T:WPA;S:Guests;P:correct horse;;"),
        ("Guests", "correct horse", true, "WIFI:T:WPA;S:Guests;P:correct horse;H:true;;"),
        (#"a\b;c,d:e"f"#, #"p;:,\"pass"#, false, #"WIFI:T:WPA;S:a\\b\;c\,d\:e\"f;P:p\;\:\,\\\"pass;;"#),
        ("CAFE", "12345678", false, #"WIFI:T:WPA;S:"CAFE";P:12345678;;"#),
        ("ABCDE", "abcdefgh", false, #"WIFI:T:WPA;S:"ABCDE";P:abcdefgh;;"#),
        ("Café", "abcdefgh", false, "WIFI:T:WPA;S:Café;P:abcdefgh;;"),
    ])
    func aPhoneReadsWhatWasMeant(name: String, passphrase: String, isHidden: Bool, text: String) throws {
        #expect(try WiFiText.encode(name: name, passphrase: passphrase, isHidden: isHidden) == text)
    }

    @Test func anOpenNetworkHasNoPassphrase() throws {
        #expect(try WiFiText.encode(name: "Café", passphrase: nil) == "WIFI:T:nopass;S:Café;;")
    }

    @Test(arguments: ["", "short", "äöüäöüäöü", String(repeating: "x", count: 64), "line\nend of it"])
    func whatNoNetworkTakesIsRefusedAndNotRepeated(passphrase: String) {
        #expect {
            _ = try WiFiText.encode(name: "n", passphrase: passphrase)
        } throws: { error in
            error as? WiFiText.Fault == .passphrase && (passphrase.isEmpty || !"\(error)".contains(passphrase))
        }
    }

    @Test(arguments: ["", String(repeating: "n", count: 33)])
    func aNameHasOneTo32Bytes(name: String) {
        #expect(throws: WiFiText.Fault.name) { try WiFiText.encode(name: name, passphrase: nil) }
    }

    @Test func aKeyOf64DigitsIsTaken() throws {
        let key = String(repeating: "0f", count: 32)
        #expect(try WiFiText.encode(name: "n", passphrase: key) == "WIFI:T:WPA;S:n;P:\(key);;")
    }
}
