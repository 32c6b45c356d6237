import Bytes
import Foundation
@testable import Fuser
import WireProtocol
import Testing

@Suite("What a fuser tells other systems")
struct ExternalOutputTests {
    /// Home Assistant's sensor of one device (homeassistant/components/mqtt_room/sensor.py), as its rule is.
    private struct Sensor {
        var state = "not_home"
        var distance: Double?
        var updated = -Double.infinity
        let timeout = 5.0

        mutating func take(_ room: String, _ next: Double, at time: Double) {
            guard room == state || distance.map({ next < $0 }) ?? true || time - updated >= timeout else { return }
            (state, distance, updated) = (room, next, time)
        }
    }

    private func words(_ message: Message) throws -> (id: String, distance: Double) {
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
        return (try #require(fields["id"] as? String), try #require(fields["distance"] as? Double))
    }

    @Test("Home Assistant's mqtt_room shows the fuser's room, at once after each move, and after a restart of its own")
    func sensor() throws {
        var fused = Fused()
        fused.pipeline.publishRooms(under: "room_presence")
        for node in ["kitchen", "hall", "den"] { fused.info(node) }
        var sensor = Sensor()
        var (seen, told, moves) = (0, "unknown", 0)
        for second in 1...200 {
            let end = Double(second)
            let near = ["kitchen", "hall", "den"][(second / 20) % 3]
            for node in ["kitchen", "hall", "den"] { fused.interval(node, end, node == near ? ["keys"] : []) }
            if second == 100 { sensor = Sensor() }
            for message in fused.outbox[seen...] {
                if message.topic == "whereabouts/items/keys/room" {
                    told = String(decoding: message.payload, as: UTF8.self)
                    moves += 1
                }
                guard message.topic.hasPrefix("room_presence/") else { continue }
                #expect(!message.retained)
                let (id, distance) = try words(message)
                #expect(id == "keys")
                sensor.take(String(message.topic.dropFirst("room_presence/".count)), distance, at: end)
            }
            seen = fused.outbox.count
            if told != "unknown", second < 100 || second > 120 { #expect(sensor.state == told, "\(second)") }
        }
        #expect(moves >= 9)
    }

    @Test("What is away isn't told of any more")
    func away() throws {
        var fused = Fused()
        fused.pipeline.publishRooms(under: "room_presence")
        fused.info("hall")
        for second in 1...200 { fused.interval("hall", Double(second), second < 20 ? ["keys"] : []) }
        let last = try #require(fused.outbox.lastIndex { $0.topic.hasPrefix("room_presence/") })
        let away = try #require(
            fused.outbox.firstIndex { $0.topic == "whereabouts/items/keys/room" && $0.payload == Array("away".utf8) })
        #expect(last < away)
    }

    @Test("Publish `offline` to ESPresense's users for an agent that came and died within one turn")
    func cameAndDied() throws {
        var fused = Fused()
        var info = NodeInfo(
            version: "1", room: "hall", adapter: "replay", started: Fused.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.espresense = "espresense"
        var json = JSONWriter()
        info.write(to: &json)
        fused.receive(Message(topic: "whereabouts/nodes/hall/info", payload: json.bytes, retained: true), at: 0)
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", text: "offline"), at: 1)
        fused.outbox = []
        for text in ["online", "offline"] {
            fused.pipeline.receive(
                Message(topic: "whereabouts/nodes/hall/status", text: text), at: Fused.time(2), &fused.outbox)
        }
        fused.advance(to: 2)
        #expect(fused.texts("espresense/rooms/hall/status") == ["offline"])
    }

    @Test("For a node whose last will came ESPresense's users are told, and again when it is back")
    func wills() throws {
        var fused = Fused()
        let status = "espresense/rooms/hall/status"
        var info = NodeInfo(
            version: "1", room: "hall", adapter: "replay", started: Fused.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.espresense = "espresense"
        var json = JSONWriter()
        info.write(to: &json)
        fused.receive(Message(topic: "whereabouts/nodes/hall/info", payload: json.bytes, retained: true), at: 0)
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", text: "online"), at: 1)
        #expect(fused.texts(status).isEmpty)
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", text: "offline"), at: 2)
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", text: "online"), at: 3)
        #expect(fused.texts(status) == ["offline", "online"])
        #expect(fused.outbox.filter { $0.topic == status }.allSatisfy { $0.retained && $0.qos == .atLeastOnce })
        // A node that tells them no more leaves nothing there.
        info.espresense = nil
        json.removeAll()
        info.write(to: &json)
        fused.receive(Message(topic: "whereabouts/nodes/hall/info", payload: json.bytes), at: 4)
        #expect(fused.texts(status).last == "")
        info.espresense = "espresense"
        json.removeAll()
        info.write(to: &json)
        fused.receive(Message(topic: "whereabouts/nodes/hall/info", payload: json.bytes), at: 5)
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", text: "offline"), at: 6)
        #expect(fused.texts(status).last == "offline")
        // Nor does one that was forgotten, or has another name now.
        fused.receive(Message(topic: "whereabouts/nodes/hall/status", payload: [], retained: false), at: 7)
        fused.receive(Message(topic: "whereabouts/nodes/hall/info", payload: []), at: 7)
        fused.advance(to: 8)
        #expect(fused.texts(status).last == "")
    }

    @Test("What was removed or purged isn't told of any more", arguments: [true, false])
    func forgotten(isPurge: Bool) throws {
        var fused = Fused()
        fused.pipeline.publishRooms(under: "room_presence")
        fused.info("hall")
        for second in 1...20 { fused.interval("hall", Double(second), ["keys"]) }
        #expect(fused.outbox.contains { $0.topic == "room_presence/hall" })
        if isPurge {
            _ = fused.pipeline.purgeItem("keys", before: nil, at: Fused.time(20.5), &fused.outbox)
        } else {
            fused.receive(
                Message(
                    topic: fused.topics.itemConfig("keys"), text: #"{"v":1,"id":"keys","removed":1000020}"#,
                    retained: true), at: 20.5)
        }
        let told = fused.outbox.count
        for second in 21...60 { fused.interval("hall", Double(second), []) }
        #expect(!fused.outbox[told...].contains { $0.topic.hasPrefix("room_presence/") })
    }
}
