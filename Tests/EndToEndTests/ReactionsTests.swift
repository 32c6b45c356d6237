import Foundation
import WireProtocol
import Support
import Testing

extension Live {
    /// The actions of a built agent on arrivals and departures.
    @Suite struct Reactions {
        private let topics = Topics()

        @Test("Offer a Wi-Fi once a visit, over fades and a kill, with the passphrase in the offer alone")
        func offers() async throws {
            let secret = "correct horse; battery"
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            _ = try deployment.folder.write(Array((secret + "\n").utf8), to: "guests.passphrase")
            let outside = try TemporaryFolder()
            let script = """
                cat >> \(outside.path)/given; echo >> \(outside.path)/given
                cat /proc/$$/cmdline /proc/$$/environ > \(outside.path)/seen
                """
            _ = try outside.write(Array(script.utf8), to: "take")
            let offer = "{wifi: {ssid: Guests, passphrase_file: guests.passphrase}}"
            let lines = [
                "state: hall.sqlite", "reactions:", "  - item: phone",
                "    on_determined: [{offer: \(offer)}, {offer: \(offer), via: stdin, run: [sh, \(outside.path)/take]}]",
                "    on_enter: [{offer: \(offer)}, {offer: \(offer), via: stdin, run: [sh, \(outside.path)/take]}]",
            ]
            let topic = topics.offers("phone", node: "hall")
            // A fade of eight seconds, then a long stay.
            let first = try RunningProgram(
                "whereabouts-agent",
                [
                    "--config", deployment.hall("before", [("phone", 0, 60), ("phone", 68, 6000)], lines), "--speed",
                    "60",
                ])
            #expect(try await recorder.wait(60) { $0.count(topics.scan("hall")) >= 100 }, "\(first.errors)")
            #expect(recorder.count(topic) == 1, "\(first.errors)")
            let text = "WIFI:T:WPA;S:Guests;P:correct horse\\; battery;;"
            #expect(try await until(20) { readFile(outside.file("given")) == "\(text)\n" }, "\(first.errors)")
            let commandLine = readFile("/proc/\(first.process.processID)/cmdline") ?? ""
            first.process.send(SIGKILL)
            _ = first.process.wait()
            // The write-ahead log still lies beside the database.
            let killed = try files(of: deployment)
            // Still there after the restart; then it leaves, and comes again.
            let second = try RunningProgram(
                "whereabouts-agent",
                [
                    "--config", deployment.hall("after", [("phone", 6003, 6060), ("phone", 6200, 6260)], lines),
                    "--speed", "60",
                ])
            #expect(try await second.status(within: 60) == 0, "\(second.errors)")
            #expect(try await recorder.wait(10) { $0.text(topics.nodeStatus("hall")) == "offline" })

            let offers = recorder.messages.filter { $0.topic == topic }
            #expect(offers.map { String(decoding: $0.payload, as: UTF8.self) } == [text, text])
            #expect(offers.allSatisfy { !$0.retained && $0.qos == .atLeastOnce })
            #expect(readFile(outside.file("given")) == "\(text)\n\(text)\n")

            var places = ["log": first.errors + second.errors, "the agent's arguments": commandLine]
            places["the program's arguments and environment"] = readFile(outside.file("seen"))
            for message in recorder.messages where message.topic != topic {
                places[message.topic, default: ""] += String(decoding: message.payload, as: UTF8.self)
            }
            places.merge(killed.map { ("killed: " + $0.key, $0.value) }) { first, _ in first }
            places.merge(try files(of: deployment)) { first, _ in first }
            #expect(killed["hall.sqlite-wal"]?.contains("\"visits\":[{\"item\":\"phone\"") == true)
            #expect(!commandLine.isEmpty && places["the program's arguments and environment"] != nil)
            for (place, text) in places { #expect(!text.contains("battery"), "\(place)") }
        }

        /// The contents of an agent's folder, except the passphrase's own file.
        private func files(of deployment: Deployment) throws -> [String: String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: deployment.folder.path)
                .filter { $0 != "guests.passphrase" }
            return Dictionary(
                uniqueKeysWithValues: names.map { ($0, readFile(deployment.folder.file($0)) ?? "") })
        }

