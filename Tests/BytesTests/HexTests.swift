import Bytes
import Testing

@Suite struct HexTests {
    @Test("Read an address or a UUID in either case and write it in lower case")
    func text() {
        #expect(Hex.bytes("00fFA9") == [0x00, 0xFF, 0xA9])
        #expect(Hex.text(([0x00, 0xFF, 0xA9] as [UInt8]).span) == "00ffa9")
        #expect(Hex.bytes("") == [])
        for byte in UInt8.min ... .max {
            let text = Hex.text([byte].span)
            #expect(Hex.bytes(text) == [byte])
            #expect(Hex.bytes(text.uppercased()) == [byte])
        }
    }

    @Test("Reject text that is not whole bytes", arguments: ["0", "000", "0g", "g0", " 00", "0x00", "00 ", "ü0", "-1"])
    func refused(_ text: String) {
        #expect(Hex.bytes(text) == nil)
    }

    @Test("Accept separators between bytes, not inside one")
    func separators() {
        let colon: Set<UInt8> = [UInt8(ascii: ":")]
        #expect(Hex.bytes("aa:bb:cc", ignoring: colon) == [0xAA, 0xBB, 0xCC])
        #expect(Hex.bytes("a:abbcc", ignoring: colon) == nil)
        #expect(Hex.bytes("aa-bb", ignoring: colon) == nil)
    }

    @Test("Write numbers with the requested number of digits")
    func numbers() {
        #expect(Hex.text(UInt64(0x1_2345_6789), digits: 12) == "000123456789")
        #expect(Hex.text(UInt8(0xA5), digits: 6) == "0000a5")
        #expect(Hex.text(UInt16(0xBEEF), digits: 2) == "ef")
        #expect(Hex.text(UInt64.max, digits: 16) == "ffffffffffffffff")
        #expect(Hex.value(UInt8(ascii: "/")) == nil && Hex.value(UInt8(ascii: ":")) == nil)
        #expect(Hex.value(UInt8(ascii: "@")) == nil && Hex.value(UInt8(ascii: "`")) == nil)
    }
}
