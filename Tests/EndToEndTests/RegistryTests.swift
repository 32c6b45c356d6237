import WireProtocol
import Support
import Testing

extension Live {
    /// The registry that a fleet shares, by built agents in the simulated flat.
    @Suite struct FleetRegistry {
        private let topics = Topics()
        private let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

        private func node(_ name: String, _ deployment: Deployment) throws -> RunningProgram {
            let lines = ["node: \(name)", "source: \"simulate:\(Deployment.flat)\"", "state: \(name).sqlite"]
            return try RunningProgram("whereabouts-agent", ["--config", try deployment.file("\(name).yaml", lines)])
        }

        private func info(_ recorder: Recorder, _ node: String) -> NodeInfo? {
            recorder.latest[topics.nodeInfo(node)].flatMap { try? NodeInfo(payload: $0.payload.span) }
        }

        private func windows(_ recorder: Recorder, _ item: String, _ node: String) -> Int {
            recorder.count(topics.window(beacon: item, node: node))
        }

        /// The retained message of a topic, for a late subscriber.
        private func retained(_ broker: Broker, _ topic: String) async throws -> String? {
            let late = try Recorder(broker, id: "late", [topic, "test/#"])
            #expect(try await late.ready())
            return late.text(topic)
        }

        /// Twenty invalid entries, by the id in their topic, with a part of the reason.
        private var malformed: [(id: String, text: String, words: String)] {
            let good = #"{"address":"aa:bb:cc:dd:ee:01"#
            return [
                ("m01", "nonsense", "not the expected JSON"), ("m02", "[]", "not the expected JSON"),
                ("m03", #"{"ibeacon":{"uuid":"\#(uuid)","major":1,"minor":1}"#, "not the expected JSON"),
                ("m04", "{}", "an item needs one of ibeacon"),
                ("m05", #"{"ibeacon":7}"#, "ibeacon: expected an object"),
                ("m06", #"{"ibeacon":{"major":1,"minor":1}}"#, "ibeacon.uuid: is missing"),
                ("m07", #"{"ibeacon":{"uuid":"48534442-4c45","major":1,"minor":1}}"#, "8-4-4-4-12"),
                ("m08", #"{"ibeacon":{"uuid":"\#(uuid)","major":65536,"minor":1}}"#, "from 0 to 65535, found '65536'"),
                ("m09", #"{"altbeacon":{"uuid":"\#(uuid)","major":1,"minor":-1}}"#, "found '-1'"),
                ("m10", #"{"eddystone_uid":{"namespace":"0011","instance":"0123456789ab"}}"#, "20 hexadecimal digits"),
                ("m11", #"{"address":"aa:bb:cc"}"#, "a device address such as"),
                ("m12", good + #"","id":"cat"}"#, "the topic is that of 'm12'"),
                ("m13", good + #"","name":"\#(String(repeating: "x", count: 129))"}"#, "1 to 128 bytes"),
                ("m14", good + #"","tags":["Big Dog"]}"#, "of a-z, 0-9"),
                ("m15", good + #"","power":59}"#, "from -100 to 0"),
                ("m16", good + #"","irk":"00112233445566778899aabbccddeeff"}"#, "keys never travel over a topic"),
                ("m17", #"{"removed":true}"#, "removed: expected Unix seconds"),
                (
                    "m18", #"{"ibeacon":{"uuid":"\#(uuid)","major":100,"minor":1},"at":2000000000}"#,
                    "same beacon as 'keys'"
                ),
                ("away", good + "\"}", "reserved"), ("Big", good + "\"}", "of a-z, 0-9"),
            ]
        }

        @Test("Reject each of twenty malformed entries with its reason, and continue with the others")
        func malformedEntries() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let agent = try node("kitchen", deployment)
            let added = try ItemsTests.items(broker, ["add", "keys", "--ibeacon", "\(uuid),100,1"])
            #expect(added.status == 0, "\(added.error)")
            // A message that is not retained is for a node that is online, and adds the item.
            #expect(try await recorder.wait(20) { windows($0, "keys", "kitchen") > 0 }, "\(agent.errors)")
            let phone = Message(
                topic: topics.itemConfig("phone"), text: #"{"key":"irk"}"#, qos: .atLeastOnce, retained: true)
            recorder.publish(phone)
            #expect(malformed.count == 20)
            for entry in malformed {
                let topic = "whereabouts/items/\(entry.id)/config"
                recorder.publish(Message(topic: topic, text: entry.text, qos: .atLeastOnce, retained: true))
            }
            // The former entry of an item stays, for any later invalid one.
            recorder.publish(Message(topic: topics.itemConfig("keys"), text: "{", qos: .atLeastOnce))
            let isTold = try await recorder.wait(20) { recorder in
                guard let info = info(recorder, "kitchen") else { return false }
                return info.refused.count + info.refusedLeftOut == 21 && windows(recorder, "keys", "kitchen") > 2
            }
            #expect(isTold, "\(agent.errors)")
            let told = try #require(info(recorder, "kitchen"))
            #expect(told.missingKeys == ["phone"])
            for entry in malformed {
                let reason = told.refused.first { $0.item == entry.id }?.reason
                let isAnswered = try await recorder.wait(reason?.contains(entry.words) == true ? 0 : 10) { recorder in
                    recorder.messages.contains {
                        guard $0.topic == topics.commandResult("kitchen"),
                            case .failed(let why) = try? CommandResult(payload: $0.payload.span).answer
                        else { return false }
                        return why.contains(entry.words) && why.contains(entry.id)
                    }
                }
                #expect(reason?.contains(entry.words) == true || isAnswered, "\(entry.id): \(reason ?? "-")")
            }
            let seen = windows(recorder, "keys", "kitchen")
            #expect(try await recorder.wait(10) { windows($0, "keys", "kitchen") > seen + 1 })
            // A corrected entry is no longer rejected.
            recorder.publish(
                Message(
                    topic: topics.itemConfig("m01"), text: #"{"address":"aa:bb:cc:dd:ee:02"}"#, qos: .atLeastOnce,
                    retained: true))
            #expect(
                try await recorder.wait(10) { recorder in
                    info(recorder, "kitchen").map { $0.refused.count + $0.refusedLeftOut } == 20
                })
        }

        @Test(
            "Remove an item everywhere while a node and then the broker's store are away, and keep the others"
        )
        func removal() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let fuser = try RunningProgram(
                "whereabouts-fuser", ["--config", try deployment.file("fuser.yaml", ["name: main"])])
            let kitchen = try node("kitchen", deployment)
            var living = try node("living", deployment)
            let cat = ["--eddystone", "00112233445566778899,0123456789ab"]
            #expect(try ItemsTests.items(broker, ["add", "cat"] + cat).status == 0)
            #expect(try ItemsTests.items(broker, ["add", "keys", "--ibeacon", "\(uuid),100,1"]).status == 0)
            let near = ["kitchen", "living"].map { topics.proximity(beacon: "cat", node: $0) }
            let isHeard = try await recorder.wait(20) { recorder in
                near.allSatisfy { recorder.latest[$0]?.payload.isEmpty == false }
                    && windows(recorder, "keys", "living") > 0
            }
            #expect(isHeard, "\(kitchen.errors)\(living.errors)")

            // One node is away during the removal.
            living.process.terminate()
            #expect(try await living.status(within: 10) == 0)
            #expect(try ItemsTests.items(broker, ["remove", "cat"]).status == 0)
            #expect(try await recorder.wait(Live.promised(2)) { $0.latest[near[0]]?.payload.isEmpty == true })
            #expect(try await retained(broker, near[1])?.isEmpty == false)
            living = try node("living", deployment)
            #expect(try await recorder.wait(20) { $0.latest[near[1]]?.payload.isEmpty == true }, "\(living.errors)")
            #expect(try await recorder.wait(20) { info($0, "living")?.registry == info($0, "kitchen")?.registry })

            // It is away again when the broker loses everything; the fuser restores the registry.
            living.process.terminate()
            #expect(try await living.status(within: 10) == 0)
            try broker.restart()
            // Attempts may lie a minute apart.
            let isBack = try await recorder.wait(90) { recorder in
                recorder.text(topics.itemConfig("cat"))?.contains("removed") == true
                    && recorder.text(topics.itemConfig("keys"))?.contains("ibeacon") == true && recorder.isConnected
            }
            #expect(isBack, "\(fuser.errors)")
            #expect(try await until(30) { try ItemsTests.list(broker) == ["keys iBeacon:\(uuid)-100-1 retained"] })
            // The node that stayed has come back by itself, perhaps after the fuser, with its entries.
            let isTold = try await until(90) {
                try await retained(broker, topics.proximity(beacon: "keys", node: "kitchen"))?.isEmpty == false
            }
            #expect(isTold, "\(kitchen.errors)")
            living = try node("living", deployment)
            let seen = recorder.messages.count
            let isRight = try await recorder.wait(20) { recorder in
                ["kitchen", "living"].allSatisfy {
                    recorder.count(topics.window(beacon: "keys", node: $0), from: seen) > 2
                }
            }
            #expect(isRight, "\(living.errors)")
            #expect(try await recorder.wait(20) { info($0, "living")?.registry == info($0, "kitchen")?.registry })
            #expect(recorder.count("whereabouts/windows/\(Topics.shard(of: "cat"))/cat/", from: seen) == 0)
            for topic in near { #expect(try await until(20) { try await retained(broker, topic) ?? "" == "" }) }
        }
    }
}
