import Foundation
import MQTT
import WireProtocol
import Support
import Testing

extension Live {
    /// The rights of users at a broker that enforces the output of `whereabouts acl`.
    @Suite struct Rights {
        @Test("Grant each role by an acl_file the rights of the table of docs/security.md, and nothing else")
        func file() async throws {
            try await probe(RightsFleet().brokerOfFile())
        }

        @Test(
            "Grant the rights of the table by the plugin for dynamic security, too",
            .enabled(
                if: FileManager.default.isReadableFile(atPath: RightsFleet.plugin), "mosquitto's plugin isn't installed"
            ))
        func plugin() async throws {
            try await probe(RightsFleet().brokerOfPlugin())
        }

        @Test("Refuse a node that writes as another, which logs that")
        func impostor() async throws {
            let broker = try RightsFleet().brokerOfFile()
            let folder = try TemporaryFolder()
            _ = try folder.write(Array("kitchen\n".utf8), to: "password")
            let text = """
                node: living
                source: "simulate:\(Deployment.flat)"
                items: \(Repository.root)/etc/examples/simulation/items.yaml
                mqtt: {url: "\(broker.url)", username: kitchen, password_file: password}

                """
            let watcher = try RightsClient(RightsFleet.prober, broker, ["whereabouts/nodes/living/#"])
            #expect(try await watcher.wait { $0.client.isConnected })
            let agent = try RunningProgram(
                "whereabouts-agent", ["--config", folder.write(Array(text.utf8), to: "agent.yaml")])
            let isTold = try await until(20) {
                // The order of its messages is random, and the broker's reason is logged once.
                ["status", "info"].contains {
                    agent.logged("refused a message on whereabouts/nodes/living/\($0): Not authorized") >= 1
                }
            }
            #expect(isTold, "\(agent.errors)")
            #expect(try await watcher.wait { _ in true })
            #expect(watcher.messages.isEmpty)
        }

        @Test(
            "Let an administrator forget a removed node, also if a subscription beyond its rights is denied",
            .enabled(
                if: FileManager.default.isReadableFile(atPath: RightsFleet.plugin), "mosquitto's plugin isn't installed"
            ))
        func forgetting() async throws {
            let broker = try RightsFleet().brokerOfPlugin()
            let folder = try TemporaryFolder()
            _ = try folder.write(Array("chief\n".utf8), to: "password")
            let config = try folder.write(
                Array("mqtt: {url: \"\(broker.url)\", username: chief, password_file: password}\n".utf8),
                to: "chief.yaml"
            )
            let topics = Topics()
            // The node went while the broker was off, which has no last will to publish.
            let left = [
                Message(topic: topics.nodeStatus("hall"), text: "online", qos: .atLeastOnce, retained: true),
                Message(topic: topics.nodeInfo("hall"), text: "{}", qos: .atLeastOnce, retained: true),
                Message(topic: topics.region("office", node: "hall"), text: "{}", qos: .atLeastOnce, retained: true),
                Message(topic: topics.fuserStatus("old"), text: "offline", qos: .atLeastOnce, retained: true),
            ]
            let prober = try RightsClient(RightsFleet.prober, broker, [])
            #expect(try await prober.wait { $0.client.isConnected })
            for message in left { prober.client.publish(message) }
            #expect(prober.client.waitUntilUnsent(below: 1, timeout: 10))
            for (who, count) in [("node hall", "3 retained messages"), ("fuser old", "1 retained message")] {
                let outcome = try Execution.run(
                    Execution.path(of: "whereabouts"),
                    ["forget"] + who.split(separator: " ").map(String.init) + ["--config", config])
                #expect(outcome.status == 0, "\(outcome.error)")
                #expect(String(decoding: outcome.output, as: UTF8.self) == "\(who) is forgotten: \(count)\n")
            }
        }

        /// Every user, every topic, both rights, by real clients.
        private func probe(_ broker: Broker) async throws {
            let table = try RightsTable()
            try #require(table.topics.count > 20)
            let fence = "fence"
            let prober = try RightsClient(RightsFleet.prober, broker, table.topics + [fence])
            #expect(try await prober.wait { $0.client.isConnected }, "\(broker.log)")
            var count = 0
            for user in RightsTable.users {
                let client = try RightsClient(user.name, broker, table.topics)
                #expect(try await client.wait { $0.client.isConnected }, "\(user.name): \(broker.log)")
                // The messages that it may read arrive; a second round proves that no others will.
                let readable = table.topics.filter { table.cell(user, $0).reads }
                for round in ["1", "2"] {
                    for topic in table.topics {
                        prober.client.publish(topic: topic, payload: Array(round.utf8), qos: .atLeastOnce)
                    }
                    _ = try await client.wait { client in
                        readable.allSatisfy { topic in client.messages.contains { $0 == (topic, round) } }
                    }
                }
                for topic in table.topics {
                    let reads = client.messages.contains { $0.topic == topic }
                    #expect(reads == table.cell(user, topic).reads, "\(user.name) reads \(topic): \(reads)")
                }
                // The messages that it may write reach the prober before the prober's own mark.
                let mark = "by \(user.name)"
                for topic in table.topics {
                    client.client.publish(topic: topic, payload: Array(mark.utf8), qos: .atLeastOnce)
                }
                #expect(client.client.waitUntilUnsent(below: 1, timeout: 10))
                prober.client.publish(topic: fence, payload: Array(mark.utf8), qos: .atLeastOnce)
                #expect(try await prober.wait { $0.messages.contains { $0 == (fence, mark) } })
                for topic in table.topics {
                    let writes = prober.messages.contains { $0 == (topic, mark) }
                    #expect(writes == table.cell(user, topic).writes, "\(user.name) writes \(topic): \(writes)")
                    count += 2
                }
                // With MQTT 5 the broker reports that, once for each connection and reason.
                #expect(try await client.wait { !$0.refused.isEmpty }, "\(user.name)")
            }
            print("\(count) cells of \(RightsTable.users.count) users and \(table.topics.count) topics")
        }
    }
}
