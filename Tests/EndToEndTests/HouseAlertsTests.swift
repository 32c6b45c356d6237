import Alerts
import Foundation
import Glibc
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// A fuser with alerts, through mosquitto, and its retained messages after a kill and a start with other rules.
    @Suite struct HouseAlerts {
        @Test("Retain a warning over a kill, and clear it once no rule asks for it")
        func story() async throws {
            let topics = Topics()
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let plain = ["name: main", "state: fuser.sqlite"]
            let rooms = BusyHouse.rooms.joined(separator: ", ")
            let warning = try deployment.file(
                "warning.yaml",
                plain + ["alerts:", "  - in_room: {item: item-0, rooms: [\(rooms)]}", "    grace: 3s"])
            let quiet = try deployment.file("quiet.yaml", plain)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            var house = BusyHouse(seed: 3, origin: WallClock.now(), speed: 8)
            house.isStill = true
            for message in house.introductions() { recorder.publish(message) }
            func live(_ seconds: Double, until condition: () throws -> Bool = { false }) async throws -> Bool {
                try await until(seconds) {
                    while house.due <= WallClock.now() { for message in house.tell() { recorder.publish(message) } }
                    recorder.poll()
                    return try condition()
                }
            }
            func events() -> [ItemEvent] {
                recorder.messages.filter { $0.topic == topics.itemEvents("item-0") }
                    .compactMap { try? ItemEvent(payload: $0.payload.span) }
            }
            let first = try RunningProgram("whereabouts-fuser", ["--config", warning])
            #expect(try await live(20) { events().count == 1 }, "\(first.errors)")
            #expect(events()[0].kind == .alert && events()[0].alert == "in_room-item-0" && events()[0].count == 1)
            #expect(try await live(5) { recorder.text(topics.itemAlert("item-0"))?.contains("in_room-item-0") == true })
            #expect(first.logged("no effect") == 0)
            _ = try await live(1.5)
            first.process.send(SIGKILL)
            _ = first.process.wait()
            #expect(try await live(10) { recorder.text(topics.fuserStatus("main")) == "offline" })

            let again = try RunningProgram("whereabouts-fuser", ["--config", warning])
            let answer = "\(topics.prefix)/fuser/main/command/result"
            #expect(try await live(20) { recorder.text(topics.fuserStatus("main")) == "online" }, "\(again.errors)")
            recorder.publish(
                Message(
                    topic: topics.fuserCommand("main"),
                    text: "{\"id\":\"s\",\"action\":\"silence\",\"item\":\"item-0\",\"for\":60}", qos: .atLeastOnce))
            #expect(try await live(10) { recorder.text(answer)?.contains("\"ok\":true") == true }, "\(again.errors)")
            _ = try await live(3)
            #expect(events().count == 1, "it stood, and stands: \(events()) \(first.errors) \(again.errors)")
            again.process.terminate()
            #expect(try await again.status(within: 10) == 0)

            let third = try RunningProgram("whereabouts-fuser", ["--config", quiet])
            #expect(try await live(20) { events().count == 2 }, "\(third.errors)")
            #expect(events()[1].kind == .cleared && events()[1].reason == "removed")
            #expect(events().map(\.itemSeq) == [1, 2])
            #expect(try await live(20) { recorder.text(topics.itemAlert("item-0")) == "" }, "\(third.errors)")
            let late = try Recorder(broker, id: "late", [topics.itemAlert("item-0"), topics.room("item-0")])
            #expect(
                try await live(10) {
                    late.poll()
                    return late.latest[topics.room("item-0")] != nil
                })
            #expect(late.latest[topics.itemAlert("item-0")] == nil, "nothing stands")
        }
    }
}
