import WireProtocol
import Support
import Testing

extension Live {
    /// A broker that denies subscriptions at first, as one whose access list is loaded late.
    @Suite struct DeniedSubscription {
        private static let topics = Topics()

        /// An agent and a fuser behind a relay that denies the chosen filters.
        private final class Stage {
            let relay: DenyingRelay
            let recorder: Recorder
            let agent: RunningProgram
            let fuser: RunningProgram
            let agentFile: String
            let fuserFile: String
            private let deployment: Deployment

            init(_ broker: Broker, denying isDenied: @escaping (String) -> Bool) async throws {
                relay = try DenyingRelay(to: broker.port)
                relay.deny(isDenied)
                deployment = try Deployment(broker)
                let url = "mqtt://127.0.0.1:\(relay.port)"
                agentFile = try deployment.file(
                    "kitchen.yaml", ["node: kitchen", "source: \"simulate:\(Deployment.flat)\"", "items: items.yaml"],
                    url: url)
                fuserFile = try deployment.fuser("main", url: url)
                recorder = try Recorder(broker, ["whereabouts/#", "test/#"])
                #expect(try await recorder.ready())
                agent = try RunningProgram("whereabouts-agent", ["--config", agentFile])
                fuser = try RunningProgram("whereabouts-fuser", ["--config", fuserFile])
            }

            var claim: Claim? {
                recorder.latest[topics.fuserClaim("main")].flatMap { try? Claim(payload: $0.payload.span) }
            }
            var info: NodeInfo? {
                recorder.latest[topics.nodeInfo("kitchen")].flatMap { try? NodeInfo(payload: $0.payload.span) }
            }
            /// Locations of items so far.
            var locations: Int {
                recorder.messages.count { TopicFilter.matches(topics.allItems("location"), $0.topic) }
            }
            func isWell(_ expected: Int) -> Bool {
                claim?.state == .serving && claim?.problems.isEmpty == true && info?.problems.isEmpty == true
                    && locations > expected
            }
        }

        @Test("Publish a denial, and nothing of items meanwhile, and work after the grant")
        func recovers() async throws {
            let broker = try Broker()
            let stage = try await Stage(broker) {
                $0.hasPrefix("whereabouts/nodes/+/") || $0.hasSuffix("/command") || $0.contains("/config")
            }
            let topics = Self.topics
            #expect(
                try await stage.recorder.wait(20) { _ in
                    stage.claim?.problems.isEmpty == false && stage.info?.problems.isEmpty == false
                }, "\(stage.fuser.errors) \(stage.agent.errors)")
            #expect(stage.claim?.state == .starting)
            let config = "the broker denies the subscription \(topics.allItems("config")): Not authorized"
            #expect(stage.info?.problems.contains { $0.hasPrefix(config) } == true, "\(stage.info?.problems ?? [])")
            #expect(stage.claim?.problems.contains { $0.hasPrefix(config) } == true, "\(stage.claim?.problems ?? [])")
            #expect(stage.locations == 0)
            for file in [stage.agentFile, stage.fuserFile] {
                let doctor = try Execution.run(Execution.path(of: "whereabouts"), ["doctor", "--config", file])
                #expect(doctor.lines.joined().contains(config), "\(doctor.lines)")
            }
            #expect(stage.locations == 0)
            // An items file must not overwrite entries that cannot be read yet.
            #expect(!stage.recorder.latest.keys.contains { TopicFilter.matches(topics.allItems("config"), $0) })
            stage.relay.deny { _ in false }
            // A subscription that was denied for so long is requested again after as long.
            #expect(try await stage.recorder.wait(60) { _ in stage.isWell(0) }, "\(stage.fuser.errors)")
            #expect(stage.fuser.logged("denied the subscription \(topics.allItems("config"))") == 1)
            #expect(stage.fuser.logged("granted the subscription \(topics.allItems("config"))") == 1)
            try await Self.expectCommands(stage.recorder)
        }

        /// An agent's and a fuser's commands arrive.
        private static func expectCommands(_ recorder: Recorder) async throws {
            for (command, result) in [
                (topics.nodeCommand("kitchen"), topics.commandResult("kitchen")),
                (topics.fuserCommand("main"), topics.fuserCommandResult("main")),
            ] {
                let before = recorder.messages.count { $0.topic == result }
                recorder.publish(Message(topic: command, text: #"{"id":"x","action":"none"}"#, qos: .atLeastOnce))
                #expect(
                    try await recorder.wait(20) { seen in seen.messages.count { $0.topic == result } > before },
                    "\(command)")
            }
        }

        @Test(
            "Work within 60 s of a denial of 20 s, for each subscription in turn",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func eachInTurn() async throws {
            let broker = try Broker()
            // All filters at once, to learn their names.
            let filters = try await {
                let stage = try await Stage(broker) { _ in true }
                #expect(
                    try await stage.recorder.wait(20) { _ in
                        stage.claim != nil && stage.info?.problems.isEmpty == false
                    })
                return stage.relay.denials.keys.sorted()
            }()
            #expect(filters.count > 15, "\(filters)")
            // As many houses at a time as there are live tests; each mostly waits.
            var longest = (filter: "", seconds: 0.0)
            try await withThrowingTaskGroup(of: (filter: String, seconds: Double).self) { group in
                for (place, filter) in filters.enumerated() {
                    if place >= 6, let next = try await group.next(), next.seconds > longest.seconds { longest = next }
                    group.addTask { try await Self.denyForTwentySeconds(filter) }
                }
                for try await next in group where next.seconds > longest.seconds { longest = next }
            }
            print("\(filters.count) subscriptions denied for 20 s each; the last was well after \(longest)")
        }

        /// Denies one filter for 20 s; returns the seconds from the start until all worked.
        private static func denyForTwentySeconds(_ filter: String) async throws -> (filter: String, seconds: Double) {
            let broker = try Broker()
            let began = ContinuousClock.now
            let stage = try await Stage(broker) { $0 == filter }
            _ = try await stage.recorder.wait(20)
            #expect(stage.relay.denials[filter] != nil, "\(filter)")
            let problems = (stage.claim?.problems ?? []) + (stage.info?.problems ?? [])
            #expect(problems.contains { $0.contains(filter) }, "\(filter): \(problems)")
            // A fuser that can do without the filter has served all the time, and has nothing new to publish.
            let before = stage.claim?.state == .serving ? 0 : stage.locations
            stage.relay.deny { _ in false }
            #expect(try await stage.recorder.wait(40) { _ in stage.isWell(before) }, "\(filter)")
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            #expect(seconds < 60, "\(filter)")
            try await expectCommands(stage.recorder)
            return (filter, seconds)
        }
    }
}
