import Bytes
import WireProtocol
import Support
import Testing

extension Live {
    /// Commands to a built agent in the simulated flat.
    @Suite struct Commands {
        private let topics = Topics()

        private func node(_ deployment: Deployment, _ more: [String] = []) throws -> RunningProgram {
            try RunningProgram(
                "whereabouts-agent",
                ["--config", try deployment.agent("kitchen", source: "simulate:\(Deployment.flat)", more)])
        }

        private func send(_ recorder: Recorder, _ text: String) {
            recorder.publish(Message(topic: topics.nodeCommand("kitchen"), text: text, qos: .atLeastOnce))
        }

        private func results(_ recorder: Recorder) -> [CommandResult] {
            recorder.messages.filter { $0.topic == topics.commandResult("kitchen") }
                .compactMap { try? CommandResult(payload: $0.payload.span) }
        }

        private func info(_ recorder: Recorder) -> NodeInfo? {
            recorder.latest[topics.nodeInfo("kitchen")].flatMap { try? NodeInfo(payload: $0.payload.span) }
        }

        private func scans(_ recorder: Recorder) -> [Scan] {
            recorder.messages.filter { $0.topic == topics.scan("kitchen") }
                .compactMap { try? Scan(payload: $0.payload.span) }
        }

        @Test("Report that a node without an adapter cannot advertise, and accept a command to stop")
        func advertise() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try node(deployment)
            #expect(try await recorder.wait(20) { info($0) != nil }, "\(agent.errors)")
            send(recorder, #"{"id":"a","action":"advertise","frame":"020106","seconds":10}"#)
            send(recorder, #"{"id":"e","action":"advertise","stop":true}"#)
            #expect(try await recorder.wait(10) { results($0).count == 2 }, "\(agent.errors)")
            let answers = Dictionary(results(recorder).map { ($0.id, $0.answer) }) { first, _ in first }
            #expect(answers["e"] == .done)
            let reason = if case .failed(let reason) = answers["a"] { reason } else { "it was done" }
            #expect(reason.contains("no adapter to advertise with"))
        }

        @Test("Apply a setting at once and over a restart, show it in info, and restore the file's value by null")
        func set() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let lines = ["state: kitchen.sqlite", "publish: all", "offset_db: 1"]
            let first = try node(deployment, lines)
            #expect(try await recorder.wait(20) { scans($0).count >= 2 }, "\(first.errors)")
            #expect(info(recorder)?.publishesAll == true && info(recorder)?.offset == 1)
            send(
                recorder,
                #"{"id":"s","action":"set","window":0.5,"publish":"registered","exit_after":30,"offset_db":-3}"#)
            #expect(try await recorder.wait(10) { info($0)?.overridden.count == 4 })
            #expect(results(recorder).first?.answer == .done)
            let seen = scans(recorder).count
            #expect(try await recorder.wait(10) { scans($0).count >= seen + 4 })
            let told = scans(recorder)
            #expect(told.map(\.seq) == (0..<UInt64(told.count)).map { told[0].seq + $0 })
            #expect(told.suffix(2).allSatisfy { $0.to.microseconds(since: $0.from) == 500_000 })
            first.process.terminate()
            #expect(try await first.status(within: 10) == 0)

            let second = try node(deployment, lines)
            let isKept = try await recorder.wait(20) { recorder in
                guard let info = info(recorder), info.epoch == told[0].epoch, scans(recorder).last?.seq ?? 0 > 500
                else { return false }
                return info.window == 0.5 && !info.publishesAll && info.exitAfter == 30 && info.offset == -3
            }
            #expect(isKept, "\(second.errors)")
            send(
                recorder, #"{"id":"b","action":"set","window":null,"publish":null,"exit_after":null,"offset_db":null}"#)
            #expect(try await recorder.wait(10) { info($0)?.overridden == [] })
            let back = try #require(info(recorder))
            #expect(back.window == 1 && back.publishesAll && back.exitAfter == nil && back.offset == 1)
            send(recorder, #"{"id":"w","action":"set","window":0.01}"#)
            #expect(try await recorder.wait(10) { results($0).contains { $0.id == "w" } })
            #expect(
                results(recorder).last?.answer == .failed("'window': expected seconds from 0.1 to 60.0"))
        }

        @Test("Publish states anew on request")
        func determine() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let regions = ["regions:", "  - {id: things, ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0}}"]
            let agent = try node(deployment, regions)
            let events = { (recorder: Recorder) in
                recorder.messages.filter { $0.topic == topics.nodeEvents("kitchen") }
                    .compactMap { try? NodeEvent(payload: $0.payload.span) }
            }
            #expect(try await recorder.wait(20) { events($0).count == 1 }, "\(agent.errors)")
            send(recorder, #"{"id":"d","action":"determine"}"#)
            send(recorder, #"{"id":"e","action":"determine","region":"things"}"#)
            send(recorder, #"{"id":"f","action":"determine","region":"attic"}"#)
            #expect(try await recorder.wait(10) { events($0).count == 3 && results($0).count == 3 })
            #expect(events(recorder).allSatisfy { $0.kind == .determined && $0.state == .inside })
            #expect(events(recorder).map(\.seq) == [1, 2, 3])
            #expect(
                results(recorder).map(\.answer) == [
                    .done, .done, .failed("there is no region 'attic'; there are things"),
                ])
        }

        @Test(
            "Answer a client of MQTT 5 on its own topic, and one that names another topic on the shared one",
            .enabled(if: Commands.requester != nil, "mosquitto_rr is not installed"))
        func replies() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try node(deployment)
            #expect(try await recorder.wait(20) { scans($0).count >= 1 }, "\(agent.errors)")
            let log = try request(
                broker, reply: "whereabouts/replies/me/1", #"{"id":"1","action":"log","level":"info"}"#)
            #expect(try CommandResult(payload: log.span).id == "1")
            let nearby = try request(
                broker, reply: "whereabouts/replies/me/2", #"{"id":"2","action":"nearby","for":1}"#)
            #expect(try CommandResult(payload: nearby.span).action == "nearby")
            #expect(results(recorder).isEmpty)
            // A topic elsewhere: once all have seen the answer, none has arrived there.
            let folder = try TemporaryFolder()
            let elsewhere = try ask(
                broker, reply: "whereabouts/items/keys/config", #"{"id":"3","action":"dance"}"#,
                output: folder.file("answer"))
            #expect(try await recorder.wait(20) { results($0).map(\.id) == ["3"] })
            _ = try await recorder.wait(1)
            #expect(elsewhere.isRunning && readFile(folder.file("answer")) == "")
            // MQTT 3.1.1 has no response topics.
            let old = try request(
                broker, reply: topics.commandResult("kitchen"), #"{"id":"4","action":"log","level":"info"}"#,
                ["-V", "mqttv311"])
            #expect(try CommandResult(payload: old.span).id == "4")
        }

        private static let requester: String? = Execution.find("mosquitto_rr")

        /// A requester of mosquitto's, which ends when it is answered.
        private func ask(
            _ broker: Broker, reply: String, _ text: String, _ more: [String] = [], output: String
        ) throws -> ChildProcess {
            try ChildProcess(
                Self.requester ?? "",
                [
                    "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", topics.nodeCommand("kitchen"), "-e", reply,
                    "-q", "1", "-N", "-m", text,
                ] + more, output: output)
        }

        /// Its answer, within some seconds.
        private func request(
            _ broker: Broker, reply: String, _ text: String, _ more: [String] = []
        ) throws -> [UInt8] {
            let folder = try TemporaryFolder()
            _ = try ask(broker, reply: reply, text, more, output: folder.file("answer")).wait(atMost: 30)
            return Array((readFile(folder.file("answer")) ?? "").utf8)
        }

        @Test("Lose no memory, window, event or other answer by a thousand commands a second")
        func flood() async throws {
            let broker = try Broker(["max_queued_messages 0", "max_inflight_messages 0"])
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let agent = try node(deployment, ["regions:", "  - {id: pets, item: cat}"])
            #expect(try await recorder.wait(20) { scans($0).count >= 3 }, "\(agent.errors)")
            let sender = try Recorder(broker, id: "sender", ["none"])
            #expect(try await until(10) { sender.isConnected })
            let kinds = [
                "not JSON", #"{"id":"a","action":"dance"}"#, #"{"id":"b","action":"determine"}"#,
                #"{"id":"c","action":"replay","epoch":"x","from_seq":1}"#, #"{"id":"d","action":"nearby","for":60}"#,
                #"{"id":"e","action":"set","exit_after":300}"#,
            ]
            // Memory that a flood makes the process retain is allocated in its first second.
            var before: Int?
            let seconds = Live.isFull ? 20 : 8
            let clock = ContinuousClock()
            let start = clock.now
            for number in 0..<(1000 * seconds) {
                if number % 100 == 0 { try await clock.sleep(until: start + .milliseconds(number)) }
                if number == 2000 { before = agent.resident }
                send(
                    sender,
                    number % 1000 == 500 ? String(repeating: "1", count: 1_000_000) : kinds[number % kinds.count])
            }
            let after = agent.resident
            let end = scans(recorder).count
            #expect(try await recorder.wait(20) { scans($0).count >= end + seconds / 4 }, "\(agent.errors)")
            // After it the next one is executed, once the node has read the rest of it.
            var asked = 0
            let isObeyed = try await until(60) {
                asked += 1
                send(recorder, #"{"id":"last-\#(asked)","action":"log","level":"info"}"#)
                return try await recorder.wait(2) {
                    results($0).contains { $0.id == "last-\(asked)" && $0.answer == .done }
                }
            }
            #expect(isObeyed, "\(agent.errors)")
            let spent = Int((clock.now - start) / .seconds(1)) + 1
            let growth = (after ?? 0) - (before ?? 0)
            print("\(1000 * seconds) commands in \(seconds) s: resident \(before ?? 0) KiB, then \(after ?? 0) KiB")
            #expect(growth < 8192)
            #expect(agent.isRunning)

            let all = scans(recorder)
            #expect(all.map(\.seq) == (0..<UInt64(all.count)).map { all[0].seq + $0 })
            #expect(all.last?.dropped == 0)
            let windows = recorder.messages.compactMap {
                $0.topic.hasPrefix("whereabouts/windows/") ? try? Window(payload: $0.payload.span).seq : nil
            }
            let perInterval = Dictionary(windows.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(all.allSatisfy { perInterval[$0.seq] ?? 0 == $0.windows })
            let events = recorder.messages.filter { $0.topic == topics.nodeEvents("kitchen") }
                .compactMap { try? NodeEvent(payload: $0.payload.span).seq }
            #expect(events == (0..<UInt64(events.count)).map { $0 + 1 })
            let answers = results(recorder)
            let refusals = answers.filter {
                if case .failed(let why) = $0.answer { why.contains("left out") } else { false }
            }
            #expect((seconds / 2...spent + 1).contains(refusals.count), "\(refusals.count) in \(spent) s")
            #expect(answers.count < 20 + 15 * spent, "\(answers.count) in \(spent) s")
        }
    }
}
