import Foundation
import Fuser
import WireProtocol
import Support
import Testing

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

    static let subjects: [Subject] = [
        Subject(topic: "nodes/attic/status", honest: "online", isObject: false),
        Subject(
            topic: "nodes/attic/info",
            honest: #"{"v":1,"version":"1","room":"attic","adapter":"hci0","started":\#(at),"epoch":"e","window":1,"#
                + #""publish":"registered","registry":"","clock":{"origin":1,"speed":1}}"#),
        Subject(
            topic: "nodes/attic/scan",
            honest: #"{"v":1,"from":1000019,"to":1000020,"seq":20,"windows":0,"epoch":"e","last_event":3}"#),
        Subject(
            topic: "nodes/attic/events",
            honest:
                #"{"v":1,"node":"attic","epoch":"e","seq":1,"id":"x","at":\#(at),"not_before":\#(at),"kind":"enter","#
                + #""region":"r","beacon":"keys"}"#),
        Subject(
            topic: "nodes/attic/command/result",
            honest: #"{"v":1,"id":"run.1","action":"replay","ok":true,"at":\#(at),"replay":{"epoch":"e","first_seq":1,"#
                + #""last_seq":9,"next_seq":4}}"#, isObject: false),
        Subject(
            topic: "replies/whereabouts-fuser-main",
            honest: #"{"v":1,"id":"run.1","action":"replay","ok":true,"at":\#(at)}"#, isObject: false),
        Subject(
            topic: "windows/\(Topics.shard(of: "cup"))/cup/attic",
            honest: HostileRow.window(20, [("node", "\"attic\""), ("item", "\"cup\"")])),
        Subject(
            topic: "items/cup/config",
            honest:
                #"{"v":1,"name":"Cup","ibeacon":{"uuid":"48534442-4c45-4144-80c0-1800fffffff0","major":1,"minor":2},"#
                + #""updated_at":\#(at)}"#, isObject: false),
        Subject(
            topic: "items/cup/location",
            honest:
                #"{"v":1,"fuser":"other","state":"present","room":"hall","confidence":0.9,"since":\#(at),"at":\#(at),"#
                + #""rooms":{"hall":0.9}}"#),
        Subject(
            topic: "items/cup/events",
            honest: #"{"v":1,"fuser":"other","epoch":"e2","seq":1,"item_seq":1,"id":"y","at":\#(at),"kind":"moved","#
                + #""room":"hall","previous":"den"}"#),
        Subject(
            topic: "items/cup/alert",
            honest: #"{"v":1,"fuser":"other","alerts":[{"id":"a","rule":"b","since":\#(at)}]}"#, isObject: false),
        Subject(topic: "items/cup/room", honest: "hall", isObject: false),
        Subject(
            topic: "items/cup/telemetry", honest: #"{"v":1,"battery_mv":2950,"at":\#(at),"node":"attic"}"#,
            isObject: false),
        Subject(
            topic: "items/cup/battery",
            honest: #"{"v":1,"fuser":"other","grade":"fine","reason":"steady","cell":"cr2032","since":\#(at),"#
                + #""until":\#(at),"levels":[2950]}"#, isObject: false),
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
        for kind in HostilePayload.all {
            for key in 0..<HostilePayload.keys(of: subject.payload) {
                for retained in [false, true] {
                    messages.append(
                        Message(
                            topic: "whereabouts/\(subject.topic)", payload: kind.payload(of: subject.payload, key: key),
                            retained: retained))
                }
            }
        }
        let each = messages.count / 31 + 1
        let told = life { second in Array(messages.dropFirst((second - 5) * each).prefix(each)) }
        #expect(told.moves == ["hall"])
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
        for kind in HostilePayload.all {
            for key in 0..<HostilePayload.keys(of: honest) {
                let claim = try? Claim(payload: kind.payload(of: honest, key: key).span)
                if kind.isNoObject { #expect(claim == nil, "\(kind)") }
            }
        }
    }
}
