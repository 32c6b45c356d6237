import Bytes
import Testing

@Suite struct SpanTests {
    private let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 0xF9]

    @Test("Read integers in both byte orders")
    func values() {
        let span = bytes.span
        #expect(span.littleEndian(UInt16.self, at: 0) == 0x0201)
        #expect(span.bigEndian(UInt16.self, at: 0) == 0x0102)
        #expect(span.littleEndian(UInt64.self, at: 1) == 0xF908_0706_0504_0302)
        #expect(span.bigEndian(UInt64.self, at: 1) == 0x0203_0405_0607_08F9)
        #expect(span.bigEndian(UInt8.self, at: 8) == 0xF9)
        #expect(span.byte(at: 8) == 0xF9)
        #expect(span.signedByte(at: 8) == -7)
    }

    @Test("Compare with a text by bytes, find a byte, and read UTF-8 alone as a text")
    func texts() {
        let text = Array("caf\u{E9}/b".utf8), decomposed = Array("cafe\u{301}".utf8)
        let span = text.span
        #expect(span.begins(with: "caf\u{E9}") && span.begins(with: "") && span.begins(with: "caf\u{E9}/b"))
        #expect(
            !span.begins(with: "b") && !span.begins(with: "caf\u{E9}/bc") && !decomposed.span.begins(with: "caf\u{E9}"))
        #expect(span.firstIndex(of: UInt8(ascii: "/"), from: 0) == 5 && span.firstIndex(of: 0x63, from: 1) == nil)
        #expect(span.firstIndex(of: UInt8(ascii: "b"), from: 6) == 6 && span.firstIndex(of: 0x62, from: 7) == nil)
        #expect(span.firstIndex(of: 0x62, from: 99) == nil)
        #expect(span.text == "caf\u{E9}/b" && span.extracting(0..<4).text == nil && span.extracting(0..<0).text == "")
    }

    @Test("Return nil at any offset past the end of a short packet")
    func ends() {
        let span = bytes.span
        for offset in [-1, Int.min, Int.max, 8] {
            #expect(span.littleEndian(UInt16.self, at: offset) == nil)
            #expect(span.bigEndian(UInt16.self, at: offset) == nil)
            #expect(span.hasBytes([8, 0xF9, 0], at: offset) == false)
        }
        for offset in [-1, 9, Int.max, Int.min] {
            #expect(span.byte(at: offset) == nil)
            #expect(span.signedByte(at: offset) == nil)
        }
        #expect(span.bigEndian(UInt64.self, at: 2) == nil)
        let empty: [UInt8] = []
        #expect(empty.span.bigEndian(UInt8.self, at: 0) == nil)
        #expect(empty.span.hasBytes([]) == true)
    }

    @Test("Compare prefixes within the bounds")
    func prefixes() {
        let span = bytes.span
        #expect(span.hasBytes([1, 2]) == true)
        #expect(span.hasBytes([8, 0xF9], at: 7) == true)
        #expect(span.hasBytes([8, 0xF8], at: 7) == false)
        #expect(span.hasBytes(bytes + [0]) == false)
    }

    @Test("Read appended bytes back")
    func appended() {
        var written: [UInt8] = []
        written.append(bigEndian: UInt32(0xDEAD_BEEF))
        written.append(littleEndian: UInt32(0xDEAD_BEEF))
        written.append(contentsOf: bytes.span.extracting(0..<2))
        #expect(written == [0xDE, 0xAD, 0xBE, 0xEF, 0xEF, 0xBE, 0xAD, 0xDE, 1, 2])
        #expect([UInt8](copying: bytes.span) == bytes)
    }
}
