import Bytes
import Testing
import WireProtocol

@testable import WebInterface

/// Viewers see the messages of the broker.
struct BoardFeedTests {
    private static let topics = Topics()
    private let board = Board()

    private func feed() -> BoardFeed { BoardFeed(board, PlanShelf(), topics: Self.topics, fuser: "main") }

    private func text(_ topic: String) -> String? { board.value(topic).map { String(decoding: $0, as: UTF8.self) } }

    @Test func putsPayloadsUnderTheirTopics() {
        var feed = feed()
        feed.receive(Message(topic: Self.topics.nodeStatus("kitchen"), text: "online"))
        feed.receive(Message(topic: Self.topics.location("keys"), text: #"{"room":"hall"}"#))
        feed.receive(Message(topic: Self.topics.itemEvents("keys"), text: #"{"kind":"moved"}"#))
        feed.receive(Message(topic: Self.topics.room("keys"), text: "hall"))
        feed.receive(Message(topic: Self.topics.fuserCommand("main"), text: "{}"))
        feed.receive(Message(topic: "elsewhere/items/keys/location", text: "{}"))
        #expect(text("nodes/kitchen/status") == #""online""#)
        #expect(text("items/keys/location") == #"{"room":"hall"}"#)
        #expect(text("events/keys") == #"{"kind":"moved"}"#)
        #expect(board.count == 3)
        feed.receive(.clearing(Self.topics.location("keys")))
        #expect(board.count == 2)
        let changes = [feed.takeChanged(), feed.takeChanged()]
        #expect(changes == [true, false])
    }

    @Test func keepsALaterEventThanOneThatIsPublishedAgain() {
        var feed = feed()
        func receive(_ number: UInt64, isReplayed: Bool) {
            let time = Timestamp(microseconds: 0)
            var event = ItemEvent(
                fuser: "b", epoch: "e", seq: number, itemSeq: number, id: "i", at: time, notBefore: time, kind: .moved,
                room: "room\(number)", previous: nil)
            event.isReplayed = isReplayed
            var json = JSONWriter()
            event.write(to: &json)
            feed.receive(Message(topic: Self.topics.itemEvents("keys"), payload: json.bytes))
        }
        receive(7, isReplayed: false)
        receive(6, isReplayed: true)
        #expect(text("events/keys")?.contains("room7") == true)
        receive(8, isReplayed: true)
        #expect(text("events/keys")?.contains("room8") == true)
        // A fuser that lost its numbers begins anew.
        receive(1, isReplayed: false)
        #expect(text("events/keys")?.contains("room1") == true)
    }

    @Test func refusesWhatIsNoJSON() {
        var feed = feed()
        feed.receive(Message(topic: Self.topics.location("keys"), text: "{\"room\":\"hall\"}\n\ndata: x"))
        #expect(board.count == 0 && feed.rejected == 1)
    }

    @Test func removesWhatABrokerDoesNotSendAgain() {
        var feed = feed()
        let start = MonotonicTime.start
        feed.connected()
        feed.subscribed(at: start)
        for node in ["kitchen", "hall"] { feed.receive(Message(topic: Self.topics.nodeStatus(node), text: "online")) }
        feed.receive(Message(topic: Self.topics.itemEvents("keys"), text: "{}"))
        feed.advance(to: start + .seconds(11))
        #expect(board.count == 4)
        feed.disconnected()
        #expect(!board.hasBroker && text("fuser/main/status") == #""offline""#)
        feed.advance(to: start + .seconds(30))
        #expect(board.count == 4, "A lost connection removes nothing.")
        feed.connected()
        feed.receive(Message(topic: Self.topics.nodeStatus("hall"), text: "online"))
        feed.subscribed(at: start + .seconds(40))
        feed.advance(to: start + .seconds(49))
        #expect(board.count == 4)
        feed.advance(to: start + .seconds(50))
        #expect(text("nodes/kitchen/status") == nil && text("nodes/hall/status") != nil && board.count == 3)
    }

    @Test func makesLevelsOfFollowedItems() {
        var feed = feed()
        let time = Timestamp(microseconds: 1_000_000_000)
        func window(_ item: String, _ node: String, _ level: Double, _ seconds: Int) -> Message {
            let from = time.advanced(by: .seconds(seconds))
            var window = Window(
                seq: UInt64(seconds) + 1, from: from, to: from.advanced(by: .seconds(1)), node: node, epoch: "0000000a",
                id: "0123456789ab", item: item, count: 1)
            window.rssi = .init(
                mean: level, median: level, minimum: Int(level), maximum: Int(level), deviation: nil)
            var json = JSONWriter()
            window.write(to: &json)
            return Message(topic: Self.topics.window(beacon: item, node: node), payload: json.bytes)
        }
        feed.receive(window("keys", "hall", -60, 0))
        #expect(board.count == 0)
        _ = board.follow(levelsOf: ["keys"])
        feed.receive(window("keys", "hall", -60.5, 1))
        feed.receive(window("keys", "den", -70, 2))
        feed.receive(window("cat", "den", -70, 2))
        #expect(text("levels/keys") == #"{"at":1003,"nodes":{"den":-70,"hall":-60.5}}"#)
        feed.receive(window("keys", "den", -71, 12))
        #expect(text("levels/keys") == #"{"at":1013,"nodes":{"den":-71}}"#)
    }
}
