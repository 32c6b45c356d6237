import WireProtocol
import Support
import Testing

extension Live {
    /// All retained messages of two gateways and a fuser, to the last topic, after each step of a life.
    @Suite(.enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1")) struct ScriptedLife {
        private static let rooms = ["kitchen", "living"]

        private final class House {
            let broker: Broker
            let deployment: Deployment
            let scenario: String
            var programs: [String: RunningProgram] = [:]
            var prefix = "whereabouts"

            init() throws {
                broker = try Broker()
                deployment = try Deployment(broker)
                // One gateway is there under two names.
                let flat = readFile(Deployment.flat) ?? ""
                let node = "  - {id: kitchen, room: kitchen, x: 0.5, y: 1.2, z: 1.4}\n"
                let parts = flat.split(separator: node, maxSplits: 1)
                let twins = parts[0] + node + "  - {id: cook, room: kitchen, x: 0.5, y: 1.2, z: 1.4}\n" + parts[1]
                scenario = try deployment.folder.write(Array(twins.utf8), to: "house.yaml")
            }

            var topics: Topics { Topics(prefix: prefix) }

            /// The gateway in the kitchen uses one state under all its names.
            func startAgent(_ place: String, as node: String, regions: [String]) throws {
                var lines = [
                    "node: \(node)", "room: \(place)", "source: \"simulate:\(scenario)\"", "state: \(place).sqlite",
                    "topic_prefix: \(prefix)",
                ]
                if !regions.isEmpty {
                    lines.append("regions:")
                    lines += regions.map {
                        "  - {id: \($0), ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 100}}"
                    }
                }
                let file = try deployment.file("\(place).yaml", lines)
                programs[place] = try RunningProgram("whereabouts-agent", ["--config", file])
            }

            private func fuserFile() throws -> String {
                try deployment.file("fuser.yaml", ["name: main", "state: fuser.sqlite", "topic_prefix: \(prefix)"])
            }

            func startFuser() throws {
                programs["fuser"] = try RunningProgram("whereabouts-fuser", ["--config", fuserFile()])
            }

            func stop(_ name: String) async throws {
                let running = programs.removeValue(forKey: name)
                let program = try #require(running)
                program.process.terminate()
                #expect(try await program.status(within: 10) == 0, "\(program.errors)")
            }

            func items(_ words: [String]) throws {
                let outcome = try Execution.run(
                    Execution.path(of: "whereabouts"), ["items"] + words + ["--config", fuserFile()])
                #expect(outcome.status == 0, "\(outcome.error)")
            }

            /// The topics that must be retained for the house in its present state.
            func expected(
                nodes: [String: [String]], items: [String], telemetry: [String] = [], removed: [String] = []
            ) -> Set<String> {
                var all: Set<String> = [topics.fuserStatus("main")]
                for (node, regions) in nodes {
                    all.formUnion([topics.nodeStatus(node), topics.nodeInfo(node), topics.nodeHealth(node)])
                    all.formUnion(regions.map { topics.region($0, node: node) })
                    all.formUnion(items.map { topics.proximity(beacon: $0, node: node) })
                }
                for item in items {
                    all.formUnion([topics.itemConfig(item), topics.location(item), topics.room(item)])
                }
                all.formUnion(telemetry.map(topics.itemTelemetry))
                all.formUnion(removed.map(topics.itemConfig))
                all.formUnion(ScriptedLife.rooms.map(topics.occupancy))
                return all
            }

            /// Waits until exactly these topics are retained, for a new subscriber, and stay so.
            func expect(_ step: String, _ expected: Set<String>, within seconds: Double = 90) async throws {
                var found: Set<String> = []
                let began = ContinuousClock.now
                repeat {
                    found = try await retained()
                } while found != expected && ContinuousClock.now - began < .seconds(seconds)
                let surplus = found.subtracting(expected).sorted()
                let missing = expected.subtracting(found).sorted()
                let logs = programs.mapValues(\.errors)
                #expect(found == expected, "\(step): too many \(surplus), missing \(missing) \(logs)")
                print("\(step): \(found.count) topics, exact after \(ContinuousClock.now - began)")
            }

            /// All topics that the broker retains.
            private func retained() async throws -> Set<String> {
                let recorder = try Recorder(broker, id: "late")
                #expect(try await recorder.ready())
                return Set(recorder.messages.filter(\.retained).map(\.topic))
            }
        }

        @Test("Retain the right topics over each step: register, move, rename, remove, change prefix, lose store")
        func life() async throws {
            let house = try House()
            let cat = ["--eddystone", "00112233445566778899,0123456789ab"]
            let keys = ["--ibeacon", "48534442-4c45-4144-80c0-1800fffffff0,100,1"]
            try house.startFuser()
            try house.startAgent("kitchen", as: "kitchen", regions: ["office", "ring"])
            try house.startAgent("living", as: "living", regions: [])
            try house.items(["add", "cat"] + cat)
            try house.items(["add", "keys"] + keys)
            // Both have been in both rooms by then.
            try await house.expect(
                "registered and moved",
                house.expected(
                    nodes: ["kitchen": ["office", "ring"], "living": []], items: ["cat", "keys"], telemetry: ["cat"]))

            try await house.stop("kitchen")
            try house.startAgent("kitchen", as: "cook", regions: ["office", "ring"])
            try await house.expect(
                "node renamed",
                house.expected(
                    nodes: ["cook": ["office", "ring"], "living": []], items: ["cat", "keys"], telemetry: ["cat"]))

            try house.items(["remove", "cat"])
            try await house.expect(
                "item removed",
                house.expected(nodes: ["cook": ["office", "ring"], "living": []], items: ["keys"], removed: ["cat"]))

            try await house.stop("kitchen")
            try house.startAgent("kitchen", as: "cook", regions: ["office"])
            let before = house.expected(nodes: ["cook": ["office"], "living": []], items: ["keys"], removed: ["cat"])
            try await house.expect("region removed", before)

            // The registry of the former prefix is the house's, and stays.
            let registry = ["cat", "keys"].map(house.topics.itemConfig)
            for name in ["kitchen", "living", "fuser"] { try await house.stop(name) }
            house.prefix = "home/upstairs"
            try house.items(["add", "keys"] + keys)
            try house.startFuser()
            try house.startAgent("kitchen", as: "cook", regions: ["office"])
            try house.startAgent("living", as: "living", regions: [])
            let after = house.expected(nodes: ["cook": ["office"], "living": []], items: ["keys"])
            // The agents' memory holds the tombstone, and the registry's owner restores its entries.
            try await house.expect("prefix changed", after.union(registry))

            try house.items(["add", "cat"] + cat)
            try house.items(["remove", "cat"])
            let last = after.union([house.topics.itemConfig("cat")])
            try await house.expect("another item came and went", last.union(registry))
            try house.broker.restart()
            try await house.expect("broker restarted without its store", last)
        }
    }
}
