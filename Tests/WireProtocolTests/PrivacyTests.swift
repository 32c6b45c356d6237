import Bytes
import Identity
import WireProtocol
import Testing

/// Claims of docs/privacy.md about what is published: each title is a line of that page.
@Suite struct PrivacyTests {
    private static let at = Timestamp(microseconds: 1_795_248_000_000_000)

    @Test("The key of a phone or a tag is in no entry of the registry: its file on the gateway alone has it.")
    func keys() throws {
        var item = Item(id: "phone", name: "Phone")
        (item.key, item.keyFile) = (.irk, "/etc/whereabouts/phone.key")
        let text = String(decoding: ItemChange(ItemEntry(item, at: Self.at)).payload, as: UTF8.self)
        #expect(text.contains(#""key":"irk""#) && !text.contains("phone.key"))
        let secret = #"{"v":1,"id":"phone","irk":"000102030405060708090a0b0c0d0e0f","at":1}"#
        #expect(throws: ItemRefusal.self) { try ItemChange.read(Array(secret.utf8).span, item: "phone") }
    }

    @Test("Of a removed item its id and the time stay, for 30 days.")
    func tombstones() {
        let entry = ItemEntry(removed: "keys", at: Self.at)
        #expect(
            String(decoding: ItemChange(entry).payload, as: UTF8.self)
                == #"{"v":1,"id":"keys","removed":1795248000}"#)
        #expect(!entry.isExpired(at: Self.at.advanced(bySeconds: 29.9 * 86_400)))
        #expect(entry.isExpired(at: Self.at.advanced(bySeconds: 30.1 * 86_400)))
    }

    @Test("The proximity to a gateway that is gone stays there until `whereabouts forget node`.")
    func proximity() {
        let topics = Topics()
        func isForgotten(_ topic: String) -> Bool {
            topics.retained(ofNode: "hall").contains { TopicFilter.matches($0, topic) }
        }
        #expect(isForgotten(topics.proximity(beacon: "keys", node: "hall")))
        #expect(isForgotten(topics.region("office", node: "hall")) && isForgotten(topics.nodeInfo("hall")))
        #expect(!isForgotten(topics.proximity(beacon: "keys", node: "kitchen")))
    }

    @Test("The plan of the house names who changed it last.")
    func plan() {
        let plan = HousePlan(revision: 2, at: Self.at, by: "anna")
        #expect(String(decoding: plan.payload, as: UTF8.self).contains(#""by":"anna""#))
    }

    @Test("A rollout names who began it, and on which machine.")
    func rollout() {
        let rollout = Rollout(id: "5f1c09aa", by: "anna", host: "desk", from: Self.at, until: Self.at)
        #expect(String(decoding: rollout.payload, as: UTF8.self).contains(#""by":"anna","host":"desk""#))
    }

    @Test("An entry of the registry names its author, as the tool sends it.")
    func author() throws {
        let entry = ItemChange(ItemEntry(removed: "keys", at: Self.at)).payload
        let signed = Signature(user: "anna", host: "desk").sign(entry)
        #expect(String(decoding: signed, as: UTF8.self).hasSuffix(#","by":"anna@desk"}"#))
        let read = try ItemChange.read(signed.span, item: "keys")
        #expect(read?.payload == entry, "and a reader that does not look for it sees the same entry")
    }
}
