import BeaconFrames
import Bytes
import Foundation
import Identity
import Support
import Testing
import WireProtocol

extension Live {
    /// Names of items, persons and beacons in the logs: at `info` and below alone.
    @Suite struct LogNames {
        /// In every name that belongs to somebody.
        private static let mark = "zz-"
        private static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"
        private static let address = "a4:c1:38:0f:0e:0d"

        private static let items = """
            - {id: zz-keys, name: zz-Label, ibeacon: {uuid: \(uuid), major: 100, minor: 1}}
            - {id: zz-phone, key: irk}
            - {id: zz-cat, eddystone_uid: {namespace: "00112233445566778899", instance: "0123456789ab"}}

            """

        /// The lines of a journal with their priorities.
        private static func lines(_ program: RunningProgram) -> [(priority: Int, text: String)] {
            program.errors.split(separator: "\n").compactMap { line in
                guard line.first == "<", let end = line.firstIndex(of: ">"),
                    let priority = Int(line[line.index(after: line.startIndex)..<end])
                else { return nil }
                return (priority, line[line.index(after: end)...].lowercased())
            }
        }

        @Test("Warnings, errors and notices name no item, and information does")
        func names() async throws {
            let topics = Topics()
            let broker = try Broker()
            let deployment = try Deployment(broker)
            _ = try deployment.folder.write(Array(Self.items.utf8), to: "items.yaml")
            let agentFile = try deployment.agent(
                "kitchen", source: "simulate:\(Deployment.flat)",
                [
                    "state: kitchen.sqlite", "alerts: [{gone: {item: zz-stranger}}]",
                    "reactions: [{item: zz-cat, on_determined: [{run: [/bin/false]}], on_enter: [{run: [/bin/false]}]}]",
                ])
            let fuserFile = try deployment.file(
                "fuser.yaml",
                [
                    "name: main", "items: items.yaml", "persons: [{id: zz-anna, items: [zz-nobody]}]",
                    "alerts: [{not_heard: {item: zz-unknown, for: 1h}}]", "inputs: {espresense: true}",
                ])
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            // An entry that differs from the file's, one with another's beacon, and one with faults.
            let keys = Item(
                id: "zz-keys", name: "zz-Other",
                identities: [.iBeacon(uuid: try #require(BeaconUUID(Self.uuid)), major: 100, minor: 1)])
            var twin = keys
            twin.id = "zz-twin"
            for item in [keys, twin] {
                let payload = ItemChange(ItemEntry(item, at: Timestamp(microseconds: 1_700_000_000_000_000))).payload
                recorder.publish(
                    Message(topic: topics.itemConfig(item.id), payload: payload, qos: .atLeastOnce, retained: true))
            }
            recorder.publish(
                Message(
                    topic: topics.itemConfig("zz-broken"),
                    text: "{\"name\":\"zz-Name\",\"address\":\"\(Self.address)\",\"power\":\"zz-loud\"}",
                    qos: .atLeastOnce, retained: true))
            recorder.publish(
                Message(
                    topic: "\(topics.prefix)/lessons/zz-keys-1700000000000", text: "zz-nonsense", qos: .atLeastOnce,
                    retained: true))
            let environment = ["PATH=/usr/bin:/bin", "JOURNAL_STREAM=1:2"]
            let agent = try RunningProgram(
                "whereabouts-agent", ["--config", agentFile, "--log-level", "debug"], environment: environment)
            let fuser = try RunningProgram(
                "whereabouts-fuser", ["--config", fuserFile, "--log-level", "debug"], environment: environment)
            #expect(try await recorder.wait(60) { $0.latest[topics.location("zz-cat")] != nil }, "\(fuser.errors)")
            recorder.publish(Message(topic: topics.location("zz-wrong"), text: "{", qos: .atLeastOnce))
            recorder.publish(
                Message(topic: topics.window(beacon: Self.address, node: "kitchen"), text: "{", qos: .atLeastOnce))
            func informs(_ program: RunningProgram, _ names: [String]) -> [String] {
                let texts = Self.lines(program).filter { $0.priority >= 6 }.map(\.text)
                return names.filter { name in !texts.contains { $0.contains(name) } }
            }
            let ofAgent = ["zz-stranger", "zz-phone", "zz-twin", "zz-broken", "zz-cat"]
            let ofFuser = ["zz-nobody", "zz-unknown", "zz-broken", "zz-keys"]
            _ = try await until(60) {
                recorder.poll()
                return informs(agent, ofAgent).isEmpty && informs(fuser, ofFuser).isEmpty
            }
            #expect(informs(agent, ofAgent) == [], "\(agent.errors)")
            #expect(informs(fuser, ofFuser) == [], "\(fuser.errors)")
            for program in [agent, fuser] {
                program.process.send(SIGTERM)
                #expect(try await program.status(within: 20) == 0)
                let important = Self.lines(program).filter { $0.priority <= 5 }.map(\.text)
                #expect(important.count > 3, "\(program.errors)")
                for text in important {
                    let isClean = [Self.mark, Self.address, Self.uuid].allSatisfy { !text.contains($0) }
                    #expect(isClean, "\(text)")
                }
            }
        }
    }
}
