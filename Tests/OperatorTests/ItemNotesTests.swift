import Bytes
import Configuration
import Identity
import WireProtocol
import Testing

@testable import Operator

@Suite("Notes on items beyond the registry") struct ItemNotesTests {
    private let topics = Topics()
    private let items = [
        Item(id: "cat", key: .eid), Item(id: "keys", identities: [.address(1)]), Item(id: "phone", key: .irk),
        Item(id: "watch", key: .irk),
    ]

    private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    private func info(missing: [String], problems: [String] = []) -> [UInt8] {
        var info = NodeInfo(
            version: "1", room: "den", adapter: "a", started: Timestamp(microseconds: 0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        (info.missingKeys, info.problems) = (missing, problems)
        return payload { info.write(to: &$0) }
    }

    private func location(_ state: Location.State, room: String?, previous: String?) -> [UInt8] {
        let at = Timestamp(microseconds: 1_000_000)
        let location = Location(
            fuser: "main", state: state, room: room, confidence: 0.9, since: at, previous: previous, at: at)
        return payload { location.write(to: &$0) }
    }

    private func notes(status: String) -> ItemNotes {
        var region = RegionReport(exitAfter: 200)
        (region.state, region.problem, region.beacons, region.count) = (.inside, .cadenceTooSlow, ["keys"], 1)
        let messages = [
            Message(
                topic: topics.nodeInfo("den"), payload: info(missing: ["watch"], problems: ["'cat' is odd", "TLS"])),
            Message(topic: topics.region("home", node: "den"), payload: payload { region.write(to: &$0) }),
            Message(topic: topics.location("phone"), payload: location(.quiet, room: "den", previous: nil)),
            Message(topic: topics.nodeStatus("den"), text: status),
        ]
        return ItemNotes(messages, topics: topics, items: items)
    }

    @Test("List the problems that nodes and the fuser find with an item")
    func found() {
        let notes = notes(status: "online")
        #expect(notes["cat"] == ["is odd (den)"])
        #expect(notes["watch"].first?.contains("den, which lacks its key: watch.irk") == true)
        #expect(notes["keys"].first?.contains("speaks too seldom for region 'home' of den") == true)
        #expect(notes["phone"].first?.contains("is quiet") == true && notes["phone"].count == 1)
    }

    @Test("Ignore a node that is off")
    func offline() {
        let notes = notes(status: "offline")
        #expect(notes["cat"].isEmpty && notes["watch"].isEmpty && notes["keys"].isEmpty)
    }

    @Test("Note that an unheard item identified by a key alone may have the wrong one")
    func unheard() {
        let messages = [
            Message(topic: topics.nodeStatus("den"), text: "online"),
            Message(topic: topics.location("watch"), payload: location(.away, room: nil, previous: "den")),
            Message(topic: topics.location("phone"), payload: location(.away, room: nil, previous: nil)),
        ]
        let notes = ItemNotes(messages, topics: topics, items: items)
        #expect(notes["phone"].first?.contains("order of bytes") == true && notes["cat"].count == 1)
        #expect(notes["watch"].isEmpty && notes["keys"].isEmpty)
    }
}

@Suite struct ItemLossTests {
    @Test("An import names the keys of an entry that the file takes away")
    func losses() {
        var old = Item(id: "keys", name: "Keys", identities: [])
        (old.tags, old.power, old.expectedInterval) = (["anna"], -59, .seconds(5))
        let renamed = Item(id: "keys", name: "My keys", identities: [])
        #expect(ItemsDocument.lostKeys(old, renamed) == ["tags", "expected_interval", "power"])
        #expect(ItemsDocument.lostKeys(old, old).isEmpty && ItemsDocument.lostKeys(renamed, old).isEmpty)
    }
}
