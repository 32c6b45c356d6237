import Bytes
import Support
import Testing

/// Reads past a whole text; returns nil if it is accepted, else the fault.
func faultOfSkipping(_ text: String, depth: Int = 16) -> JSONFault? { faultOfSkipping(Array(text.utf8), depth: depth) }

func faultOfSkipping(_ bytes: [UInt8], depth: Int = 16) -> JSONFault? {
    var json = JSONReader(bytes.span, maximumDepth: depth)
    do {
        try json.skip()
        try json.end()
        return nil
    } catch {
        return error
    }
}

func number(_ text: String) throws(JSONFault) -> Double {
    let bytes = Array(text.utf8)
    var json = JSONReader(bytes.span)
    let value = try json.number()
    try json.end()
    return value
}

func integer<Integer: FixedWidthInteger>(_ text: String, _ type: Integer.Type) throws(JSONFault) -> Integer {
    let bytes = Array(text.utf8)
    var json = JSONReader(bytes.span)
    let value = try json.integer(type)
    try json.end()
    return value
}

func string(_ text: String) throws(JSONFault) -> String {
    let bytes = Array(text.utf8)
    var json = JSONReader(bytes.span)
    let value = try json.string()
    try json.end()
    return value
}

@Suite struct JSONReaderTests {
    static let sample = """
        {"v":1,"name":"K\\u00fcche \\"1\\" \\ud83d\\ude00","levels":[-67.25,0,1e2,-0.5E-3],"none":null,"on":true,
         "off":false,"deep":{"a":[{"b":[]},{}]},"last":"\u{1F511}"}
        """

    @Test(
        "Read another publisher's message in any valid form",
        arguments: [
            "0", "-0", "1", "-1", "0.5", "-0.5", "1e5", "1E+5", "1e-5", "10.25e10", "\"\"", "\"a\"", "\"\\u0000\"",
            "\"\\\\\\/\\b\\f\\n\\r\\t\\\"\"", "null", "true", "false", "[]", "{}", " [ ] ", "\t{\r\n}\n", "[1,2]",
            "[ 1 , 2 ]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }", "[[[]]]", "\"\u{7F}\"", "\"ü\u{1F511}\"",
            "{\"\":0}", "{\"a\":1,\"a\":2}",
        ])
    func takesTheGrammar(_ text: String) {
        #expect(faultOfSkipping(text) == nil)
    }

    @Test(
        "Reject text that is not JSON, and never read it as a value",
        arguments: [
            "", " ", "01", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "-a", "0x10", "NaN", "Infinity", "-Infinity",
            "tru",
            "True", "nul", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\u{1}\"", "\"\n\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]",
            "[1}", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\" 1}",
            "{\"a\":1 \"b\":2}", "{1:2}", "'a'", "1 1", "{}{}", "[]]", "//", "\u{FEFF}{}",
        ])
    func refusesOthers(_ text: String) {
        #expect(faultOfSkipping(text) != nil)
    }

    @Test("Report a fault inside a message that is cut anywhere")
    func truncations() {
        let whole = Array(Self.sample.utf8)
        #expect(faultOfSkipping(whole) == nil)
        for length in 0..<whole.count {
            guard let fault = faultOfSkipping(Array(whole[..<length])) else {
                Issue.record("taken at \(length)")
                continue
            }
            #expect((0...length).contains(fault.offset))
        }
    }

