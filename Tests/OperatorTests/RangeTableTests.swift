import BeaconFrames
import Bytes
import Identity
import WireProtocol
import Testing

@testable import Operator

/// A table that receives windows as lines and returns its rows as text.
///
/// `1.0 kitchen keys -60 2.4` is a window that arrived at second 1: its node, its item (or its id, which holds a colon
/// or is twelve digits), its mean level and its distance, `-` for none; more words are `url=` and `every=`.
private struct Page {
    var table: RangeTable
    var shownNodes = true
    var width: Int?
    var hasColours = false

    init(names: [String: String] = ["keys": "Keys", "cat": "The cat"], showsAll: Bool = false) {
        table = RangeTable(
            names: NameBook(items: names.map { Item(id: $0.key, name: $0.value, identities: []) }), showsAll: showsAll)
    }

    mutating func hear(_ lines: String) {
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let time = Timestamp.at(Double(words[0]) ?? 0)
            let isID = words[2].contains(":") || words[2].count == 12
            var window = Window(
                seq: 1, from: time.advanced(bySeconds: -1), to: time, node: words[1], epoch: "e",
                id: isID ? words[2] : "iBeacon:\(words[2])", item: isID ? nil : words[2],
                count: words[3] == "telemetry" ? 0 : 4)
            if let level = Double(words[3]) {
                window.rssi = Window.Levels(
                    mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
            }
            if words.count > 4, let metres = Double(words[4]) {
                window.distance = Window.Distance(metres: metres, low: metres / 2, high: metres * 2)
                window.proximity = metres < 0.5 ? .immediate : metres < 4 ? .near : .far
            }
            for word in words.dropFirst(5) {
                if word.hasPrefix("url=") { window.url = String(word.dropFirst(4)) }
                if word.hasPrefix("class=") {
                    window.transmitterClass = TransmitterClass(rawValue: String(word.dropFirst(6)))
                }
                if word.hasPrefix("every=") { window.expected = 1 / (Double(word.dropFirst(6)) ?? 1) }
            }
            table.receive(window, at: time)
        }
    }

    func text(at seconds: Double, limit: Int = .max) -> String {
        RangeView(showsNodes: shownNodes).lines(
            table.rows(at: .at(seconds)), width: width, hasColours: hasColours, limit: limit
        ).joined(separator: "\n")
    }
}

extension Timestamp {
    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }
}

@Suite struct RangeTableTests {
    @Test("Prefer the registry's name over a file's")
    func registeredName() throws {
        var page = Page()
        page.hear("1 kitchen keys -60 2.4")
        let identity = try #require(BeaconID("iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"))
        let item = Item(id: "keys", name: "Anna's keys", identities: [identity])
        page.table.receive(ItemChange(id: "keys", content: .item(item), at: nil).payload.span, of: "keys")
        let broken: [UInt8] = [0x7B]
        page.table.receive(broken.span, of: "keys")
        #expect(page.text(at: 1.5).contains("Anna's keys"))
    }

