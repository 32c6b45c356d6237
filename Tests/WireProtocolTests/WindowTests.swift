import Bytes
import WireProtocol
import Support
import Testing

/// The bytes of a written payload.
func written(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return json.text
}

func window(_ text: String) throws(PayloadFault) -> Window { try Window(payload: Array(text.utf8).span) }

extension Timestamp {
    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }
}

@Suite struct WindowTests {
    static let example =
        #"{"v":1,"seq":412,"from":1763715138,"to":1763715139,"node":"kitchen","epoch":"5f1c09aa","#
        + #""id":"iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1","item":"keys","count":17,"expected":19,"#
        + #""rssi":{"mean":-67.2,"median":-67,"min":-80,"max":-61,"sd":3.1},"power":-59,"#
        + #""distance":{"m":2.41,"low":1.5,"high":3.9},"proximity":"near","#
        + #""telemetry":{"battery_mv":2950,"temperature_c":21.5},"url":"https://example.com/"}"#
    static let least =
        #"{"seq":1,"from":1,"to":2,"node":"kitchen","epoch":"e","id":"00000000000a","count":0}"#

    private func exampleWindow() -> Window {
        var window = Window(
            seq: 412, from: .at(1_763_715_138), to: .at(1_763_715_139), node: "kitchen", epoch: "5f1c09aa",
            id: "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1", item: "keys", count: 17)
        window.expected = 19
        window.rssi = Window.Levels(mean: -67.2, median: -67, minimum: -80, maximum: -61, deviation: 3.1)
        window.power = -59
        window.distance = Window.Distance(metres: 2.41, low: 1.5, high: 3.9)
        window.proximity = .near
        window.telemetry = Telemetry(batteryMillivolts: 2950, temperatureCelsius: 21.5)
        window.url = "https://example.com/"
        return window
    }

    @Test("Write exactly the keys and values of a window that every reader of the contract expects")
    func exactBytes() throws {
        #expect(written { exampleWindow().write(to: &$0) } == Self.example)
        #expect(try window(Self.example) == exampleWindow())
    }

    @Test("Leave out unknown values instead of writing 0 or a sentinel")
    func absent() throws {
        let bare = Window(seq: 1, from: .at(1), to: .at(2), node: "kitchen", epoch: "e", id: "00000000000a", count: 0)
        #expect(
            written { bare.write(to: &$0) }
                == #"{"v":1,"seq":1,"from":1,"to":2,"node":"kitchen","epoch":"e","id":"00000000000a","count":0,"#
                + #""proximity":"unknown"}"#)
        #expect(try window(Self.least) == bare)
        var single = bare
        single.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
        #expect(written { single.write(to: &$0) }.contains(#""rssi":{"mean":-60,"median":-60,"min":-60,"max":-60}"#))
    }

    @Test("Read any window of a node back as it was sent")
    func roundTrips() throws {
        let seed: UInt64 = 0x51
        var random = SeededGenerator(seed: seed)
        let tenth = { (range: ClosedRange<Int>, random: inout SeededGenerator) in
            Double(Int.random(in: range, using: &random)) / 10
        }
        for _ in 0..<2_000 {
            let from = Timestamp(microseconds: Int64.random(in: 0...4_000_000_000_000, using: &random) * 1000)
            var sent = Window(
                seq: random.next(), from: from,
                to: from.advanced(byMicroseconds: Int64.random(in: 1...120_000, using: &random) * 1000),
                node: "n-\(UInt8.random(in: 0...99, using: &random))",
                epoch: Hex.text(UInt32.random(in: 0 ... .max, using: &random), digits: 8),
                id: "00000000000a", item: Bool.random(using: &random) ? "it_em" : nil,
                count: Int.random(in: 0...5000, using: &random))
            if Bool.random(using: &random) { sent.expected = tenth(0...9999, &random) }
            if Bool.random(using: &random) {
                sent.rssi = Window.Levels(
                    mean: tenth(-1270...200, &random), median: tenth(-1270...200, &random),
                    minimum: .random(in: -127...20, using: &random), maximum: .random(in: -127...20, using: &random),
                    deviation: Bool.random(using: &random) ? tenth(0...300, &random) : nil)
            }
            if Bool.random(using: &random) { sent.power = .random(in: -127...20, using: &random) }
            if Bool.random(using: &random) {
                let metres = tenth(1...100, &random)
                sent.distance = Window.Distance(metres: metres, low: metres / 2, high: metres * 2)
            }
            sent.proximity = [.unknown, .immediate, .near, .far].randomElement(using: &random)!
            if Bool.random(using: &random) {
                sent.telemetry = Telemetry(batteryMillivolts: .random(in: 0...4000, using: &random))
            }
            if Bool.random(using: &random) {
                sent.url = "http://www.a.test/\(UInt16.random(in: 0...999, using: &random))"
            }
            let text = written { sent.write(to: &$0) }
            #expect(try window(text) == sent, "seed \(seed): \(text)")
        }
    }

    @Test(
        "Reject a window without a required key by the name of that key",
        arguments: ["seq", "from", "to", "node", "epoch", "id", "count"])
    func missing(_ key: String) {
        let text = Self.least.replacing("\"\(key)\":", with: "\"other\":")
        #expect(throws: PayloadFault.missing(key)) { try window(text) }
    }

