import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// The alerts of a built agent.
    @Suite struct Alerts {
        private static let alerts = [
            "alerts:", "  - left_behind: {item: keys, with: [phone]}", "    repeat: 60s",
            "  - gone: {item: keys, unless_with: [phone]}",
        ]
        private let topics = Topics()

        @Test("Publish the alerts of a day of phone and keys: together, keys forgotten, silenced, keys taken")
        func day() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let file = try deployment.hall(
                "hall",
                [
                    // They leave together, the keys' last packet first, and come back.
                    ("phone", 0, 100), ("keys", 0, 70), ("phone", 250, 400), ("keys", 250, 1600), ("phone", 1500, 2000),
                    ("keys", 1800, 2000),
                ], Self.alerts + ["regions:", "  - {id: my-keys, item: keys}"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file, "--speed", "50"])
            #expect(try await recorder.wait(60) { $0.hallAlerts.count >= 2 }, "\(agent.errors)")
            let region = topics.region("my-keys", node: "hall")
            #expect(
                try await recorder.wait(10) { $0.text(region)?.contains("\"alerts\":[\"left_behind-keys\"]") == true })
            let command = "{\"id\":\"q\",\"action\":\"silence\",\"item\":\"keys\",\"for\":200}"
            recorder.publish(Message(topic: topics.nodeCommand("hall"), text: command, qos: .atLeastOnce))
            recorder.publish(
                Message(
                    topic: topics.nodeCommand("hall"),
                    text: "{\"id\":\"no\",\"action\":\"silence\",\"item\":\"sock\",\"for\":200}", qos: .atLeastOnce))
            #expect(try await agent.status(within: 120) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(20) { $0.text(topics.nodeStatus("hall")) == "offline" })

            let told = recorder.hallAlerts
            #expect(told.prefix(2) == ["470 alert left_behind-keys 1", "530 alert left_behind-keys 2"])
            #expect(
                told.suffix(3) == [
                    "1500 cleared left_behind-keys returned", "1670 alert gone-keys 1",
                    "1800 cleared gone-keys returned",
                ], "\(told)")
            let seconds = told.dropLast(3).compactMap { Int($0.split(separator: " ")[0]) }
            let pauses = zip(seconds, seconds.dropFirst()).map { $1 - $0 }
            #expect(pauses.count { $0 >= 200 } == 1 && pauses.allSatisfy { $0 >= 60 }, "\(told)")
            #expect(recorder.text(region)?.contains("alerts") == false)
            let answers = recorder.messages.filter { $0.topic == topics.commandResult("hall") }
                .compactMap { try? CommandResult(payload: $0.payload.span) }
            #expect(answers.map(\.id) == ["q", "no"])
            #expect(answers.map(\.answer) == [.done, .failed("there is no item 'sock' here")])
            #expect(recorder.messages.allSatisfy { !$0.topic.contains("item:") })
        }

        @Test("Retain an active alert over a kill of the agent, without publishing it anew")
        func killed() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let before: [ComingsCapture.Stay] = [("phone", 0, 100), ("keys", 0, 6000)]
            let lines = [
                "alerts:", "  - left_behind: {item: keys, with: [phone]}", "state: hall.sqlite",
            ]
            let first = try RunningProgram(
                "whereabouts-agent", ["--config", deployment.hall("before", before, lines), "--speed", "60"])
            #expect(try await recorder.wait(60) { $0.hallAlerts.count == 1 }, "\(first.errors)")
            first.process.send(SIGKILL)
            _ = first.process.wait()
            let after: [ComingsCapture.Stay] = [("keys", 6100, 6400), ("phone", 6300, 6400)]
            let second = try RunningProgram(
                "whereabouts-agent", ["--config", deployment.hall("after", after, lines), "--speed", "60"])
            #expect(try await second.status(within: 60) == 0, "\(second.errors)")
            #expect(try await recorder.wait(10) { $0.hallAlerts.count == 2 })
            #expect(
                recorder.hallAlerts == [
                    "170 alert left_behind-keys 1", "6300 cleared left_behind-keys returned",
                ])
            #expect(recorder.hallEvents.map(\.seq) == [1, 2] && Set(recorder.hallEvents.map(\.epoch)).count == 1)
        }

        @Test("Delay an alert until its hours begin, by the clock of the zone")
        func hours() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Vienna") else {
                print("skipped: the time zones (tzdata) are not installed")
                return
            }
            // The capture begins at nine in Vienna.
            let file = try deployment.hall(
                "hall", [("phone", 0, 100), ("keys", 0, 900)],
                [
                    "alerts:", "  - gone: {item: sock}", "  - left_behind: {item: keys, with: [phone]}",
                    "    hours: {from: \"09:10\", to: \"22:00\", zone: Europe/Vienna}",
                ])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file, "--speed", "max"])
            #expect(try await agent.status(within: 60) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(10) { !$0.hallAlerts.isEmpty })
            #expect(recorder.hallAlerts == ["600 alert left_behind-keys 1"])
            #expect(agent.logged("wait for items that aren't registered yet: sock") == 1, "\(agent.errors)")
        }
    }
}