    @Test("List the nearest first, then those with a level alone, then those without a recent packet")
    func nearness() {
        var page = Page(showsAll: true)
        page.hear(
            """
            1 kitchen keys -80 6
            1 kitchen iBeacon:gone-1-1 -40 0.2
            20 kitchen 0a0a0a0a0a0a -50 -
            20 kitchen cat -62 1.84 url=https://cat.example/
            20 kitchen iBeacon:far-1-2 -90 40
            20 kitchen 0b0b0b0b0b0b - -
            21 kitchen keys -75 0.3
            """)
        #expect(
            page.text(at: 21) == """
                NAME     PROXIMITY  DISTANCE         RSSI  SEEN  NODE     ID                URL
                Keys     immediate  0.3 m (0.2–0.6)   -75   now  kitchen  iBeacon:keys
                The cat  near       1.8 m (0.9–3.7)   -62   now  kitchen  iBeacon:cat       https://cat.example/
                –        far        40 m (20–80)      -90   now  kitchen  iBeacon:far-1-2
                –        unknown                      -50   now  kitchen  0a0a0a0a0a0a
                –        unknown                            now  kitchen  0b0b0b0b0b0b
                –        unknown    0.2 m (0.1–0.4)   -40  20 s  kitchen  iBeacon:gone-1-1
                """)
    }

    @Test("Show no distance after ten seconds without a packet, and drop the beacon after a minute")
    func ageing() {
        var page = Page()
        page.hear("0 kitchen keys -60 1")
        let proximity = { (time: Double) in page.table.rows(at: .at(time)).map(\.proximity) }
        #expect(proximity(0) == [.near])
        #expect(proximity(9.9) == [.near])
        #expect(proximity(10.1) == [.unknown])
        #expect(proximity(59.9) == [.unknown])
        #expect(proximity(60.1) == [])
        #expect(page.table.rows(at: .at(500), keepsAll: true).count == 1)
        #expect(proximity(-5) == [.near], "a clock that went back")
    }

    @Test("Keep the distance of a beacon with a packet every 30 s between its advertisements")
    func slowCadence() {
        var page = Page()
        page.hear("0 kitchen keys -60 1 every=30")
        #expect(page.table.rows(at: .at(149)).first?.proximity == .near)
        #expect(page.table.rows(at: .at(151)).first?.proximity == .unknown)
        #expect(page.table.rows(at: .at(899)).count == 1)
        #expect(page.table.rows(at: .at(901)).isEmpty)
    }

    @Test("Show the node of the best reception, and another when that one falls silent")
    func nodes() {
        var page = Page()
        page.hear("1 kitchen keys -60 1\n1 hall keys -70 3")
        #expect(page.table.rows(at: .at(1)).map(\.window.node) == ["kitchen"])
        page.hear("2 hall keys -55 0.8\n2 kitchen keys -66 2")
        #expect(page.table.rows(at: .at(2)).map(\.window.node) == ["hall"])
        page.hear("3 kitchen keys -80 6\n6 kitchen keys -80 6")
        #expect(page.table.rows(at: .at(6)).map(\.window.node) == ["hall"])
        page.hear("7 kitchen keys -80 6")
        #expect(page.table.rows(at: .at(7)).map(\.window.node) == ["kitchen"])
    }

    @Test("Keep a beacon present by telemetry, without hiding its level or address")
    func telemetry() {
        var page = Page()
        page.hear("1 kitchen keys -60 1 url=https://k.example/\n9 kitchen keys telemetry")
        let row = page.table.rows(at: .at(12)).first
        #expect(row?.window.rssi?.mean == -60 && row?.url == "https://k.example/" && row?.age == 3)
    }

    @Test("Count and hide transmitters known by their address alone, unless all are requested")
    func addresses() {
        let lines = "1 kitchen 0a0a0a0a0a0a -50\n1 kitchen 0b0b0b0b0b0b -50 - url=http://a.example\n1 kitchen keys -60"
        var page = Page()
        page.hear(lines)
        #expect(page.table.rows(at: .at(1)).map(\.window.id) == ["0b0b0b0b0b0b", "iBeacon:keys"])
        #expect(page.table.hidden == 1)
        page = Page(showsAll: true)
        page.hear(lines)
        #expect(page.table.rows(at: .at(1)).count == 3)
        #expect(page.table.hidden == 0)
    }

    @Test("Show the class of a transmitter that cannot be registered, in a column of its own")
    func classes() {
        var page = Page(showsAll: true)
        page.hear("1 kitchen keys -60 2.4\n1 kitchen 0a0a0a0a0a0a -50 - class=find_my_separated")
        let shown = page.text(at: 1)
        #expect(shown.contains("CLASS") && shown.contains("Apple Find My, separated"), "\(shown)")
        page = Page(showsAll: true)
        page.hear("1 kitchen keys -60 2.4")
        #expect(!page.text(at: 1).contains("CLASS"))
        var json = JSONWriter()
        page.hear("2 kitchen 0a0a0a0a0a0a -50 - class=tile")
        page.table.rows(at: .at(2)).first { $0.window.item == nil }?.write(to: &json)
        #expect(json.text.contains(#""class":"tile""#))
    }

    @Test("Bound the memory of a crowd by dropping the beacons with the oldest packets")
    func bound() {
        var table = RangeTable(showsAll: true)
        for number in 0..<UInt64(RangeTable.capacity + 500) {
            let id = Hex.text(number, digits: 12)
            table.receive(Window(seq: 1, from: .at(0), to: .at(1), node: "n", epoch: "e", id: id, count: 1), at: .at(1))
        }
        #expect(table.rows(at: .at(1)).count == RangeTable.capacity)
        #expect(table.evicted == 500)
    }

    @Test("Print every known value for scripts, and no unknown one")
    func json() {
        var page = Page()
        page.hear("1763715139 kitchen keys -67.2 2.41 url=https://k.example/\n1763715140 hall iBeacon:x-1-1 - -")
        var json = JSONWriter()
        for row in page.table.rows(at: .at(1_763_715_140.5)) {
            row.write(to: &json)
            json.endLine()
        }
        #expect(
            json.text == """
                {"id":"iBeacon:keys","item":"keys","name":"Keys","url":"https://k.example/","node":"kitchen",\
                "proximity":"near","rssi":-67.2,"distance":{"m":2.41,"low":1.21,"high":4.82},"count":4,\
                "last_seen":1763715139,"age_s":1.5}
                {"id":"iBeacon:x-1-1","node":"hall","proximity":"unknown","count":4,"last_seen":1763715140,"age_s":0.5}

                """)
    }

    @Test("Cut ids in the middle on a narrow terminal, then drop columns, and exceed the width on no line")
    func narrow() {
        var page = Page(names: ["keys": "The keys of the garden house"])
        page.hear("1 kitchen keys -60 1\n1 kitchen iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1 -70 3")
        page.width = 80
        #expect(
            page.text(at: 1) == """
                NAME            PROXIMITY  DISTANCE         RSSI  SEEN  NODE     ID
                The keys of t…  near       1.0 m (0.5–2.0)   -60   now  kitchen  iBeacon:keys
                –               near       3.0 m (1.5–6.0)   -70   now  kitchen  iBeacon…0-100-1
                """)
        for width in 1...140 {
            page.width = width
            for line in page.text(at: 1).split(separator: "\n") { #expect(DisplayText.width(String(line)) <= width) }
        }
    }

    @Test("End a long table at the terminal's last line, with the number of missing rows")
    func limit() {
        var page = Page()
        for number in 1...9 { page.hear("1 kitchen iBeacon:x-1-\(number) -60 \(number)") }
        let lines = page.text(at: 1, limit: 4).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.last == "… and 6 more")
        #expect(page.text(at: 1, limit: 9).split(separator: "\n").count == 10)
    }
}
