import Alerts
import Bytes
import Foundation
import Metrics
import WireProtocol
import Support
import Testing

@testable import Fuser

/// Every payload on every topic that a fuser reads: what is spoilt is counted, and honest nodes are served as before.
@Suite struct HostileTopicsTests {
    /// An honest payload of a kind of topic, beside the house of the test.
    struct Subject: Sendable, CustomTestStringConvertible {
        let topic: String
        let honest: String
        /// Whether its payload is an object, so that anything else is refused.
        var isObject = true

        var testDescription: String { topic }
        var payload: [UInt8] { Array(honest.utf8) }
    }

    static let at = "1000020.5"

    private static let cupInAttic: [(key: String, json: String)] = [
        ("node", "\"attic\""), ("item", "\"cup\""), ("expected", "19"),
        ("rssi", #"{"mean":-31,"median":-31,"min":-32,"max":-30,"sd":1}"#), ("power", "-59"), ("address_returns", "2"),
        ("distance", #"{"m":2.41,"low":1.5,"high":3.9}"#), ("proximity", "\"near\""),
        ("telemetry", #"{"battery_mv":2950,"temperature_c":21.5,"humidity_percent":45.2}"#),
        ("url", "\"https://example.com/\""),
    ]

    private static let info =
        #"{"v":1,"version":"1","room":"attic","adapter":"hci0","started":\#(at),"epoch":"e","settings":{"window":1,"#
        + #""publish":"registered","exit_after":30,"offset_db":0,"overridden":[]},"registry":"","missing_keys":[],"#
        + #""missing_keys_left_out":1,"refused":[],"refused_left_out":1,"clock":{"origin":1,"start":1,"speed":1},"#
        + #""radio":{"state":"scanning","taken_back":1,"lost":2,"rungs":[{"name":"reset","tried":1,"helped":1}]}}"#

    private static let scan =
        #"{"v":1,"from":1000019,"to":1000020,"seq":20,"windows":0,"registry":"","reports":40,"malformed":1,"#
        + #""beacons":9,"gap_ms":20,"dropped":5,"spooled":2,"epoch":"e","last_event":3}"#

    static let subjects: [Subject] = [
        Subject(topic: "nodes/attic/status", honest: "online", isObject: false),
        Subject(topic: "nodes/attic/info", honest: info), Subject(topic: "nodes/attic/scan", honest: scan),
        Subject(
            topic: "nodes/attic/events",
            honest:
                #"{"v":1,"node":"attic","epoch":"e","seq":1,"id":"x","at":\#(at),"not_before":\#(at),"kind":"enter","#
                + #""region":"r","state":"inside","beacon":"keys","proximity":"near","count":1}"#),
        Subject(
            topic: "nodes/attic/command/result",
            honest: #"{"v":1,"id":"run.1","action":"replay","ok":true,"at":\#(at),"replay":{"epoch":"e","first_seq":1,"#
                + #""last_seq":9,"next_seq":4}}"#, isObject: false),
        Subject(
            topic: "replies/whereabouts-fuser-main",
            honest: #"{"v":1,"id":"run.1","action":"replay","ok":true,"at":\#(at)}"#, isObject: false),
        Subject(
            topic: "windows/\(Topics.shard(of: "cup"))/cup/attic",
            honest: HostileRow.window(20, cupInAttic)),
        Subject(
            topic: "items/cup/config",
            honest:
                #"{"v":1,"name":"Cup","ibeacon":{"uuid":"48534442-4c45-4144-80c0-1800fffffff0","major":1,"minor":2},"#
                + #""expected_interval":5,"power":-59,"at":\#(at)}"#, isObject: false),
        Subject(
            topic: "items/cup/location",
            honest:
                #"{"v":1,"fuser":"other","state":"present","room":"hall","confidence":0.9,"since":\#(at),"at":\#(at),"#
                + #""previous":"den","heard":\#(at),"item_seq":1,"rooms":{"hall":0.9}}"#),
        Subject(
            topic: "items/cup/events",
            honest: #"{"v":1,"fuser":"other","epoch":"e2","seq":1,"item_seq":1,"id":"y","at":\#(at),"kind":"moved","#
                + #""not_before":\#(at),"room":"hall","previous":"den","count":1}"#),
        Subject(
            topic: "items/cup/alert",
            honest: #"{"v":1,"fuser":"other","since":\#(at),"alerts":[{"alert":"battery_low-cup","rule":"battery_low","#
                + #""since":\#(at),"count":1}]}"#, isObject: false),
        Subject(topic: "items/cup/room", honest: "hall", isObject: false),
        Subject(
            topic: "items/cup/telemetry",
            honest: #"{"v":1,"battery_mv":2950,"temperature_c":21.5,"at":\#(at),"node":"attic"}"#, isObject: false),
        Subject(
            topic: "items/cup/battery",
            honest: #"{"v":1,"fuser":"other","grade":"fine","reason":"steady","cell":"cr2032","battery_mv":2950,"#
                + #""days":9,"days_low":5,"days_high":20,"since":\#(at),"until":864000,"levels":[2950,2940]}"#,
            isObject: false),
        Subject(topic: "rooms/attic/occupancy", honest: #"{"v":1,"count":1,"items":["cup"]}"#, isObject: false),
        Subject(
            topic: "lessons/cup-1000020500",
            honest:
                #"{"v":1,"id":"1","item":"cup","room":"attic","taught_at":\#(at),"from":1,"to":2,"nodes":["attic"],"#
                + #""sets":[[0]],"hops":[[1000,0,0,-6000,1]]}"#),
        Subject(
            topic: "house/plan",
            honest:
                #"{"v":1,"rev":1,"at":\#(at),"by":"a","floors":[],"rooms":[{"id":"attic","polygon":[[0,0],[1,0],[1,1]]}],"#
                + #""doors":[],"nodes":[{"id":"attic","x":1,"y":1,"z":1}]}"#),
        Subject(topic: "nonsense/of/ours", honest: #"{"a":1}"#),
    ]

    /// What the keys' rooms were while something was sent with each interval, and what was counted.
    private func life(_ hostile: (Int) -> [Message]) -> (moves: [String?], refused: UInt64) {
        var fused = Fused()
        for node in ["kitchen", "hall", "den"] { fused.info(node) }
        for second in 1...40 {
            let end = Double(second)
            fused.interval(second < 20 ? "kitchen" : "hall", end, ["keys"])
            if (5...35).contains(second) {
                for message in hostile(second) { fused.receive(message, at: end + 0.1) }
            }
            fused.interval(second < 20 ? "hall" : "kitchen", end, [])
            fused.interval("den", end, ["cat"])
        }
        let events = fused.pipeline.takeEffects(at: Fused.time(41), remembers: false).events
        return (events.filter { $0.item == "keys" }.map(\.event.room), fused.pipeline.refused)
    }

    @Test("There are more than fifty kinds of spoilt payloads, and each is another") func kinds() {
        #expect(HostilePayload.all.count >= 50)
        let honest = Array(HostileRow.window(7).utf8)
        #expect(Set(HostilePayload.all.map { $0.payload(of: honest, key: 3) }).count == HostilePayload.all.count)
        #expect(Set(Self.subjects.map(\.topic)).count == Self.subjects.count)
    }

    @Test("Each subscription of a fuser has its subject here") func complete() {
        let filters = Fused().pipeline.subscriptions.map(\.filter)
        // Commands and the words of other fusers are taken before the pipeline, and have tests of their own.
        let others =
            ["fuser/+/status", "fuser/+/claim"].map { "whereabouts/\($0)" } + Topics().fuserCommands("main")
            + Topics().nodeCommands("+")
        for filter in filters where !others.contains(filter) {
            let isTried = Self.subjects.contains { TopicFilter.matches(filter, "whereabouts/\($0.topic)") }
            #expect(isTried, "\(filter)")
        }
    }

    @Test("Spoilt payloads on any topic trap nothing and move nothing", arguments: subjects)
    func all(_ subject: Subject) {
        var messages: [Message] = []
        for (_, payload) in HostilePayload.payloads(of: subject.payload) {
            for retained in [false, true] {
                messages.append(
                    Message(topic: "whereabouts/\(subject.topic)", payload: payload, retained: retained))
            }
        }
        let each = messages.count / 31 + 1
        let told = life { second in Array(messages.dropFirst((second - 5) * each).prefix(each)) }
        #expect(told.moves == ["hall"])
    }

    /// A house that counts items and stores everything each second, with a node in the attic and a registered cup.
    private struct StoringHouse {
        private var fused: Fused
        private var second = 0
        /// The rooms to which the keys went.
        private(set) var moves: [String?] = []

        init() {
            var rule = AlertRule(.batteryLow, item: "cup", companions: [], grace: .zero, interval: .minutes(10))
            rule.limit = 2500
            fused = Fused(alerts: [rule], counting: .items)
            for node in ["kitchen", "hall", "den", "attic"] { fused.info(node) }
            for subject in HostileTopicsTests.subjects where subject.topic == "items/cup/config" {
                fused.receive(Message(topic: "whereabouts/\(subject.topic)", payload: subject.payload), at: 0.5)
            }
            for _ in 0..<3 { live() }
        }

        /// Lives for a second. At its end a payload about that interval comes on a topic, live and retained.
        mutating func live(_ payload: [UInt8]? = nil, on topic: String = "") {
            second += 1
            let end = Double(second)
            fused.interval("kitchen", end, ["keys"])
            if let payload {
                let text = String(decoding: payload, as: UTF8.self)
                    .replacing(#""from":1000019,"#, with: "\"from\":\(1_000_000 + second - 1),")
                    .replacing(#""to":1000020,"#, with: "\"to\":\(1_000_000 + second),")
                for retained in [false, true] {
                    let message = Message(topic: "whereabouts/\(topic)", text: text, retained: retained)
                    fused.receive(message, at: end + 0.1)
                }
            }
            fused.interval("hall", end, [])
            fused.interval("den", end, ["cat", "cup"])
            fused.interval("attic", end, [])
            let events = store(at: end + 0.2)
            moves += events.filter { $0.item == "keys" }.map(\.event.room)
        }

        /// Lets the rest of the day and the night pass, in which nothing is heard.
        mutating func endDay() {
            for hour in LongProofs.areRequested ? Array(1...25) : [1, 2, 6, 12, 24, 25] {
                let time = Double(second) + 3600 * Double(hour)
                fused.advance(to: time)
                _ = store(at: time)
            }
        }

        private mutating func store(at seconds: Double) -> [FuserEffects.Event] {
            _ = fused.pipeline.metrics
            return fused.pipeline.takeEffects(at: Fused.time(seconds), isLast: true).events
        }
    }

    @Test("Extremes in place of any number trap nothing and move nothing, to the end of the day", arguments: subjects)
    func extremes(_ subject: Subject) {
        for payloads in HostilePayload.extremes(of: subject.payload) {
            var house = StoringHouse()
            for payload in payloads {
                for _ in 0..<3 { house.live(payload, on: subject.topic) }
            }
            house.endDay()
            #expect(house.moves.isEmpty, "\(payloads.map { String(decoding: $0, as: UTF8.self) })")
        }
    }

    @Test("What is no object is counted, each message once", arguments: subjects.filter(\.isObject))
    func counted(_ subject: Subject) {
        let kinds = HostilePayload.all.filter(\.isNoObject)
        let told = life { second in
            second == 10
                ? kinds.map {
                    Message(topic: "whereabouts/\(subject.topic)", payload: $0.payload(of: subject.payload, key: 0))
                } : []
        }
        #expect(told.refused == UInt64(kinds.count))
        #expect(told.moves == ["hall"])
    }

    @Test("Reject or carry out spoilt commands of every kind, and never trap") func commands() {
        let honest = [
            #"{"id":"1","action":"learn","item":"keys","room":"hall","start":true,"for":60}"#,
            #"{"id":"1","action":"history","item":"keys","from":1,"to":2}"#,
            #"{"id":"1","action":"replay","epoch":"e","from_seq":1}"#,
        ]
        var refused = 0
        for text in honest {
            for kind in HostilePayload.all {
                for key in 0..<HostilePayload.keys(of: Array(text.utf8)) {
                    if (try? FuserCommand(payload: kind.payload(of: Array(text.utf8), key: key).span)) == nil {
                        refused += 1
                    }
                }
            }
        }
        #expect(refused > 500)
    }

    @Test("Claims of every spoilt kind are refused or taken, and never trap") func claims() {
        let honest = Array(#"{"v":1,"shards":"00-ff","state":"serving","epoch":"e","last_event":4,"seq":7}"#.utf8)
        for (kind, payload) in HostilePayload.payloads(of: honest) {
            let claim = try? Claim(payload: payload.span)
            if kind.isNoObject { #expect(claim == nil, "\(kind)") }
        }
        for payload in HostilePayload.extremes(of: honest).joined() {
            let claim = try? Claim(payload: payload.span)
            #expect((claim?.lastEvent ?? 0) <= 1 << 53)
        }
    }
}
