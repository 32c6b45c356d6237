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

        private func probe(_ broker: Broker) async throws {
            try await RightsProbe(client: { try RightsClient($0, broker, $1) }, log: { broker.log }).run()
        }
    }
}

/// Every user, every topic, both rights, by real clients.
struct RightsProbe {
    /// A client of a user, with its subscriptions.
    let client: (_ user: String, _ filters: [String]) throws -> RightsClient
    /// The broker's log.
    let log: () -> String
    /// True if the broker speaks MQTT 5, and so reports that it rejects a message.
    var reportsRefusals = true

    func run() async throws {
        let table = try RightsTable()
        try #require(table.topics.count > 20)
        let fence = "fence"
        // nats-server grants a session some sixty subscriptions of QoS 1.
        let roots = Set((table.topics + [fence]).map { "\($0.prefix { $0 != "/" })/#" })
        let prober = try client(RightsFleet.prober, roots.sorted())
        #expect(try await prober.isReady(), "\(log())")
        var count = 0
        for user in RightsTable.users {
            let client = try client(user.name, table.topics)
            #expect(try await client.isReady(), "\(user.name): \(log())")
            // The messages that it may read arrive; a second round proves that no others will.
            let readable = table.topics.filter { table.cell(user, $0).reads }
            for round in ["1", "2"] {
                publish(round, on: table.topics, by: prober)
                _ = try await client.wait(for: round, on: readable)
            }
            let read = Set(client.messages.map(\.topic))
            for topic in table.topics {
                let reads = read.contains(topic)
                #expect(reads == table.cell(user, topic).reads, "\(user.name) reads \(topic): \(reads)")
            }
            // Messages that it may write reach the prober likewise, and all of it before the prober's own mark.
            let writable = table.topics.filter { table.cell(user, $0).writes }
            let marks = ["by \(user.name)", "again by \(user.name)"]
            for mark in marks {
                publish(mark, on: table.topics, by: client)
                #expect(client.client.waitUntilUnsent(below: 1, timeout: 10))
                _ = try await prober.wait(for: mark, on: writable)
            }
            publish(marks[0], on: [fence], by: prober)
            #expect(try await prober.wait(for: marks[0], on: [fence]))
            let written = Set(prober.messages.filter { marks.contains($0.text) }.map(\.topic))
            for topic in table.topics {
                let writes = written.contains(topic)
                #expect(writes == table.cell(user, topic).writes, "\(user.name) writes \(topic): \(writes)")
                count += 2
            }
            // With MQTT 5 the broker reports that, once for each connection and reason.
            if reportsRefusals { #expect(try await client.wait { !$0.refused.isEmpty }, "\(user.name)") }
        }
        print("\(count) cells of \(RightsTable.users.count) users and \(table.topics.count) topics")
    }

    private func publish(_ text: String, on topics: [String], by client: RightsClient) {
        for topic in topics { client.client.publish(topic: topic, payload: Array(text.utf8), qos: .atLeastOnce) }
    }
}
