import Glibc
import WireProtocol
import Support
import Testing

extension Live {
    /// Regions, events and the registry of a built agent in the simulated flat.
    @Suite struct Presence {
        private let topics = Topics()
        private let regions = [
            "state: kitchen.sqlite", "regions:",
            "  - {id: pets, eddystone_uid: {namespace: \"00112233445566778899\"}}",
            "  - {id: things, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0}, exit_after: 600s}",
        ]

        private func events(_ recorder: Recorder) -> [NodeEvent] {
            recorder.messages.filter { $0.topic == topics.nodeEvents("kitchen") }
                .compactMap { try? NodeEvent(payload: $0.payload.span) }
        }

        private func command(_ recorder: Recorder, _ text: String) {
            recorder.publish(Message(topic: topics.nodeCommand("kitchen"), text: text, qos: .atLeastOnce))
        }

        @Test(
            "Determine a node's known state after a kill, continue its count, and repeat events on request"
        )
        func killed() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let file = try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)", regions)
            let first = try RunningProgram("whereabouts-agent", ["--config", file])
            #expect(try await recorder.wait(20) { events($0).count >= 2 }, "\(first.errors)")
            // Its state is written once a second; changes of an event are written with it.
            first.process.send(SIGKILL)
            _ = first.process.wait()
            let told = events(recorder)
            #expect(told.allSatisfy { $0.kind == .determined && $0.state == .inside })

            let second = try RunningProgram("whereabouts-agent", ["--config", file])
            #expect(try await recorder.wait(20) { events($0).count >= told.count + 2 }, "\(second.errors)")
            let all = events(recorder)
            #expect(all.allSatisfy { $0.epoch == told[0].epoch && $0.kind == .determined }, "\(all)")
            #expect(all.map(\.seq) == Array(1...UInt64(all.count)))
            let things = try #require(recorder.latest[topics.region("things", node: "kitchen")])
            #expect(things.payload.isEmpty == false)
            let scans = recorder.messages.filter { $0.topic == topics.scan("kitchen") }
                .compactMap { try? Scan(payload: $0.payload.span) }
            #expect(
                Set(scans.map { "\($0.epoch) \($0.seq)" }).count == scans.count,
                "by epoch and number an interval is known for good")

            command(recorder, "{\"id\":\"r\",\"action\":\"replay\",\"epoch\":\"\(told[0].epoch)\",\"from_seq\":2}")
            let isRepeated = try await recorder.wait(10) { seen in
                events(seen).contains { $0.isReplayed && $0.seq == 2 && $0.id == told[1].id }
            }
            #expect(isRepeated)
            #expect(!events(recorder).contains { $0.isReplayed && $0.seq == 1 })
        }

        @Test("Publish an item registered over the broker, and stop for a removed one, within two seconds")
        func registry() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            let file = try deployment.file(
                "kitchen.yaml", ["node: kitchen", "source: \"simulate:\(Deployment.flat)\""])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            #expect(try await recorder.wait(20) { $0.count(topics.scan("kitchen")) >= 2 }, "\(agent.errors)")
            #expect(recorder.count(topics.prefix + "/windows/") == 0)
            let added = try ItemsTests.items(
                broker, ["add", "purr", "--eddystone", "00112233445566778899,0123456789ab"])
            #expect(added.status == 0, "\(added.error)")
            let window = topics.window(beacon: "purr", node: "kitchen")
            let near = topics.proximity(beacon: "purr", node: "kitchen")
            #expect(try await recorder.wait(20) { $0.latest[window] != nil && $0.latest[near] != nil })

            #expect(try ItemsTests.items(broker, ["remove", "purr"]).status == 0)
            #expect(try await recorder.wait(Live.promised(2)) { $0.latest[near]?.payload.isEmpty == true })
            let windows = recorder.count(window)
            let scans = recorder.count(topics.scan("kitchen"))
            #expect(try await recorder.wait(10) { $0.count(topics.scan("kitchen")) >= scans + 2 })
            #expect(recorder.count(window) == windows)
        }

        @Test("Enroll an unknown tag from another machine by the node beside it")
        func nearest() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            let file = try deployment.file(
                "kitchen.yaml", ["node: kitchen", "source: \"simulate:\(Deployment.flat)\""])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            #expect(try await recorder.wait(20) { $0.count(topics.scan("kitchen")) >= 1 }, "\(agent.errors)")
            let added = try ItemsTests.items(broker, ["add", "found", "--nearest", "kitchen", "--for", "2s", "--yes"])
            #expect(added.status == 0, "\(added.error)")
            #expect(
                try await recorder.wait(20) { $0.latest[topics.window(beacon: "found", node: "kitchen")] != nil })
            // The data of a stranger's tag goes to the requester, and to nobody else.
            #expect(recorder.count(topics.commandResult("kitchen")) == 0)
            #expect(recorder.messages.contains { $0.topic.hasPrefix(topics.replies("")) && $0.payload.first == 0x7B })
        }

        @Test("Answer invalid commands with the reason, and continue")
        func commands() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)")])
            #expect(try await recorder.wait(20) { $0.count(topics.scan("kitchen")) >= 1 }, "\(agent.errors)")
            let result = topics.commandResult("kitchen")
            for text in ["x", "{}", "{\"action\":\"dance\"}", String(repeating: "[", count: 70_000)] {
                command(recorder, text)
            }
            recorder.publish(
                Message(topic: topics.itemConfig("bad"), text: "{\"ibeacon\":{\"uuid\":\"12\"}}", qos: .atLeastOnce))
            #expect(try await recorder.wait(10) { $0.count(result) >= 5 })
            let answers = recorder.messages.filter { $0.topic == result }
                .compactMap { try? CommandResult(payload: $0.payload.span).answer }
            #expect(answers.count == 5)
            #expect(answers.allSatisfy { if case .failed = $0 { true } else { false } }, "\(answers)")
            let scans = recorder.count(topics.scan("kitchen"))
            #expect(try await recorder.wait(10) { $0.count(topics.scan("kitchen")) > scans })
        }
    }
}
