import Foundation
import Integrations
import WireProtocol
import Support
import Testing

extension Live {
    /// The built programs and mosquitto, as other systems see them.
    @Suite struct LiveNeighbours {
        @Test("Show an agent's start, messages, end and kill to ESPresense's users, and rooms to mqtt_room")
        func outputs() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, ["espresense/#", "room_presence/#"])
            let fuser = try RunningProgram(
                "whereabouts-fuser",
                [
                    "--config",
                    deployment.file(
                        "fuser.yaml",
                        ["name: main", "items: items.yaml", "inputs: {espresense: true}", "outputs: {mqtt_room: true}"]),
                ])
            let config = try deployment.agent(
                "kitchen", source: "simulate:\(Deployment.flat)", ["outputs: {espresense: true}"])
            let status = "espresense/rooms/kitchen/status"
            let agent = try RunningProgram("whereabouts-agent", ["--config", config])
            let told = try await recorder.wait(30) { seen in
                seen.text(status) == "online" && seen.count("espresense/devices/") > 0
                    && seen.count("espresense/rooms/kitchen/telemetry") > 0 && seen.text("room_presence/kitchen") != nil
            }
            #expect(told, "\(agent.errors) \(fuser.errors)")
            for message in recorder.messages where message.topic.hasPrefix("espresense/devices/") {
                _ = try ESPresenseDevice(payload: message.payload.span)
                #expect(message.topic.hasSuffix("/kitchen"))
            }
            agent.process.terminate()
            #expect(try await recorder.wait(20) { $0.text(status) == "offline" })
            let again = try RunningProgram("whereabouts-agent", ["--config", config])
            #expect(try await recorder.wait(30) { $0.text(status) == "online" }, "\(again.errors)")
            again.process.send(SIGKILL)
            #expect(try await recorder.wait(30) { $0.text(status) == "offline" }, "\(fuser.errors)")
            // The agent's own messages in ESPresense's form are no second observation.
            #expect(!fuser.errors.contains("espresense-kitchen"))
        }

        @Test("Clear an agent's messages for ESPresense's users once they are disabled, without a fuser")
        func switchedOff() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let status = "espresense/rooms/kitchen/status"
            let recorder = try Recorder(broker, ["espresense/#"])
            for isOn in [true, false] {
                let config = try deployment.agent(
                    "kitchen", source: "simulate:\(Deployment.flat)", isOn ? ["outputs: {espresense: true}"] : [])
                let agent = try RunningProgram("whereabouts-agent", ["--config", config])
                let told = try await recorder.wait(30) { $0.text(status) == (isOn ? "online" : "") }
                #expect(told, "\(agent.errors)")
                agent.process.terminate()
                #expect(try await agent.status(within: 20) == 0, "\(agent.errors)")
                if isOn { #expect(try await recorder.wait(20) { $0.text(status) == "offline" }) }
            }
            let late = try Recorder(broker, id: "late", ["espresense/#", "test/#"])
            #expect(try await late.ready())
            #expect(late.text(status) == nil)
        }

        @Test("Place items by an ESPresense node and a gateway of OpenMQTTGateway through a real broker")
        func inputs() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let fuser = try RunningProgram(
                "whereabouts-fuser",
                [
                    "--config",
                    deployment.file(
                        "fuser.yaml",
                        [
                            "items: items.yaml", "inputs: {espresense: true, theengs: true}",
                            "neighbours: {topics: {espresense: house/esp}, aliases: {'phone:test': phone}}",
                            "nodes: {theengs-gate: {room: hall}}",
                        ]),
                ])
            let topics = Topics()
            let recorder = try Recorder(broker, [topics.allItems("room"), topics.allFusers("claim")])
            #expect(try await recorder.wait(20) { $0.count(topics.fuserClaim("main")) > 0 }, "\(fuser.errors)")
            let isPlaced = try await until(30) {
                recorder.publish(
                    Message(topic: "house/esp/devices/phone:test/office", text: #"{"rssi":-60,"rssi@1m":-59}"#))
                recorder.publish(
                    Message(
                        topic: "home/gate/BTtoMQTT/AABBCCDDEEFF",
                        text: #"{"id":"AA:BB:CC:DD:EE:FF","rssi":-60,"uuid":"485344424C45414480C01800FFFFFFF0","#
                            + #""major":100,"minor":1}"#))
                recorder.poll()
                return recorder.text(topics.room("phone")) == "office" && recorder.text(topics.room("keys")) == "hall"
            }
            #expect(isPlaced, "\(fuser.errors)")
        }
    }
}
