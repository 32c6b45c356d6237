import Bytes
import Support
import Testing

private func text(_ value: Double, _ decimals: Int) -> String {
    var json = JSONWriter()
    json.value(value, decimals: decimals)
    return json.text
}

private func text(_ time: Timestamp) -> String {
    var json = JSONWriter()
    json.value(time)
    return json.text
}

@Suite struct JSONWriterTests {
    @Test("Round numbers as a person would, without trailing zeros")
    func decimals() {
        #expect(text(2.414, 2) == "2.41")
        #expect(text(-67.0, 1) == "-67")
        #expect(text(-67.25, 1) == "-67.3" || text(-67.25, 1) == "-67.2")
        #expect(text(0.5, 0) == "1" || text(0.5, 0) == "0")
        #expect(text(-0.5, 1) == "-0.5")
        #expect(text(-0.05, 2) == "-0.05")
        #expect(text(-1.05, 2) == "-1.05")
        #expect(text(-0.001, 2) == "0")
        #expect(text(10, 3) == "10")
        #expect(text(100.100, 3) == "100.1")
        #expect(text(0.000_000_001, 9) == "0.000000001")
    }

    @Test("Write a valid JSON number for one beyond the range of decimals")
    func greatNumbers() throws {
        for value in [9e15, -9e15, 1e16, 1e300, -.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            #expect(faultOfSkipping(text(value, 3)) == nil)
        }
        #expect(try number(text(1e300, 9)) == 1e300)
    }

    @Test("Leave out a reading that is not finite, so that a reader never fails on it")
    func notFinite() {
        var json = JSONWriter()
        json.beginObject()
        for value in [Double.nan, .infinity, -.infinity] { json.field("x", value, decimals: 1) }
        json.field("n", Double?.none, decimals: 1)
        json.field("s", String?.none)
        json.field("i", Int?.none)
        json.field("b", Bool?.none)
        json.field("t", Timestamp?.none)
        json.field("y", 1)
        json.endObject()
        #expect(json.text == "{\"y\":1}")
        #expect(text(.nan, 1) == "null")
    }

    @Test("Write times as Unix seconds with milliseconds, before 1970 too")
    func times() {
        #expect(text(Timestamp(microseconds: 1_763_715_138_123_000)) == "1763715138.123")
        #expect(text(Timestamp(microseconds: 1_763_715_138_000_000)) == "1763715138")
        #expect(text(Timestamp(microseconds: 1_500)) == "0.002")
        #expect(text(Timestamp(microseconds: 1_499)) == "0.001")
        #expect(text(Timestamp(microseconds: -1_000)) == "-0.001")
        #expect(text(Timestamp(microseconds: -1_500_000)) == "-1.5")
        #expect(text(Timestamp(microseconds: .max)) == "9223372036854.776")
        #expect(text(Timestamp(microseconds: .min)) == "-9223372036854.776")
    }

    @Test("Escape a name so that it can't end its string")
    func escapes() throws {
        var json = JSONWriter()
        json.value("\"\\\u{0}\n\u{1F}\u{7F}ü\u{1F511}/")
        #expect(json.text == "\"\\\"\\\\\\u0000\\u000a\\u001f\\u007fü\u{1F511}/\"")
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            var name = ""
            for _ in 0..<8 {
                name.unicodeScalars.append(Unicode.Scalar(UInt16.random(in: 0...0xD7FF, using: &random))!)
            }
            json.removeAll()
            json.value(name)
            #expect(try Array(string(json.text).utf8) == Array(name.utf8))
        }
    }

    @Test("Set commas between values and nowhere else")
    func commas() {
        var json = JSONWriter()
        json.beginArray()
        json.beginObject()
        json.endObject()
        json.beginArray()
        json.value(1)
        json.value(true)
        json.endArray()
        json.value("x")
        json.endArray()
        json.endLine()
        json.beginObject()
        json.beginObject("a")
        json.field("b", hex: ([1, 0xAB] as [UInt8]).span)
        json.endObject()
        json.beginArray("c")
        json.endArray()
        json.field("d", false)
        json.endObject()
        #expect(json.text == "[{},[1,true],\"x\"]\n{\"a\":{\"b\":\"01ab\"},\"c\":[],\"d\":false}")
    }

    @Test("Write counts exactly at the ends of their types")
    func integers() throws {
        var json = JSONWriter()
        json.beginArray()
        json.value(Int64.min)
        json.value(UInt64.max)
        json.value(Int8.min)
        json.value(0)
        json.endArray()
        #expect(json.text == "[-9223372036854775808,18446744073709551615,-128,0]")
    }

    @Test("Read a written number back within half of the last decimal")
    func roundTrips() throws {
        let seed: UInt64 = 99
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let decimals = Int.random(in: 0...9, using: &random)
            let value = Double.random(in: -1e5...1e5, using: &random)
            var step = 1.0
            for _ in 0..<decimals { step /= 10 }
            let back = try number(text(value, decimals))
            #expect(abs(back - value) <= step * 0.5 + 5e-11, "\(value) with \(decimals), seed \(seed)")
            #expect(try number(text(back, decimals)) == back, "written twice, it is the same")
            let time = Timestamp(microseconds: .random(in: -4e15...4e15, using: &random))
            let again = try #require(Timestamp(seconds: number(text(time))))
            #expect(abs(again.microseconds(since: time)) <= 500)
        }
    }
}

extension Int64 {
    fileprivate static func random(in range: ClosedRange<Double>, using random: inout SeededGenerator) -> Int64 {
        Int64(Double.random(in: range, using: &random))
    }
}