        @Test("End and report programs that hang, fork and fail, and continue the node")
        func programs() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker, qos: .atLeastOnce)
            #expect(try await recorder.ready())
            let lines = [
                "reactions:", "  - item: keys", "    on_determined:",
                "      - {run: [sh, -c, \"exec sleep 1000\"], timeout: 500ms}",
                "      - run: [sh, -c, \"sleep 1001 & sleep 1001 & echo $!\"]",
                "      - run: [sh, -c, \"echo oh; exit 3\"]", "      - run: [/no/such/program]",
                "      - publish: {topic: home/hall/light, payload: \"{item} {kind}\"}",
            ]
            let agent = try RunningProgram(
                "whereabouts-agent",
                ["--config", deployment.hall("hall", [("keys", 0, 200)], lines), "--speed", "20"])
            #expect(try await agent.status(within: 60) == 0, "\(agent.errors)")
            #expect(try await recorder.wait(10) { $0.text(topics.nodeStatus("hall")) == "offline" })
            #expect(recorder.text("home/hall/light") == "keys determined")
            for words in [
                "on_determined of keys: sh was ended after its time limit",
                "on_determined of keys: sh ended with status 0; what it left running was ended",
                "on_determined of keys: sh ended with status 3", "on_determined of keys: sh printed: oh",
                "on_determined of keys: /no/such/program could not be started",
                "reactions: 1 messages and 0 offers (0 could not be made), 1 programs ended well, 3 did not, 0 were dropped",
            ] {
                #expect(agent.logged(words) == 1, "\(words): \(agent.errors)")
            }
            #expect(recorder.count(topics.scan("hall")) > 150)
            let child = agent.errors.split(separator: "\n").compactMap { line in
                line.contains("printed: ") ? Int32(line.split(separator: " ").last ?? "") : nil
            }.first
            #expect(kill(try #require(child), 0) != 0, "a child that was left behind still runs")
        }

        @Test("Bound a hundred programs at once, and log the dropped ones as one line")
        func crowd() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let runs = Array(repeating: "{run: [echo, here]}", count: 10).joined(separator: ", ")
            let regions = (0..<10).map { "  - {id: r\($0), item: keys, on_determined: [\(runs)]}" }
            let file = try deployment.hall("hall", [("keys", 0, 20)], ["regions:"] + regions)
            let agent = try RunningProgram("whereabouts-agent", ["--config", file, "--speed", "max"])
            #expect(try await agent.status(within: 60) == 0, "\(agent.errors)")
            #expect(agent.logged("ended with status 0") == 36)
            #expect(agent.logged("64 programs of reactions were dropped: at most 4 run and 32 wait") == 1)
        }

        @Test("Start a program without the agent's capabilities")
        func capabilities() async throws {
            guard getuid() == 0, let setpriv = Execution.find("setpriv") else {
                print("skipped: giving an agent capabilities needs root and setpriv (util-linux)")
                return
            }
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let recorder = try Recorder(broker)
            #expect(try await recorder.ready())
            let lines = [
                "reactions:", "  - item: keys", "    on_determined:",
                "      - run: [grep, -E, \"^(Uid|Cap(Inh|Prm|Eff|Amb)):\", /proc/self/status]",
            ]
            let file = try deployment.hall("hall", [("keys", 0, 600)], lines)
            let log = deployment.folder.file("log")
            let radio = "-all,+net_raw,+net_admin"
            let agent = try ChildProcess(
                setpriv,
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps", radio, "--ambient-caps",
                    radio,
                    Execution.path(of: "whereabouts-agent"), "--config", file, "--speed", "60",
                ], output: "/dev/null", errors: log)
            let isDone = try await until(30) { (readFile(log) ?? "").contains("ended with status") }
            #expect(isDone, "\(readFile(log) ?? "")")
            let own = readFile("/proc/\(agent.processID)/status") ?? ""
            #expect(own.contains("CapEff:\t0000000000003000") && own.contains("CapAmb:\t0000000000003000"), "\(own)")
            agent.terminate()
            #expect(agent.wait(atMost: 20) == 0)
            let printed = (readFile(log) ?? "").split(separator: "\n").filter { $0.contains("printed: ") }
            #expect(printed.count == 5 && printed.contains { $0.contains("65534") }, "\(printed)")
            #expect(printed.filter { $0.contains("Cap") }.allSatisfy { $0.hasSuffix("0000000000000000") }, "\(printed)")
        }
    }
}
