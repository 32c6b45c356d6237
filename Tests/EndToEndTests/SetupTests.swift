import Foundation
import Support
import Testing

@testable import Agent

extension Live {
    /// `whereabouts-agent setup`, as it is built, with a real broker that wants a password.
    @Suite struct Setups {
        private static let secret = "n0t-for-0ther-eyes"
        private let folder: TemporaryFolder
        private let file: String

        init() throws {
            folder = try TemporaryFolder()
            file = folder.file("agent.yaml")
        }

        private func broker() throws -> Broker {
            let broker = try Broker(
                ["allow_anonymous false", "password_file %d/users"], files: ["users": "kitchen:\(Self.secret)\n"],
                started: false)
            let made = try Execution.run(
                try #require(Execution.find("mosquitto_passwd")), ["-U", "\(broker.folder)/users"])
            #expect(made.status == 0, "\(made.error)")
            try broker.start()
            return broker
        }

        /// Runs it, and checks that nothing it prints is the secret.
        private func setup(_ words: [String], typed: String = "") throws -> Execution.Outcome {
            let outcome = try Execution.run(
                Execution.path(of: "whereabouts-agent"), ["setup", "--config", file] + words, input: Array(typed.utf8))
            let shown = String(decoding: outcome.output, as: UTF8.self) + outcome.error
            #expect(!shown.contains(Self.secret), "\(shown)")
            return outcome
        }

        private func write(_ text: String) throws { try text.write(toFile: file, atomically: false, encoding: .utf8) }
        private var content: String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }

        private static let packaged =
            (try? String(contentsOfFile: Repository.root + "/etc/packaging/debian/agent.yaml", encoding: .utf8)) ?? ""
        private static let simulated = packaged.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("source:") ? "source: simulate:\(Deployment.flat)" : String($0)
        }.joined(separator: "\n")

        @Test(
            "One command makes the packaged file one with which the agent runs; its comments and the former file stay")
        func runs() async throws {
            let broker = try broker()
            try write(Self.simulated)
            let made = try setup(
                [
                    "--yes", "--node", "kitchen", "--room", "larder", "--broker", "127.0.0.1:\(broker.port)",
                    "--username",
                    "kitchen", "--password-file", "-",
                ], typed: Self.secret + "\n")
            #expect(made.status == 0, "\(made.error)")
            #expect(made.lines.contains { $0.hasPrefix("ok") && $0.contains("takes the connection") }, "\(made.lines)")
            #expect(
                made.lines.contains("  + node: kitchen") && made.lines.contains("  + room: larder"), "\(made.lines)")
            #expect(try names() == ["agent.password", "agent.yaml", "agent.yaml.old"])
            #expect(try String(contentsOfFile: file + ".old", encoding: .utf8) == Self.simulated)
            let added = content.split(separator: "\n").filter { !Self.simulated.split(separator: "\n").contains($0) }
            #expect(added.count == 3 && content.contains("#node: kitchen\nnode: kitchen\nroom: larder\n"))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("agent.password"))
            let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
            #expect(mode & 0o007 == 0, "\(String(mode, radix: 8))")

            let agent = try RunningProgram(
                "whereabouts-agent", ["--config", file],
                environment: ["WHEREABOUTS_STATE=\(folder.file("agent.sqlite"))", "PATH=/usr/bin:/bin"])
            #expect(try await until(20) { agent.logged("connected") > 0 }, "\(agent.errors)")

