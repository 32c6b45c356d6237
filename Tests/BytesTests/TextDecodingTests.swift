import Bytes
import Testing

@Suite("Encodings of files that people make")
struct TextDecodingTests {
    private static func utf16(_ text: String, isBigEndian: Bool, mark: Bool = true) -> [UInt8] {
        (mark ? "\u{FEFF}" + text : text).utf16.flatMap { unit -> [UInt8] in
            let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBigEndian ? pair : pair.reversed()
        }
    }

    private static func outcome(_ bytes: [UInt8]) -> String {
        do {
            return String(decoding: try TextDecoding.utf8(bytes), as: UTF8.self)
        } catch { return "\(error.line):\(error.column): \(error.message)" }
    }

    @Test("Accept UTF-8 and, with a byte order mark, UTF-16 of either byte order")
    func accepted() {
        let text = "id;name\r\nkeys;Schlüssel 🔑 €\r\n"
        #expect(Self.outcome(Array(text.utf8)) == text)
        #expect(Self.outcome([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
        for isBigEndian in [false, true] {
            #expect(Self.outcome(Self.utf16(text, isBigEndian: isBigEndian)) == text)
        }
        #expect(Self.outcome([]).isEmpty)
    }

    @Test("Name every other encoding with its place and the remedy")
    func refused() {
        let mend = "; save it in UTF-8 (from a spreadsheet as CSV UTF-8)"
        let latin = Array("id,name\r\nkeys,Schl".utf8) + [0xFC] + Array("ssel\r\n".utf8)
        #expect(Self.outcome(latin) == "2:10: not UTF-8: byte 0xFC, 'ü' in Windows-1252 (Latin-1)" + mend)
        #expect(Self.outcome([0x61, 0x0D, 0x80]) == "2:1: not UTF-8: byte 0x80" + mend)
        for (isBigEndian, name) in [(false, "UTF-16LE"), (true, "UTF-16BE")] {
            let bytes = Self.utf16("id,name\nkeys,Keys\n", isBigEndian: isBigEndian, mark: false)
            #expect(Self.outcome(bytes).hasSuffix("\(name) without a byte order mark" + mend))
            let cut = Self.utf16("id\nk", isBigEndian: isBigEndian).dropLast()
            #expect(Self.outcome(Array(cut)) == "2:1: \(name) by its mark, cut off within a character" + mend)
            let half = Self.utf16("id\nk", isBigEndian: isBigEndian) + (isBigEndian ? [0xD8, 0x3D] : [0x3D, 0xD8])
            #expect(Self.outcome(half) == "2:2: \(name) by its mark, with half a character" + mend)
        }
        #expect(Self.outcome(Array("PK\u{3}\u{4}rest".utf8)).contains(".xlsx or .ods"))
        #expect(Self.outcome([0xD0, 0xCF, 0x11, 0xE0, 1]).contains(".xls"))
        #expect(Self.outcome([0x1F, 0x8B, 8]).contains("gunzip"))
        #expect(Self.outcome([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0]).contains("UTF-32"))
        #expect(Self.outcome(Array("id\nk".utf8) + [0]) == "2:2: a NUL byte, which is not text; is it the right file?")
    }

    @Test("Return text or a fault for every truncation, never a trap")
    func truncations() {
        let text = "id;name\r\nkeys;Schlüssel 🔑\r\n"
        for whole in [
            Array(text.utf8), Self.utf16(text, isBigEndian: false), Self.utf16(text, isBigEndian: true),
            Self.utf16(text, isBigEndian: true, mark: false),
        ] {
            for length in 0...whole.count { _ = Self.outcome(Array(whole.prefix(length))) }
        }
    }
}
