import Bytes
import WireProtocol
import Testing

private func location(_ text: String) throws(PayloadFault) -> Location {
    try Location(payload: Array(text.utf8).span)
}

@Suite struct AnswerPayloadTests {
    private func example() -> Location {
        Location(
            fuser: "main", state: .present, room: "kitchen", confidence: 0.925, since: .at(100.5), previous: "hall",
            at: .at(130))
    }

    @Test("Write room, confidence and reason of a location under the contract's keys")
    func locationBytes() throws {
        var sent = example()
        #expect(try location(written { sent.write(to: &$0) }) == sent)
        sent.reason = [.init(node: "kitchen", weight: 2.5, level: -61.25), .init(node: "hall", weight: -1, level: nil)]
        sent.rooms = [("hall", 0.075), ("kitchen", 0.925)]
        sent.distances = [("hall", 6.5)]
        #expect(
            written { sent.write(to: &$0) }
                == #"{"v":1,"fuser":"main","state":"present","room":"kitchen","confidence":0.925,"since":100.5,"#
                + #""previous":"hall","at":130,"reason":[{"node":"kitchen","weight":2.5,"level":-61.3},"#
                + #"{"node":"hall","weight":-1}],"rooms":{"hall":0.075,"kitchen":0.925},"distances":{"hall":6.5}}"#)
        #expect(try location(written { sent.write(to: &$0) }) == example())
    }

    @Test("Write a room, away or unknown to the plain room topic")
    func placeText() {
        var location = example()
        #expect(location.placeText == "kitchen")
        location.state = .quiet
        #expect(location.placeText == "kitchen")
        (location.state, location.room) = (.away, nil)
        #expect(location.placeText == "away")
        location.state = .unknown
        #expect(location.placeText == "unknown")
        location.state = .present
        #expect(location.placeText == "unknown")
    }

    @Test(
        "Reject a hostile location",
        arguments: [
            #"{}"#, #"{"fuser":"m","state":"gone","confidence":1,"since":1}"#,
            #"{"fuser":"m","state":"present","confidence":1e308,"since":1}"#,
            #"{"fuser":"m","state":"present","confidence":-0.1,"since":1}"#,
            #"{"fuser":"m","state":"present","room":"a b","confidence":1,"since":1}"#,
            #"{"fuser":"m","state":"present","confidence":1,"since":1e308}"#,
        ])
    func hostileLocation(_ text: String) {
        #expect(throws: PayloadFault.self) { try location(text) }
    }

    @Test("Read an event back as it was sent, with rooms only if there are some")
    func events() throws {
        for (kind, room, previous) in [
            (ItemEvent.Kind.moved, "kitchen", "hall"), (.arrived, "hall", nil), (.left, nil, "hall"),
        ] as [(ItemEvent.Kind, String?, String?)] {
            var sent = ItemEvent(
                fuser: "main", epoch: "5f1c09aa", seq: 1 << 53, itemSeq: 3, id: "abc", at: .at(12.25),
                notBefore: .at(9.5), kind: kind, room: room, previous: previous)
            let text = written { sent.write(to: &$0) }
            #expect(try ItemEvent(payload: Array(text.utf8).span) == sent)
            #expect(text.contains("\"room\"") == (room != nil))
            #expect(!text.contains("replayed"))
            sent.isReplayed = true
            let again = written { sent.write(to: &$0) }
            #expect(try ItemEvent(payload: Array(again.utf8).span) == sent)
        }
        let unknown = #"{"fuser":"m","epoch":"e","seq":1,"item_seq":1,"id":"x","at":1,"kind":"fell"}"#
        #expect(throws: PayloadFault.missing("kind")) { try ItemEvent(payload: Array(unknown.utf8).span) }
    }

