import Bytes
import Support
import WireProtocol
import Testing

@testable import BrokerSession

/// The removal of a publisher's messages under its former names.
struct FormerNamesTests {
    private let old = Topics(prefix: "old")

    private func retained(_ topic: String, _ text: String) -> Message {
        Message(topic: topic, text: text, qos: .atLeastOnce, retained: true)
    }

    private func info(_ topic: String, epoch: String) -> Message {
        var json = JSONWriter()
        NodeInfo(
            version: "1", room: "hall", adapter: "hci0", started: Timestamp(microseconds: 0), epoch: epoch, window: 1,
            publishesAll: false, registry: ""
        )
        .write(to: &json)
        return Message(topic: topic, payload: json.bytes, qos: .atLeastOnce, retained: true)
    }

    @Test func aNameInForceIsKeptAndComesAfterTheNextChangeAsAFormerOne() {
        let first = FormerNames(.node, prefix: "old", name: "hall", epoch: "e1", keeping: nil)
        #expect(first.row == "old hall e1" && first.subscriptions.isEmpty && first.nextDeadline == nil)
        let second = FormerNames(.node, prefix: "new", name: "hall", epoch: "e1", keeping: first.row)
        #expect(second.row == "new hall e1\nold hall e1" && second.names == ["hall"])
        let third = FormerNames(.node, prefix: "new", name: "attic", epoch: "e1", keeping: second.row)
        #expect(third.row == "new attic e1\nnew hall e1\nold hall e1")
        // A publisher that returns to a former name owns it again.
        let back = FormerNames(.node, prefix: "new", name: "hall", epoch: "e1", keeping: third.row)
        #expect(back.row == "new hall e1\nnew attic e1\nold hall e1")
        #expect(FormerNames(.node, prefix: "p", name: "n", epoch: "e", keeping: "nonsense\n a b\n").row == "p n e")
    }

    @Test func whatIsRetainedThereIsClearedAndForgottenWhenItHasComeBackEmpty() {
        var names = FormerNames(.node, prefix: "new", name: "hall", epoch: "e1", keeping: "old hall e1")
        names.connected(at: .start)
        let messages = [
            retained(old.nodeStatus("hall"), "online"), info(old.nodeInfo("hall"), epoch: "e1"),
            retained(old.region("door", node: "hall"), "{}"),
            retained(old.proximity(beacon: "keys", node: "hall"), "{}"),
        ]
        for message in messages {
            let isFormer = names.receive(message, at: .start)
            #expect(isFormer)
            #expect(names.subscriptions.contains { TopicFilter.matches($0, message.topic) })
        }
        let isOther = names.receive(retained("new/nodes/hall/status", "online"), at: .start)
        #expect(!isOther)
        var steps = names.advance(to: .second(7))
        #expect(steps.cleared.isEmpty)
        steps = names.advance(to: .second(8))
        #expect(steps.cleared == messages.map(\.topic).sorted() && steps.words.count == 1 && !steps.isChanged)
        for topic in steps.cleared { _ = names.receive(Message(topic: topic, payload: []), at: .second(9)) }
        steps = names.advance(to: .second(9))
        #expect(steps.isChanged && names.row == "new hall e1" && names.nextDeadline == nil)
    }

    @Test func whatHomeAssistantWasToldUnderAnotherPrefixGoesToo() {
        var node = FormerNames(
            .node, prefix: "new", name: "hall", epoch: "e1", discovery: ["homeassistant"], keeping: "old hall e1")
        let device = "homeassistant/device/old/node_hall/config"
        #expect(node.subscriptions.contains(device))
        node.connected(at: .start)
        let isFormer = node.receive(retained(device, "{}"), at: .start)
        #expect(isFormer)
        var steps = node.advance(to: .second(8))
        #expect(steps.cleared == [device])
        // Under the same prefix discovery itself clears it, and tells Home Assistant when that starts next.
        let same = FormerNames(
            .node, prefix: "old", name: "attic", epoch: "e1", discovery: ["homeassistant"], keeping: "old hall e1")
        #expect(!same.subscriptions.contains(device))

        var fuser = FormerNames(
            .fuser, prefix: "new", name: "main", epoch: "e1", discovery: ["homeassistant"], keeping: "old main e1")
        fuser.connected(at: .start)
        let item = "homeassistant/device/old/item_keys/config"
        for topic in [device, item, "homeassistant/device/new/item_keys/config"] {
            _ = fuser.receive(retained(topic, "{}"), at: .start)
        }
        // Another one serves the house there still.
        var other = fuser
        _ = other.receive(Message(topic: old.fuserClaim("spare"), text: "{}"), at: .start)
        steps = fuser.advance(to: .second(9))
        #expect(steps.cleared == [item], "the node's is its own to clear")
        steps = other.advance(to: .second(9))
        #expect(steps.cleared.isEmpty)
    }

