import Bytes
import Identity
import WireProtocol
import Support
import Testing

/// Every payload on every topic that an agent reads.
@Suite struct HostileTopicsTests {
    static let config = Array(
        #"{"v":1,"name":"Cup","ibeacon":{"uuid":"48534442-4c45-4144-80c0-1800fffffff0","major":1,"minor":2},"updated_at":9.5}"#
            .utf8)

    @Test("Reject or accept a spoilt entry of the registry, and retain the others") func registry() {
        let topics = Topics()
        let now = Timestamp(microseconds: 1_000_000_000_000)
        var follower = RegistryFollower(topics: topics)
        follower.connected(at: now)
        let keys = Item(id: "keys", identities: [.address(0x0A0A)])
        follower.book.apply(file: [keys])
        for (kind, payload) in HostilePayload.payloads(of: Self.config) {
            let before = follower.refused
            follower.receive(Message(topic: topics.itemConfig("cup"), payload: payload, retained: true), at: now)
            if kind.isNoObject { #expect(follower.refused == before + 1, "\(kind)") }
        }
        #expect(follower.book.registry(regions: []).items.contains { $0.id == "keys" })
        #expect(follower.refusals.count <= 1)
    }

    @Test("Reject or carry out spoilt commands of every kind, and never trap") func commands() {
        let honest = [
            #"{"id":"1","action":"set","window":0.5,"publish":"all","exit_after":30,"offset_db":3}"#,
            #"{"id":"1","action":"advertise","frame":"0201061aff4c00","seconds":5}"#,
            #"{"id":"1","action":"silence","item":"keys","for":60}"#, #"{"id":"1","action":"nearby","for":5}"#,
            #"{"id":"1","action":"replay","epoch":"e","from_seq":1}"#,
            #"{"id":"1","action":"silence","all":true,"for":60}"#, #"{"id":"1","action":"rescan"}"#,
            #"{"id":"1","action":"upgrade","version":"0.1.0-990"}"#,
        ]
        for text in honest {
            for (kind, payload) in HostilePayload.payloads(of: Array(text.utf8)) {
                let command = try? NodeCommand(payload: payload.span)
                if kind.isNoObject { #expect(command == nil, "\(kind)") }
            }
        }
    }
}
