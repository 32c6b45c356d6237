import Bytes
import Foundation
import Support
import System
import Testing
import WireProtocol

extension Live {
    /// Programs that read their configuration anew on SIGHUP, while packets flow.
    @Suite struct Reload {
        private static let broken = "room: [kitchen\n"

        @Test("Rename rooms of an agent and a fuser, and add an alert, with no window and no event lost")
        func rename() async throws {
            let topics = Topics()
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let source = "simulate:\(Deployment.flat)"
            let rooms = ["rooms:", "  - {id: kitchen, name: Kitchen}", "  - {id: living}", "  - {id: bedroom}"]
            let agentFile = try deployment.agent("kitchen", source: source, ["state: kitchen.sqlite"])
            let fuserFile = try deployment.file(
                "fuser.yaml", ["name: main", "state: fuser.sqlite", "items: items.yaml", "away_after: 1h"] + rooms)
            let others = try deployment.startAgents(["living", "bedroom"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", agentFile])
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", fuserFile])
            func location(_ item: String) -> Location? {
                recorder.latest[topics.location(item)].flatMap { try? Location(payload: $0.payload.span) }
            }
            func info() -> NodeInfo? {
                recorder.latest[topics.nodeInfo("kitchen")].flatMap { try? NodeInfo(payload: $0.payload.span) }
            }
            #expect(try await recorder.wait(60) { _ in location("cat")?.room != nil }, "\(fuser.errors)")
            let epoch = try #require(info()?.epoch)
            let before = try #require(location("cat"))

            // A faulty file changes nothing, and is told with its place.
            _ = try deployment.folder.write(Array(Self.broken.utf8), to: "kitchen.yaml")
            agent.process.send(SIGHUP)
            #expect(try await until(20) { agent.logged("the configuration was not applied") == 1 }, "\(agent.errors)")
            #expect(agent.logged("error: ") == 2 && agent.errors.contains("kitchen.yaml:"), "\(agent.errors)")
            #expect(agent.isRunning && info()?.room == "kitchen")

            // A key that waits for a restart is named, the others are applied.
            _ = try deployment.agent(
                "kitchen", source: source, ["state: kitchen.sqlite", "room: pantry", "radio: {scan: active}"])
            agent.process.send(SIGHUP)
            #expect(try await recorder.wait(20) { _ in info()?.room == "pantry" }, "\(agent.errors)")
            #expect(agent.logged("is applied: room") == 1, "\(agent.errors)")
            #expect(agent.logged("needs a restart to take effect: radio.scan") == 1, "\(agent.errors)")
            #expect(info()?.epoch == epoch)

            _ = try deployment.file(
                "fuser.yaml",
                ["name: main", "state: fuser.sqlite", "items: items.yaml", "away_after: 1h", "history: 60d"] + rooms
                    + ["  - {id: pantry, name: Pantry}", "alerts: [{not_heard: {item: cat, for: 1h}}]"])
            fuser.process.send(SIGHUP)
            #expect(try await until(20) { fuser.logged("is applied: rooms, alerts") == 1 }, "\(fuser.errors)")
            #expect(fuser.logged("needs a restart to take effect: history") == 1, "\(fuser.errors)")
            _ = try await recorder.wait(10)
            let after = try #require(location("cat"))
            #expect(after.room == before.room ? after.since == before.since : after.itemSeq > before.itemSeq)

            // Both may have applied all of that within ten seconds.
            _ = try await recorder.wait(20) { seen in
                seen.messages.count { $0.topic == topics.scan("kitchen") } > 10
            }
            // All windows of a node are there, in their order, and so are all events.
            let scans = recorder.messages.filter { $0.topic == topics.scan("kitchen") }
                .compactMap { try? Scan(payload: $0.payload.span) }
            #expect(scans.count > 10 && zip(scans, scans.dropFirst()).allSatisfy { $1.seq == $0.seq + 1 })
            #expect(scans.allSatisfy { $0.epoch == epoch && $0.gapMilliseconds == 0 })
            let events = recorder.messages.compactMap { message -> UInt64? in
                guard case .itemEvents = topics.kind(of: message.topic) else { return nil }
                return (try? ItemEvent(payload: message.payload.span))?.seq
            }.sorted()
            #expect(events == (0..<events.count).map { UInt64($0 + 1) }, "\(events)")
            for program in others + [agent, fuser] {
                #expect(program.isRunning, "\(program.errors)")
                program.process.send(SIGTERM)
                #expect(try await program.status(within: 20) == 0, "\(program.errors)")
            }
        }

        @Test("A signal in a row of signals is no end, and an unchanged file is told as such")
        func unchanged() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let fuser = try deployment.startFuser()
            #expect(try await until(20) { fuser.logged("connected to") == 1 }, "\(fuser.errors)")
            for _ in 0..<20 { fuser.process.send(SIGHUP) }
            #expect(try await until(20) { fuser.logged("nothing has changed") >= 1 }, "\(fuser.errors)")
            #expect(fuser.isRunning)
            fuser.process.send(SIGTERM)
            #expect(try await fuser.status(within: 20) == 0, "\(fuser.errors)")
        }
    }
}