            #expect(
                try await until(20) { broker.log.contains("'whereabouts/nodes/kitchen/status'") }, "\(agent.errors)")

            // The gateway may be set up again while it runs; another one must not have its name.
            let again = try setup(["--yes"])
            #expect(again.status == 0 && again.lines.last?.hasSuffix("nothing was written") == true, "\(again.lines)")
            let other = try TemporaryFolder()
            _ = try other.write(Array(Self.simulated.utf8), to: "agent.yaml")
            let taken = try Execution.run(
                Execution.path(of: "whereabouts-agent"),
                [
                    "setup", "--yes", "--config", other.file("agent.yaml"), "--node", "kitchen", "--broker",
                    broker.url, "--username", "kitchen", "--password-file", folder.file("agent.password"),
                ])
            #expect(taken.status == 1, "\(taken.lines)")
            #expect(taken.lines.contains { $0.contains("a gateway called 'kitchen' is connected there already") })
            #expect(try String(contentsOfFile: other.file("agent.yaml"), encoding: .utf8) == Self.simulated)
        }

        @Test("A wrong password, no broker and a missing value are named with the mend, and nothing is written")
        func refusals() throws {
            let broker = try broker()
            try write(Self.simulated)
            let options = ["--yes", "--node", "kitchen", "--broker", broker.url, "--username", "kitchen"]
            let wrong = try setup(options + ["--password-file", "-"], typed: "0ther\n")
            #expect(
                wrong.status == 1 && wrong.lines.contains { $0.contains("against the broker's users") },
                "\(wrong.lines)")
            broker.stop()
            let away = try setup(options + ["--password-file", "-"], typed: Self.secret)
            #expect(away.status == 1 && away.lines.contains { $0.contains("start the broker there") }, "\(away.lines)")
            let lacking = try setup(["--yes", "--password-file", "/etc/hostname"])
            #expect(lacking.status == 2)
            for words in ["--node ID is missing", "--broker URL is missing", "--username NAME is missing"] {
                #expect(lacking.error.contains(words), "\(lacking.error)")
            }
            let user = try setup(["--yes", "--node", "kitchen", "--broker", "mqtt://kitchen:\(Self.secret)@broker.lan"])
            #expect(user.status == 2 && user.error.contains("password_file"), "\(user.error)")
            let faulty = try setup(["--yes", "--node", "Kitchen", "--broker", broker.url])
            #expect(faulty.status == 2 && faulty.error.contains("small letters"), "\(faulty.error)")
            #expect(content == Self.simulated)
            #expect(try names() == ["agent.yaml"])
        }

        @Test("Reach the next of several brokers where the first accepts connections and says nothing")
        func silentBroker() throws {
            let broker = try Broker()
            let silent = try SilentAddress(port: broker.port, accepts: true)
            let urls = "[mqtt://\(SilentAddress.host):\(broker.port), \(broker.url)]"
            try write("node: hall\nsource: simulate:\(Deployment.flat)\nmqtt: {urls: \(urls)}\n")
            let made = try setup(["--yes", "--room", "parlour"])
            #expect(made.status == 0, "\(made.lines)\(made.error)")
            #expect(made.lines.contains { $0.hasSuffix("\(broker.url) takes the connection") }, "\(made.lines)")
            #expect(content.hasPrefix("node: hall\nroom: parlour\n"), "\(content)")
            withExtendedLifetime(silent) {}
        }

        @Test("An existing file keeps all that is not asked for, and a fault elsewhere in it is told with its place")
        func existing() throws {
            let broker = try Broker()
            let text = """
                # Ours.
                node: hall   # downstairs
                source: simulate:\(Deployment.flat)
                mqtt:
                  # was the old machine
                  url: mqtt://user:\(Self.secret)@old.lan
                  keepalive: 20s
                window: 500ms

                """
            try write(text)
            let made = try setup(["--yes", "--broker", broker.url])
            #expect(made.status == 0, "\(made.error)")
            let changed = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.hasPrefix("  url:") ? "  url: \"\(broker.url)\"" : String($0)
            }.joined(separator: "\n")
            #expect(content == changed)
            try write(changed + "windw: 1s\n")
            let faulty = try setup(["--yes", "--room", "parlour"])
            #expect(faulty.status == 2 && faulty.error.contains("agent.yaml:9:1"), "\(faulty.error)")
            #expect(content == changed + "windw: 1s\n")
        }

        @Test("A gateway without an adapter is told so; untested, the file is written from nothing")
        func withoutAdapter() throws {
            let broker = try Broker()
            let words = ["--yes", "--node", "hall", "--broker", broker.url]
            let tested = try setup(words)
            if tested.status == 1 {
                #expect(tested.lines.contains { $0.hasPrefix("fault   adapter") }, "\(tested.lines)")
                #expect(try names().isEmpty)
            }
            let untested = try setup(words + ["--untested"])
            #expect(untested.status == 0, "\(untested.error)")
            #expect(content.contains("node: hall\nmqtt: {url: \"\(broker.url)\"}\n"), "\(content)")
            let checked = try Execution.run(
                Execution.path(of: "whereabouts-agent"), ["--config", file, "--check"])
            #expect(checked.status == 0, "\(checked.error)")
        }

        @Test("The card of a Raspberry Pi has a command that writes a right file")
        func card() throws {
            let card = try String(
                contentsOfFile: Repository.root + "/etc/examples/raspberry-pi/user-data", encoding: .utf8)
            let line = try #require(card.split(separator: "\n").first { $0.contains("whereabouts-agent setup") })
            let words = line.split(separator: " ").drop { $0 != "setup" }.dropFirst().map(String.init)
            try write(Self.packaged)
            let made = try setup(words)
            #expect(made.status == 0 && made.lines.contains("  + node: kitchen"), "\(made.error)")
        }

        @Test(
            "The questions are answered through a pipe, a refused password is asked for again, and the end writes nothing"
        )
        func questions() throws {
            let broker = try broker()
            try write(Self.simulated)
            let answers = ["hall", "", "127.0.0.1:\(broker.port)", "kitchen", "wr0ng", "", "", "", Self.secret]
            let ended = try setup([], typed: answers.map { $0 + "\n" }.joined())
            #expect(ended.status == 1 && ended.error.contains("the input ended"), "\(ended.error)")
            #expect(content == Self.simulated)
            #expect(try names() == ["agent.yaml"])
            let refused = try setup([], typed: (answers + ["n"]).map { $0 + "\n" }.joined())
            #expect(refused.status == 1 && refused.error.contains("nothing was written"), "\(refused.error)")
            let made = try setup([], typed: (answers + ["y"]).map { $0 + "\n" }.joined())
            #expect(made.status == 0, "\(made.error)")
            #expect(made.lines.contains { $0.contains("against the broker's users") }, "\(made.lines)")
            #expect(content.contains("node: hall\n") && !content.contains("room: hall"))
            #expect(try String(contentsOfFile: folder.file("agent.password"), encoding: .utf8) == Self.secret + "\n")
        }

        @Test(
            "On a terminal the password is not shown, and ^C ends it with the terminal as it was",
            .enabled(if: Execution.find("tmux") != nil, "tmux is not installed"))
        func terminal() async throws {
            let broker = try broker()
            try write(Self.simulated)
            let tmux = try #require(Execution.find("tmux"))
            let socket = folder.file("tmux")
            // Not by Foundation's Process, which waits for all that inherits its descriptors: the terminal's server.
            @discardableResult func say(_ words: [String]) throws -> String {
                let output = folder.file("screen")
                _ = try ChildProcess(tmux, ["-S", socket, "-f", "/dev/null"] + words, output: output).wait(atMost: 20)
                return try String(contentsOfFile: output, encoding: .utf8)
            }
            func screen() -> String { (try? say(["capture-pane", "-p", "-S", "-"])) ?? "" }
            func answer(_ question: String, _ text: String) async throws {
                #expect(try await until(20) { screen().contains(question) }, "\(screen())")
                try say(["send-keys", "-l", text])
                try say(["send-keys", "Enter"])
            }
            try say(["new-session", "-d", "-x", "150", "-y", "50", "env PS1='$ ' sh"])
            defer { _ = try? say(["kill-server"]) }
            let program = Execution.path(of: "whereabouts-agent")
            try await answer("$", "\(program) setup --config \(file)")
            try await answer("Name of this gateway", "hall")
            try await answer("Room that it stands in [hall]", "")
            try await answer("Broker, such as", "127.0.0.1:\(broker.port)")
            try await answer("User at the broker", "kitchen")
            try await answer("Password of kitchen, unseen:", Self.secret)
            #expect(try await until(20) { screen().contains("Write it? [Y/n]") }, "\(screen())")
            #expect(!screen().contains(Self.secret), "\(screen())")
            try say(["send-keys", "C-c"])
            #expect(try await until(20) { screen().contains("interrupted") }, "\(screen())")
            try await answer("$", "stty -a | tr ' ;' '\\n\\n' | grep -x echo; echo status $?")
            #expect(try await until(20) { screen().contains("\necho\nstatus 0") }, "\(screen())")
            #expect(content == Self.simulated)
            #expect(!(try names()).contains { $0.hasPrefix("agent.password") })
        }
    }
}

@Suite struct TextDifferenceTests {
    @Test("Lines that go and come are told in their order, and what stays is not")
    func lines() {
        #expect(TextDifference.lines(from: ["a", "b", "c"], to: ["a", "x", "c", "d"]) == ["- b", "+ x", "+ d"])
        #expect(TextDifference.lines(from: [], to: ["a"]) == ["+ a"])
        #expect(TextDifference.lines(from: ["a"], to: ["a"]).isEmpty)
        #expect(TextDifference.lines(from: ["a", "b", "a"], to: ["b", "a", "b"]) == ["- a", "+ b"])
    }
}