    @Test func whatIsAnotherGatewaysByNowStays() {
        var names = FormerNames(.node, prefix: "old", name: "attic", epoch: "e1", keeping: "old hall e1")
        names.connected(at: .start)
        for message in [retained(old.nodeStatus("hall"), "offline"), info(old.nodeInfo("hall"), epoch: "e2")] {
            _ = names.receive(message, at: .start)
        }
        let steps = names.advance(to: .second(8))
        #expect(steps.cleared.isEmpty && steps.isChanged)
        #expect(steps.words == ["the former node hall under old is another's now: what is retained there stays"])
        #expect(names.row == "old attic e1")
    }

    @Test func whatMayNotBeClearedIsRememberedAndTriedWithTheNextConnection() {
        var names = FormerNames(.node, prefix: "new", name: "hall", epoch: "e1", keeping: "old hall e1")
        names.connected(at: .start)
        _ = names.receive(retained(old.nodeStatus("hall"), "offline"), at: .start)
        #expect(names.advance(to: .second(8)).cleared.count == 1)
        let steps = names.advance(to: .second(18))
        #expect(steps.words.first?.contains("could not be cleared") == true && !steps.isChanged)
        #expect(names.row.contains("old hall e1") && names.nextDeadline == nil)
        names.connected(at: .second(20))
        _ = names.receive(retained(old.nodeStatus("hall"), "offline"), at: .second(20))
        #expect(names.advance(to: .second(28)).cleared.count == 1)
    }

    @Test func whereNothingMayBeReadThatIsSaidAndADenialIsNoEnd() {
        var names = FormerNames(.node, prefix: "new", name: "hall", epoch: "e1", keeping: "old hall e1")
        names.connected(at: .start)
        names.recordDenial(old.nodeStatus("hall"))
        #expect(names.nextDeadline == nil && names.row.contains("old hall e1"))
        names.connected(at: .start)
        let steps = names.advance(to: .second(8))
        #expect(steps.words.first?.contains("nothing that may be read") == true && steps.isChanged)
        #expect(!names.row.contains("old hall e1"))
    }

    @Test func aFuserClearsItemsAndRoomsUnderAFormerPrefixUnlessAnotherServesThem() {
        for isServed in [false, true] {
            var names = FormerNames(.fuser, prefix: "new", name: "main", epoch: "e1", keeping: "old main e1")
            names.connected(at: .start)
            let mine = [
                old.fuserStatus("main"), old.location("keys"), old.room("keys"), old.itemTelemetry("keys"),
                old.occupancy("hall"),
            ]
            for topic in mine { _ = names.receive(retained(topic, "x"), at: .start) }
            _ = names.receive(retained(old.fuserStatus("spare"), "online"), at: .start)
            if isServed { _ = names.receive(Message(topic: old.fuserClaim("spare"), text: "{}"), at: .start) }
            // The registry is the house's.
            #expect(!names.subscriptions.contains { TopicFilter.matches($0, old.itemConfig("keys")) })
            let steps = names.advance(to: .second(8))
            #expect(steps.cleared == (isServed ? [old.fuserStatus("main")] : mine.sorted()))
        }
    }

    @Test func aFuserUnderAnotherNameClearsItsStatusAloneUnlessItStillClaims() {
        for isAlive in [false, true] {
            var names = FormerNames(.fuser, prefix: "old", name: "second", epoch: "e1", keeping: "old main e1")
            names.connected(at: .start)
            // Both are the house's business, too.
            let isFormer = names.receive(retained(old.fuserStatus("main"), "offline"), at: .start)
            #expect(!isFormer)
            _ = names.receive(retained(old.location("keys"), "{}"), at: .start)
            if isAlive { _ = names.receive(Message(topic: old.fuserClaim("main"), text: "{}"), at: .start) }
            let steps = names.advance(to: .second(8))
            #expect(steps.cleared == (isAlive ? [] : [old.fuserStatus("main")]))
        }
    }
}
