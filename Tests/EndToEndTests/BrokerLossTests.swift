import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// The running programs over losses of the broker.
    @Suite struct BrokerLoss {
        static let topics = Topics()
        /// KiB by which resident memory may grow over all losses. Measured: 12; once 2,000, a step of the allocator's for
        /// a burst of messages on a busy machine.
        static let growth = 4096
        /// Number of times that the broker is killed. A leak at each loss shows in the long proof.
        static let losses = Live.isFull ? 10 : 2

        @Test("Wait for a broker, reconnect after each loss, and keep agents and fuser small")
        func comesBack() async throws {
            let broker = try Broker(["max_queued_messages 0"], started: false)
            let deployment = try Deployment(broker)
            let fuser = try deployment.startFuser()
            let agents = try deployment.startAgents()
            let programs = [fuser] + agents
            for program in programs {
                #expect(
                    try await until(20) { program.logged("no connection to") == 1 }, "\(program.errors)")
            }
            try broker.start()
            try await expectLife(broker, programs)
            let before = programs.map { $0.resident ?? 0 }

            for loss in 1...Self.losses {
                broker.kill()
                for program in programs {
                    #expect(try await until(20) { program.logged("lost mqtt://") == loss }, "\(program.errors)")
                }
                try broker.start()
                try await expectLife(broker, programs)
                for program in programs {
                    #expect(program.logged("connected to") == loss + 1, "\(program.errors)")
                    #expect(program.logged("lost mqtt://") == loss, "\(program.errors)")
                }
            }
            for (program, before) in zip(programs, before) {
                let after = program.resident ?? 0
                print("resident: \(before) KiB before \(Self.losses) losses, \(after) after")
                #expect(before > 0 && after <= before + Self.growth, "\(before) KiB before, \(after) after")
            }
            // It stays at one line a change: nothing was logged about each attempt.
            for program in programs {
                #expect(program.logged("no connection to") <= Self.losses + 1, "\(program.errors)")
            }
        }

        /// Waits until all messages flow and are retained as they should be, as a new subscriber sees them.
        private func expectLife(_ broker: Broker, _ programs: [RunningProgram]) async throws {
            let recorder = try Recorder(broker, id: "life-\(UUID().uuidString)")
            let topics = Self.topics
            // Pauses between attempts grow to 30 s where connections do not last.
            let isAlive = try await recorder.wait(60) { recorder in
                Deployment.nodes.allSatisfy {
                    recorder.text(topics.nodeStatus($0)) == "online" && recorder.latest[topics.nodeInfo($0)] != nil
                        && recorder.latest[topics.scan($0)] != nil
                } && recorder.text(topics.fuserStatus("main")) == "online"
                    && recorder.latest[topics.location("keys")] != nil && recorder.count("whereabouts/windows/") > 0
            }
            #expect(isAlive, "\(recorder.latest.keys.sorted())")
            for program in programs { #expect(program.isRunning, "\(program.errors)") }
            // A second subscriber sees the retained messages.
            let late = try Recorder(broker, id: "late-\(UUID().uuidString)", ["whereabouts/nodes/+/status"])
            #expect(try await late.wait(20) { $0.latest.count >= Deployment.nodes.count })
            for node in Deployment.nodes {
                #expect(late.text(topics.nodeStatus(node)) == "online")
                #expect(late.latest[topics.nodeStatus(node)]?.retained == true)
            }
        }
    }

    /// Two gateways with one configuration.
    @Suite struct Twins {
        @Test("Report the reason if two agents with one node's name disconnect each other")
        func sayWhy() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let path = try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)")
            let twins = try (0..<2).map { _ in try RunningProgram("whereabouts-agent", ["--config", path]) }
            let isTold = try await until(30) {
                twins.contains { $0.logged("another program with the client id 'whereabouts-agent-kitchen'") == 1 }
            }
            #expect(isTold, "\(twins.map(\.errors))")
        }
    }

    /// The ends of the programs.
    @Suite struct Endings {
        static let topics = Topics()

        @Test("End agent and fuser within two seconds of SIGTERM, with status 0 and a retained `offline`")
        func terminated() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let (agent, fuser, recorder) = try await running(deployment, broker)
            for program in [agent, fuser] {
                program.process.terminate()
                #expect(try await program.status(within: Live.promised(2)) == 0, "\(program.errors)")
            }
            try await expectOffline(recorder, broker)
        }

        @Test("Publish a killed agent or fuser as offline by the broker")
        func killed() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let (agent, fuser, recorder) = try await running(deployment, broker)
            for program in [agent, fuser] {
                program.process.send(SIGKILL)
                #expect(try await program.status(within: 10) == 128 + SIGKILL)
            }
            try await expectOffline(recorder, broker)
        }

        @Test("End both within two seconds of SIGTERM without a broker, too")
        func terminatedAlone() async throws {
            let broker = try Broker(started: false)
            let deployment = try Deployment(broker)
            let fuser = try deployment.startFuser()
            let agent = try #require(try deployment.startAgents().first)
            for program in [agent, fuser] {
                #expect(try await until(20) { program.logged("no connection to") == 1 })
                program.process.terminate()
                #expect(try await program.status(within: Live.promised(2)) == 0, "\(program.errors)")
            }
        }

        private func running(
            _ deployment: Deployment, _ broker: Broker
        ) async throws -> (RunningProgram, RunningProgram, Recorder) {
            let recorder = try Recorder(broker)
            let path = try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)")
            let fuser = try deployment.startFuser()
            let agent = try RunningProgram("whereabouts-agent", ["--config", path])
            let topics = Self.topics
            let isUp = try await recorder.wait(20) {
                $0.text(topics.nodeStatus("kitchen")) == "online" && $0.text(topics.fuserStatus("main")) == "online"
                    && $0.latest[topics.scan("kitchen")] != nil
            }
            #expect(isUp, "\(agent.errors)\(fuser.errors)")
            return (agent, fuser, recorder)
        }

        private func expectOffline(_ recorder: Recorder, _ broker: Broker) async throws {
            let statuses = [Self.topics.nodeStatus("kitchen"), Self.topics.fuserStatus("main")]
            #expect(try await recorder.wait(20) { seen in statuses.allSatisfy { seen.text($0) == "offline" } })
            let late = try Recorder(broker, id: "late")
            #expect(try await late.wait(20) { seen in statuses.allSatisfy { seen.latest[$0] != nil } })
            for status in statuses {
                #expect(late.text(status) == "offline")
                #expect(late.latest[status]?.retained == true)
            }
        }
    }
}
