import Glibc
import WireProtocol
import Support
import Testing

extension Live {
    /// Commands to a built fuser that receives nothing.
    @Suite struct FuserCommands {
        private let topics = Topics()

        private func send(_ recorder: Recorder, _ text: String, retained: Bool = false) {
            recorder.publish(
                Message(
                    topic: topics.fuserCommand("main"), payload: Array(text.utf8), qos: .atLeastOnce, retained: retained
                ))
        }

        private func results(_ recorder: Recorder) -> [FuserResult] {
            recorder.messages.filter { $0.topic == topics.fuserCommandResult("main") }
                .compactMap { try? FuserResult(payload: $0.payload.span) }
        }

        @Test("Answer every command, and execute none that a broker has retained")
        func answers() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            send(recorder, #"{"id":"old","action":"why","item":"keys"}"#, retained: true)
            let fuser = try deployment.startFuser()
            let online = topics.fuserStatus("main")
            #expect(try await recorder.wait(20) { $0.text(online) == "online" }, "\(fuser.errors)")
            for text in [
                "not JSON", #"{"id":"a","action":"dance"}"#, #"{"id":"b","action":"why","item":"dog"}"#,
                #"{"id":"c","action":"learn"}"#,
                #"{"id":"d","action":"learn","item":"keys","room":"hall","start":true}"#,
                #"{"id":"e","action":"learn","undo":"3"}"#,
            ] { send(recorder, text) }
            #expect(try await recorder.wait(10) { results($0).count == 6 }, "\(fuser.errors)")
            let answers = Dictionary(results(recorder).map { ($0.id ?? "-", $0.answer) }) { first, _ in first }
            #expect(Set(answers.keys) == ["-", "a", "b", "c", "d", "e"])
            for (id, words) in [
                ("-", "not the expected JSON"), ("a", "there is no action 'dance'"), ("b", "there is no item 'dog'"),
                ("d", "no node has heard 'keys' yet"), ("e", "no lesson '3': none was taught"),
            ] {
                let reason = if case .failed(let reason) = answers[id] { reason } else { "it was done" }
                #expect(reason.contains(words), "\(reason)")
            }
            guard case .taught(let report) = answers["c"] else {
                Issue.record("no list")
                return
            }
            #expect(report.rooms.map(\.id) == ["kitchen", "living", "bedroom", "hall"] && !report.isKept)
        }

        @Test("Publish before the end what waits for the broker to acknowledge what was sent before")
        func endsLate() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let relay = try Relay(to: broker.port)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let url = "mqtt://127.0.0.1:\(relay.port)"
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", deployment.fuser("main", url: url)])
            #expect(try await recorder.wait(20) { $0.text(topics.fuserStatus("main")) == "online" }, "\(fuser.errors)")
            // The first answer is acknowledged two seconds after it is sent; the second, half a second later, waits.
            relay.delay = 1
            send(recorder, #"{"id":"a","action":"learn"}"#)
            try await Task.sleep(for: .seconds(0.5))
            send(recorder, #"{"id":"b","action":"learn"}"#)
            try await Task.sleep(for: .seconds(1.8))
            fuser.process.send(SIGTERM)
            #expect(try await recorder.wait(15) { $0.text(topics.fuserStatus("main")) == "offline" }, "\(fuser.errors)")
            #expect(results(recorder).compactMap(\.id) == ["a", "b"])
        }

        @Test("Answer the executed commands of a flood, and the rest once a second")
        func flood() async throws {
            let broker = try Broker(["max_queued_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let fuser = try deployment.startFuser()
            #expect(try await recorder.wait(20) { $0.text(topics.fuserStatus("main")) == "online" }, "\(fuser.errors)")
            let start = ContinuousClock.now
            for number in 0..<500 { send(recorder, #"{"id":\#(number),"action":"learn"}"#) }
            let isRefused = { (result: FuserResult) in
                if case .failed(let reason) = result.answer { reason.contains("were left out") } else { false }
            }
            #expect(try await recorder.wait(20) { results($0).contains(where: isRefused) })
            // The next one is executed, once the fuser has read the rest.
            var asked = 0
            let isObeyed = try await until(60) {
                asked += 1
                send(recorder, #"{"id":"last-\#(asked)","action":"learn"}"#)
                return try await recorder.wait(2) {
                    results($0).contains { $0.id == "last-\(asked)" && !isRefused($0) }
                }
            }
            #expect(isObeyed, "\(fuser.errors)")
            let spent = Int((ContinuousClock.now - start) / .seconds(1)) + 1
            let obeyed = results(recorder).count { !isRefused($0) }
            let most = CommandLimit.burst + CommandLimit.perSecond * spent
            #expect((CommandLimit.burst...most).contains(obeyed), "\(obeyed) in \(spent) s")
            #expect((1...spent + 1).contains(results(recorder).count(where: isRefused)))
        }
    }
}
