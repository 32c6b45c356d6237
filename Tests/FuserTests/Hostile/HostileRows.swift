import WireProtocol

extension HostileRow {
    static let all = shapes + types + times + numbers + names + senders + repeats + scans

    private static let shapes: [Self] = [
        .init("nothing", told: "ends too early", payload: []),
        .init("a word", told: "expected an object", payload: Array("online".utf8)),
        .init("null", told: "expected an object", payload: Array("null".utf8)),
        .init("a list", told: "expected an object", payload: Array("[\(window(7))]".utf8)),
        .init("an empty object", told: "'seq' is missing", payload: Array("{}".utf8)),
        .init("half a window", told: "ends too early", payload: Array(window(7).utf8.dropLast(40))),
        .init("two windows in one", told: "something follows", payload: Array((window(7) + window(8)).utf8)),
        .init("what isn't UTF-8", told: "not UTF-8", payload: Array("{\"item\":\"".utf8) + [0xC3, 0x28, 0x22, 0x7D]),
        .init("a giant string", told: "longer than 4096", [("url", "\"\(String(repeating: "a", count: 5000))\"")]),
        .init(
            "a deep nest", told: "nested too deeply",
            [("more", String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000))]),
        .init("control characters", told: "control character", [("item", "\"ke\u{1}ys\"")]),
    ]

    private static let types: [Self] = [
        .init("a number as text", told: "expected a number", [("seq", "\"412\"")]),
        .init("a broken number", told: "expected a whole number", [("seq", "4.12")]),
        .init("a time as text", told: "expected a number", [("to", "\"now\"")]),
        .init("a node of numbers", told: "expected a string", [("node", "7")]),
        .init("an item of lists", told: "expected a string", [("item", "[\"keys\"]")]),
        .init("a count that is true", told: "expected a number", [("count", "true")]),
        .init("levels as a number", told: "expected an object", [("rssi", "-60")]),
        .init("a level as text", told: "expected a number", [("rssi", levels("\"loud\""))]),
        .init("telemetry as a list", told: "expected an object", [("telemetry", "[2950]")]),
    ]

    private static let times: [Self] = [
        .init(
            "a year's end from now", .offClock, told: "clocks that are wrong",
            [("from", "32536000"), ("to", "32536001")]),
        .init("before 1970", .offClock, told: "clocks that are wrong", [("from", "-6"), ("to", "-5")]),
        .init(
            "a minute and more ago", .offClock, told: "clocks that are wrong", [("from", "999900"), ("to", "999901")]),
        .init("the end of time", told: "out of range", [("to", "1e308")]),
        .init("the beginning of time", told: "out of range", [("from", "-1e308")]),
        .init("no number at all", told: "expected a number", [("to", "NaN")]),
        .init("more than a number holds", told: "out of range", [("to", "1e999")]),
        .init("an end before its begin", told: "'to' is out of range", [("from", "1000090")]),
        .init("an interval of a day", told: "'to' is out of range", [("from", "913600")]),
    ]

    private static let numbers: [Self] = [
        .init("a level of 1e308", told: "'rssi' is out of range", [("rssi", levels("1e308"))]),
        .init("a level of -1e308", told: "'rssi' is out of range", [("rssi", levels("-1e308"))]),
        .init("a level of 1e999", told: "out of range", [("rssi", levels("1e999"))]),
        .init("a level of 21 dBm", told: "'rssi' is out of range", [("rssi", levels("21"))]),
        .init(
            "a spread of 1e308", told: "'rssi' is out of range",
            [
                ("rssi", "{\"mean\":-60,\"median\":-60,\"min\":-60,\"max\":-60,\"sd\":1e308}")
            ]),
        .init("fewer than no packets", told: "'count' is out of range", [("count", "-1")]),
        .init("more packets than fit", told: "out of range", [("count", "99999999999999999999")]),
        .init("a thousand million packets", told: "'count' is out of range", [("count", "1000000000")]),
        .init("an endless cadence", told: "'expected' is out of range", [("expected", "1e308")]),
        .init("a packet in ages", told: "'expected' is out of range", [("expected", "1e-300")]),
        .init("a voltage below none", told: "out of range", [("telemetry", "{\"battery_mv\":-1}")]),
        .init("a voltage beyond any", told: "out of range", [("telemetry", "{\"battery_mv\":9223372036854775807}")]),
        .init(
            "a distance of 1e308", told: "'distance' is out of range",
            [
                ("distance", "{\"m\":1e308,\"low\":1,\"high\":1e308}")
            ]),
        .init("a power of 1e9", told: "'power' is out of range", [("power", "1000000000")]),
    ]

    private static let names: [Self] = [
        .init("another node than the topic's", told: "'node' is out of range", [("node", "\"hall\"")]),
        .init("another item than the topic's", told: "'item' is out of range", [("item", "\"cat\"")]),
        .init("no item where the topic has one", told: "'item' is out of range", [("item", "")]),
        .init("an item with slashes", told: "'item' is out of range", [("item", "\"keys/../cat\"")]),
        .init("a word that is no item", told: "'item' is out of range", [("item", "\"away\"")]),
        .init("a beacon with wildcards", told: "'id' is out of range", [("id", "\"#\"")]),
        .init(
            "an epoch that is a story", told: "'epoch' is out of range",
            [("epoch", "\"\(String(repeating: "once upon a time, ", count: 9))\"")]),
        .init("an address that runs a script", told: "'url' is out of range", [("url", "\"javascript:alert(1)\"")]),
    ]

    private static let senders: [Self] = [
        .init("a node that told nothing of itself", .unplaced, told: "no info tells where it stands: node ghost") {
            end in
            [
                Message(
                    topic: topics.window(beacon: "keys", node: "ghost"), text: window(end, [("node", "\"ghost\"")])),
                Message(topic: topics.scan("ghost"), text: scan(end, [])),
            ]
        },
        .init("a window that the broker kept", .refused, told: "the broker kept it") { end in
            [
                Message(
                    topic: topics.window(beacon: "keys", node: "kitchen"), payload: Array(window(end).utf8),
                    retained: true)
            ]
        },
        .init("another prefix's leftovers", .refused, told: "no topic of ours") { end in
            [Message(topic: Topics(prefix: "old").window(beacon: "keys", node: "kitchen"), text: window(end))]
        },
        .init("a topic of names that are none", .refused, told: "no topic of ours") { end in
            [Message(topic: "whereabouts/windows/00/Keys and more/kitchen", text: window(end))]
        },
    ]

    private static let repeats: [Self] = [
        .init("an interval that was weighed", .late, told: "after their interval was weighed") { end in
            (2...5).map { Message(topic: topics.window(beacon: "keys", node: "kitchen"), text: window(end - $0)) }
        },
        .init("the same interval again", .doubled, told: "twice") { end in
            let node = end < 20 ? "kitchen" : "hall"
            let text = window(end, [("node", "\"\(node)\"")])
            return (0..<4).map { _ in Message(topic: topics.window(beacon: "keys", node: node), text: text) }
        },
    ]

    private static let scans: [Self] = [
        row(scanOf: "a scan of wrong types", .refused, told: "expected a number", [("seq", "[]")]),
        row(
            scanOf: "a scan of fewer than no windows", .refused, told: "'windows' is out of range", [("windows", "-1")]),
        row(
            scanOf: "a scan of more reports than fit", .refused, told: "'reports' is out of range",
            [("reports", "9223372036854775807")]),
        row(
            scanOf: "a scan of more events than JSON counts", .refused, told: "'last_event' is out of range",
            [("last_event", "9007199254740993")]),
        row(scanOf: "a scan that lasted a day", .refused, told: "'to' is out of range", [("from", "913600")]),
        row(
            scanOf: "a scan from next year", .offClock, told: "clocks that are wrong",
            [
                ("from", "32536000"), ("to", "32536001"),
            ]),
        row(
            scanOf: "a scan of another clock", .refused, told: "lives on another clock",
            [
                ("clock", "{\"origin\":1000000,\"start\":5000000,\"speed\":8}")
            ]),
        row(
            scanOf: "a scan of an endless speed", .refused, told: "out of range",
            [
                ("clock", "{\"origin\":1000000,\"speed\":1e308}")
            ]),
        .init("a scan that the broker kept", .refused, told: "the broker kept it") { end in
            [Message(topic: topics.scan("kitchen"), payload: Array(scan(end, []).utf8), retained: true)]
        },
    ]

    private static func row(
        scanOf name: String, _ counter: Counter, told: String, _ changes: [(key: String, json: String)]
    ) -> Self {
        .init(name, counter, told: told) { [Message(topic: topics.scan("kitchen"), text: scan($0, changes))] }
    }
}