    @Test("Survive twenty thousand damaged messages")
    func mutations() {
        let seed: UInt64 = 0xB17E5
        var random = SeededGenerator(seed: seed)
        let whole = Array(Self.sample.utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert("{}[]\",:\\0-e.u\u{1}".utf8.randomElement(using: &random)!, at: place)
                }
            }
            if let fault = faultOfSkipping(bytes) {
                #expect((0...bytes.count).contains(fault.offset), "seed \(seed)")
            }
        }
    }

    @Test("Reject a hostile message with endless nesting before the stack is used up")
    func depth() {
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(faultOfSkipping(nested(16)) == nil)
        #expect(faultOfSkipping(nested(17))?.reason == .tooDeep)
        #expect(faultOfSkipping(String(repeating: "{\"a\":", count: 100_000))?.reason == .tooDeep)
        #expect(faultOfSkipping(nested(63), depth: 1000) == nil)
        #expect(faultOfSkipping(nested(64), depth: 1000)?.reason == .tooDeep)
    }

    @Test("Require commas in a container after another one at the same depth was left")
    func siblings() {
        #expect(faultOfSkipping("[[1],[2,3],[]]") == nil)
        #expect(faultOfSkipping("[[1][2]]")?.reason == .expectedComma)
        #expect(faultOfSkipping("{\"a\":{\"b\":1}\"c\":2}")?.reason == .expectedComma)
    }

    @Test("Read the exact value of a level, time or count")
    func numbers() throws {
        for text in [
            "0", "-1", "0.1", "-67.2", "1789.125", "1763715138.123", "123456789012345", "0.000000000000001", "1e22",
            "1e23",
            "9007199254740993", "179769313486231570000000000000e279", "5e-324", "2.2250738585072014e-308", "4.35",
            "1E2",
            "3.14159265358979323846264338327950288",
        ] {
            #expect(try number(text) == Double(text), "\(text)")
        }
        #expect(try number("-0").sign == .minus)
        #expect(try number("-0.0").sign == .minus)
        #expect(try number("1e-999") == 0)
    }

    @Test("Read random numbers as the nearest double")
    func randomNumbers() throws {
        var random = SeededGenerator(seed: 77)
        for _ in 0..<5_000 {
            let whole = Int.random(in: -1_000_000...1_000_000, using: &random)
            let digits = Int.random(in: 0...999_999_999, using: &random)
            #expect(try number("\(whole).\(digits)") == Double("\(whole).\(digits)"))
            let any = Double(bitPattern: random.next())
            if any.isFinite { #expect(try number(any.description) == any) }
        }
    }

    @Test("Reject an excessive number as out of range, not infinite", arguments: ["1e999", "-1e999", "1e309"])
    func infinite(_ text: String) {
        #expect(throws: JSONFault(.outOfRange, at: 0)) { try number(text) }
    }

    @Test("Read exact counts up to the ends of their types and reject larger ones")
    func integers() throws {
        #expect(try integer("18446744073709551615", UInt64.self) == .max)
        #expect(try integer("-9223372036854775808", Int64.self) == .min)
        #expect(try integer("9223372036854775807", Int64.self) == .max)
        #expect(try integer("-128", Int8.self) == -128)
        #expect(try integer("-0", UInt8.self) == 0)
        for text in ["18446744073709551616", "-1", "99999999999999999999999999999"] {
            #expect(throws: JSONFault(.outOfRange, at: 0)) { try integer(text, UInt64.self) }
        }
        #expect(try integer("-9223372036854775809", Int128.self) == Int128(Int64.min) - 1)
        for text in ["9223372036854775808", "-9223372036854775809", "-18446744073709551615"] {
            #expect(throws: JSONFault(.outOfRange, at: 0)) { try integer(text, Int64.self) }
        }
        for text in ["128", "-129", "300", "1000"] {
            #expect(throws: JSONFault(.outOfRange, at: 0)) { try integer(text, Int8.self) }
        }
        for text in ["1.0", "1e2", "1.5", "-1.5"] {
            #expect(throws: JSONFault(.expectedInteger, at: 0)) { try integer(text, Int.self) }
        }
        #expect(throws: JSONFault.self) { try integer("\"1\"", Int.self) }
    }

    @Test("Read names with any character as they were written")
    func strings() throws {
        #expect(try string("\"K\\u00fcche\"") == "Küche")
        #expect(try string("\"\\ud83d\\uDD11\"") == "\u{1F511}")
        #expect(try string("\"\\u0000\\uFFFF\"") == "\u{0}\u{FFFF}")
        #expect(try string("\"a\\\\\\/\\b\\f\\n\\r\\t\\\"z\"") == "a\\/\u{8}\u{C}\n\r\t\"z")
        #expect(try string("\"ü\\nü\"") == "ü\nü")
    }

    @Test("Reject text that is not UTF-8, plain or beside an escape")
    func notUTF8() {
        let overlong: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80],
        ]
        for bytes in overlong {
            #expect(faultOfSkipping([0x22] + bytes + [0x22])?.reason == .notUTF8)
            #expect(faultOfSkipping([0x22, 0x5C, 0x6E] + bytes + [0x22])?.reason == .notUTF8)
        }
        #expect(faultOfSkipping([0xFF])?.offset == 0)
    }

    @Test("Report a value of another kind than expected as such")
    func wrongKinds() {
        let text = Array("{\"a\":\"x\"}".utf8)
        var json = JSONReader(text.span)
        #expect(throws: JSONFault(.expectedArray, at: 0)) { try json.beginArray() }
        #expect(throws: JSONFault.self) { try number("true") }
        #expect(throws: JSONFault(.expectedString, at: 0)) { try string("1") }
        #expect(JSONFault(.expectedNumber, at: 17).description == "expected a number at byte 17")
    }
}