    @Test("Read an alert and its open state back as they were sent")
    func warnings() throws {
        for (kind, count, reason) in [(ItemEvent.Kind.alert, 2, nil), (.cleared, nil, "over")]
            as [(ItemEvent.Kind, Int?, String?)]
        {
            var sent = ItemEvent(
                fuser: "main", epoch: "5f1c09aa", seq: 1, itemSeq: 3, id: "abc", at: .at(12.25), notBefore: .at(9.5),
                kind: kind, room: nil, previous: nil)
            (sent.alert, sent.rule, sent.count, sent.reason) = ("cat-out", "left_home", count, reason)
            let text = written { sent.write(to: &$0) }
            #expect(try ItemEvent(payload: Array(text.utf8).span) == sent)
        }
        let standing = ItemAlerts(
            fuser: "main",
            alerts: [
                .init(id: "a", rule: "in_room", since: .at(12.25), count: 2),
                .init(id: "b", rule: "not_heard", since: .at(9.5), count: 1),
            ])
        let text = written { standing.write(to: &$0) }
        #expect(try ItemAlerts(payload: Array(text.utf8).span) == standing)
        #expect(text.hasPrefix(#"{"v":1,"fuser":"main","since":9.5,"alerts":[{"alert":"a","#))
        #expect(throws: PayloadFault.self) { try ItemAlerts(payload: Array("{}".utf8).span) }
    }

    @Test("Reject alerts that were published a number of times that nobody can have", arguments: ["-1", "100000001"])
    func warningCounts(_ count: String) {
        let alerts = #"{"fuser":"m","alerts":[{"alert":"a","rule":"in_room","since":1,"count":"# + count + "}]}"
        #expect(throws: PayloadFault.outOfRange("alerts")) { try ItemAlerts(payload: Array(alerts.utf8).span) }
        let event =
            #"{"fuser":"m","epoch":"e","seq":1,"item_seq":1,"id":"x","at":1,"kind":"alert","count":"# + count + "}"
        #expect(throws: PayloadFault.outOfRange("count")) { try ItemEvent(payload: Array(event.utf8).span) }
    }

    @Test("Give one move the same id on two fusers, and two moves two ids")
    func eventIDs() {
        let id = { (item: String, kind: ItemEvent.Kind, room: String?, node: String, epoch: String, seq: UInt64) in
            ItemEvent.id(item: item, kind: kind, room: room, node: node, epoch: epoch, seq: seq)
        }
        let one = id("keys", .moved, "hall", "n1", "e", 7)
        #expect(one == id("keys", .moved, "hall", "n1", "e", 7))
        #expect(one.count == 32)
        let others = [
            id("bag", .moved, "hall", "n1", "e", 7), id("keys", .arrived, "hall", "n1", "e", 7),
            id("keys", .moved, "den", "n1", "e", 7), id("keys", .moved, nil, "n1", "e", 7),
            id("keys", .moved, "hall", "n2", "e", 7), id("keys", .moved, "hall", "n1", "f", 7),
            id("keys", .moved, "hall", "n1", "e", 8), id("keys", .moved, "hall", "n1", "e|7", 7),
        ]
        #expect(Set(others + [one]).count == others.count + 1)
    }

    @Test("Derive the id of a move from the published form of the answer that it ends")
    func namedByItsEnd() throws {
        let since = Timestamp(microseconds: 1_795_248_000_123_600)
        let told = Location(
            fuser: "main", state: .present, room: "hall", confidence: 0.9, since: since, previous: nil, at: since)
        let heard = try Location(payload: Array(written { told.write(to: &$0) }.utf8).span)
        let id = { (since: Timestamp) in ItemEvent.id(item: "keys", kind: .moved, room: "den", ending: since) }
        #expect(id(since) == id(heard.since) && heard.since != since)
        #expect(id(since) != id(since.advanced(byMicroseconds: 1000)))
    }

    @Test("Count the items that an occupancy names")
    func occupancy() throws {
        let sent = Occupancy(items: ["bag", "keys"])
        #expect(written { sent.write(to: &$0) } == #"{"v":1,"count":2,"items":["bag","keys"]}"#)
        #expect(try Occupancy(payload: Array(#"{"items":["bag","keys"],"x":1}"#.utf8).span) == sent)
        #expect(throws: PayloadFault.missing("items")) { try Occupancy(payload: Array("{}".utf8).span) }
    }

    @Test("Describe a faulty payload in words")
    func descriptions() {
        #expect(PayloadFault.missing("seq").description == "'seq' is missing")
        #expect(PayloadFault.tooLong(limit: 9).description == "longer than 9 bytes")
        #expect(PayloadFault.json(JSONFault(.expectedNumber, at: 1)).description.contains("at byte 1"))
    }
}