    @Test(
        "Reject a hostile window",
        arguments: [
            (#""count":0"#, #""count":-1"#), (#""count":0"#, #""count":1e308"#), (#""count":0"#, #""count":1.5"#),
            (#""count":0"#, #""count":200000000"#), (#""count":0"#, #""count":"1""#), (#""count":0"#, #""count":null"#),
            (#""to":2"#, #""to":1"#), (#""to":2"#, #""to":0.5"#), (#""to":2"#, #""to":1e308"#),
            (#""to":2"#, #""to":-1e308"#), (#""to":2"#, #""to":1e999"#), (#""to":2"#, #""to":86402"#),
            (#""seq":1"#, #""seq":-1"#), (#""seq":1"#, #""seq":18446744073709551616"#),
            (#""node":"kitchen""#, #""node":"a/b""#), (#""node":"kitchen""#, #""node":"""#),
            (#""node":"kitchen""#, #""node":"away""#), (#""node":"kitchen""#, #""node":"Küche""#),
            (#""node":"kitchen""#, #""node":["kitchen"]"#), (#""id":"00000000000a""#, #""id":"a b""#),
            (#""id":"00000000000a""#, #""id":"a.b""#), (#""id":"00000000000a""#, #""id":"+""#),
            (#""epoch":"e""#, #""epoch":1"#), (#""epoch":"e""#, #""epoch":"""#),
            (#""count":0"#, #""count":0,"item":"a b""#), (#""count":0"#, #""count":0,"item":"unknown""#),
            (#""count":0"#, #""count":0,"expected":-1"#), (#""count":0"#, #""count":0,"expected":1e308"#),
            (#""count":0"#, #""count":0,"rssi":{"mean":1e308,"median":0,"min":0,"max":0}"#),
            (#""count":0"#, #""count":0,"rssi":{"mean":-60,"median":-1e308,"min":0,"max":0}"#),
            (#""count":0"#, #""count":0,"rssi":{"mean":-60,"median":-60,"min":-900,"max":0}"#),
            (#""count":0"#, #""count":0,"rssi":{"mean":-60,"median":-60,"min":-60,"max":-60,"sd":-1}"#),
            (#""count":0"#, #""count":0,"rssi":-60"#), (#""count":0"#, #""count":0,"power":1000000"#),
            (#""count":0"#, #""count":0,"distance":{"m":1e308,"low":1,"high":1}"#),
            (#""count":0"#, #""count":0,"distance":{"m":-1,"low":-2,"high":1}"#),
            (#""count":0"#, #""count":0,"url":"javascript:x""#), (#""count":0"#, #""count":0,"url":"http://a b""#),
            (#""count":0"#, #""count":0,"url":"https://\u001b[2J""#),
            (#""count":0"#, "\"count\":0,\"url\":\"http://" + String(repeating: "a", count: 108) + "\""),
            (#""count":0"#, #""count":0,"telemetry":[]"#), (#""count":0}"#, #""count":0}}"#),
            (#""count":0"#, #""count":0,"expected":1e-300"#), (#""count":0"#, #""count":0,"expected":0.0000009"#),
            (#""count":0"#, #""count":0,"telemetry":{"battery_mv":-1}"#),
            (#""count":0"#, #""count":0,"telemetry":{"battery_mv":65536}"#),
            (#""count":0"#, #""count":0,"telemetry":{"battery_mv":9223372036854775807}"#),
        ])
    func hostile(_ honest: String, _ hostile: String) {
        let text = Self.least.replacing(honest, with: hostile)
        #expect(text != Self.least)
        #expect(throws: PayloadFault.self) { try window(text) }
    }

    @Test("Read the numbers at the ends of their ranges")
    func ends() throws {
        let with = { (extra: String) in String(Self.least.dropLast() + extra + "}") }
        #expect(try window(with(#","expected":0"#)).expected == 0)
        #expect(try window(with(#","expected":0.000001"#)).expected == 1e-6)
        #expect(try window(with(#","telemetry":{"battery_mv":0}"#)).telemetry?.batteryMillivolts == 0)
        #expect(try window(with(#","telemetry":{"battery_mv":65535}"#)).telemetry?.batteryMillivolts == 65_535)
    }

    @Test("Reject a payload over the bound unread")
    func tooLong() {
        let text = Self.least.dropLast() + ",\"x\":\"" + String(repeating: "x", count: 4096) + "\"}"
        #expect(throws: PayloadFault.tooLong(limit: 4096)) { try window(String(text)) }
        let epoch = String(repeating: "e", count: 2000)
        #expect(throws: PayloadFault.outOfRange("epoch")) {
            try window(Self.least.replacing(#""epoch":"e""#, with: "\"epoch\":\"\(epoch)\""))
        }
    }

    @Test("Ignore a newer node's unknown keys, nested up to the bound")
    func unknownKeys() throws {
        let with = { (extra: String) in String(Self.least.dropLast() + extra + "}") }
        #expect(try window(with(#","new":{"a":[1,{"b":null}]},"more":[true,"x"]"#)) == window(Self.least))
        #expect(try window(with(#","rssi":{"mean":-60,"median":-60,"min":-60,"max":-60,"p95":-58}"#)).rssi?.mean == -60)
        #expect(try window(with(#","proximity":"elsewhere""#)).proximity == .unknown)
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        #expect(throws: PayloadFault.self) { try window(with(",\"new\":" + deep)) }
    }

    @Test("Report a fault, not a trap, for a window cut or damaged anywhere")
    func damage() {
        let whole = Array(Self.example.utf8)
        for length in 0..<whole.count {
            #expect(throws: PayloadFault.self) { try Window(payload: Array(whole[..<length]).span) }
        }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? Window(payload: bytes.span)
        }
    }
}
