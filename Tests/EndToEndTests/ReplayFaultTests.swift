import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// Replays of captures that are missing or broken.
    @Suite struct ReplayFaults {
        @Test("Report a missing capture as a fault of the configuration: status 2, with its place")
        func missing() async throws {
            let deployment = try Deployment(Broker(started: false))
            let path = try deployment.agent("kitchen", source: "replay:none.btsnoop")
            let outcome = try CommandLineTests.run("whereabouts-agent", ["--config", path])
            #expect(outcome.status == 2)
            #expect(outcome.error.contains("\(path):2:9: the file '"), "\(outcome.error)")
            #expect(outcome.error.contains("none.btsnoop' does not exist"), "\(outcome.error)")
        }

        @Test("Publish a truncated capture's whole packets, then report the fault with its offset: status 1")
        func cut() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let whole = deployment.folder.file("whole.btsnoop")
            try HouseholdCapture.write(to: whole)
            let bytes = try Data(contentsOf: URL(filePath: whole)).prefix(5000)
            let cut = try deployment.folder.write(Array(bytes), to: "cut.btsnoop")
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let path = try deployment.agent("kitchen", source: "replay:\(cut)", ["publish: all"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", path, "--speed", "max"])
            #expect(try await agent.status(within: 30) == 1)
            #expect(agent.logged("\(cut): cut short at byte 5000: ") == 1, "\(agent.errors)")
            #expect(try await recorder.wait(10) { $0.text(Topics().nodeStatus("kitchen")) == "offline" })
            let report = try ReplayReport(recorder.messages)
            #expect(report.faults == [])
            let told = try CommandLineTests.run("whereabouts", ["decode", cut])
            let heard = try recorder.messages.filter { $0.topic.hasSuffix("/scan") }
                .map { try Scan(payload: $0.payload.span).reports }.reduce(0, +)
            #expect(told.status == 1)
            #expect(heard == told.lines.count && heard > 20)
        }

        @Test("Replay several captures one after another, also after a broken one")
        func several() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let whole = deployment.folder.file("whole.btsnoop")
            try HouseholdCapture.write(to: whole)
            let text = try deployment.folder.write(Array("no capture".utf8), to: "text")
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let path = try deployment.agent("kitchen", source: "replay:\(whole),\(text),\(whole)", ["publish: all"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", path, "--speed", "max"])
            #expect(try await agent.status(within: 30) == 1)
            #expect(agent.logged("\(text): ") == 1, "\(agent.errors)")
            #expect(try await recorder.wait(10) { $0.text(Topics().nodeStatus("kitchen")) == "offline" })
            let report = try ReplayReport(recorder.messages)
            #expect(report.faults == [])
            let told = try CommandLineTests.run("whereabouts", ["decode", whole])
            let heard = try recorder.messages.filter { $0.topic.hasSuffix("/scan") }
                .map { try Scan(payload: $0.payload.span).reports }.reduce(0, +)
            #expect(heard == 2 * told.lines.count)
            #expect(recorder.messages.last?.topic == Topics().nodeStatus("kitchen"))
        }
    }

    /// A fuser beside replays.
    @Suite struct ReplayAnswers {
        @Test("Answer a capture that is replayed again to the same fuser")
        func twice() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let capture = deployment.folder.file("household.btsnoop")
            try HouseholdCapture.write(to: capture)
            let topics = Topics()
            let recorder = try Recorder(broker)
            let fuser = try deployment.startFuser()
            #expect(try await recorder.wait(20) { $0.text(topics.fuserStatus("main")) == "online" })
            let path = try deployment.agent("kitchen", source: "replay:\(capture)")
            for _ in 1...2 {
                let before = recorder.messages.count
                let agent = try RunningProgram("whereabouts-agent", ["--config", path, "--speed", "max"])
                #expect(try await agent.status(within: 20) == 0)
                let isAnswered = try await recorder.wait(10) { seen in
                    seen.messages[before...].contains {
                        $0.topic == topics.room("keys") && $0.payload == Array("kitchen".utf8)
                    }
                }
                #expect(isAnswered, "\(fuser.errors)")
            }
        }
    }

    /// `whereabouts watch` beside a broker.
    @Suite struct Watching {
        @Test("Show a changed location as a line, and end the watcher with its output")
        func change() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let watcher = try RunningProgram(
                "whereabouts", ["watch", "--config", try deployment.fuser(), "--changes", "1"])
            #expect(try await until(20) { watcher.logged("connected to") == 1 }, "\(watcher.errors)")
            recorder.publish(Self.location("kitchen"))
            #expect(try await until(10) { watcher.output.contains("Anna's keys  is in Kitchen  91 %") })
            recorder.publish(Self.location("kitchen"))
            recorder.publish(Self.location("living"))
            #expect(try await watcher.status(within: 10) == 0)
            let lines = watcher.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst() }
            #expect(
                lines.map { $0.joined(separator: " ") } == [
                    "Anna's keys is in Kitchen 91 %", "Anna's keys Kitchen → Living room 91 %",
                ])
        }

        private static func location(_ room: String) -> Message {
            let text = """
                {"v":1,"fuser":"main","state":"present","room":"\(room)","confidence":0.91,"since":1795248000,\
                "at":1795248001,"reason":[],"rooms":{},"distances":{}}
                """
            return Message(
                topic: Topics().location("keys"), payload: Array(text.utf8), qos: .atLeastOnce, retained: true)
        }

        @Test("End a watcher whose reader goes away, with status 0")
        func closed() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let program = Execution.path(of: "whereabouts")
            let status = deployment.folder.file("status")
            let shell = try ChildProcess(
                "/bin/bash",
                ["-c", "'\(program)' watch --broker \(broker.url) | head -n 1; echo ${PIPESTATUS[0]} > '\(status)'"])
            var room = 0
            // The first line lets head end; a later one finds no reader.
            let ended = try await until(20) {
                recorder.publish(Self.location("room\(room / 20)"))
                room += 1
                return !shell.isRunning
            }
            if !ended { shell.terminate() }
            #expect(ended)
            #expect(readFile(status) == "0\n")
        }
    }
}
