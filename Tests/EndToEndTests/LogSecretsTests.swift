import Foundation
import Support
import Testing

extension Live {
    /// Passwords, tokens, keys and passphrases: in no line of a program, whatever the level of its log.
    @Suite struct LogSecrets {
        /// The secrets of one house, each of which stands in a file of its own.
        private enum Secret: String, CaseIterable {
            case agentPassword = "agent-word-8f2c"
            case fuserPassword = "fuser-word-41d7"
            case newPassword = "fresh-word-77b3"
            case wrongPassword = "wrong-word-90aa"
            case databasePassword = "table-word-5e10"
            case passphrase = "sealed-word-6c6c"
            case wrongPassphrase = "opened-word-1b1b"
            case admin = "adminword-0123456789abcdef"
            case viewer = "viewerword-fedcba9876543210"
            case newToken = "newadminword-0011223344556677"
            case wrongToken = "strangerword-8899aabbccddeeff"
            case addressKey = "5ec7e70123456789abcdef0fedcba987"
            case brokenKey = "5ec7e7brokenbrokenbrokenbroken00"
            case ofURL = "written-into-a-url-3d3d"
        }

        private let broker: Broker
        private let deployment: Deployment

        init() throws {
            let users = [("kitchen", Secret.agentPassword), ("main", .fuserPassword), ("main2", .newPassword)]
            broker = try Broker(
                ["allow_anonymous false", "password_file %d/users"],
                files: ["users": users.map { "\($0):\($1.rawValue)\n" }.joined()], started: false)
            let made = try Execution.run(
                try #require(Execution.find("mosquitto_passwd")), ["-U", "\(broker.folder)/users"])
            #expect(made.status == 0, "\(made.error)")
            try broker.start()
            deployment = try Deployment(broker)
        }

        private func keep(_ text: String, in name: String) throws {
            try setMode(0o600, of: try deployment.folder.write(Array((text + "\n").utf8), to: name))
        }

        private func mqtt(_ user: String, _ passwordFile: String) -> String {
            "mqtt: {url: \"\(broker.url)\", username: \(user), password_file: \(passwordFile)}\n"
        }

        private func file(_ name: String, _ lines: [String]) throws -> String {
            try deployment.folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: name)
        }

        /// The secrets in a text, in any case and encoding that is likely.
        private static func leaks(in text: String) -> [Secret] {
            let text = text.lowercased()
            return Secret.allCases.filter { secret in
                let bytes = Data(secret.rawValue.utf8)
                let forms = [
                    secret.rawValue, bytes.base64EncodedString().lowercased(),
                    bytes.map { String($0, radix: 16) }.joined(),
                ]
                return forms.contains { text.contains($0) }
            }
        }

        @Test("The search finds a secret in each of its forms")
        func search() {
            for secret in Secret.allCases {
                #expect(Self.leaks(in: "debug: said '\(secret.rawValue.uppercased())'") == [secret])
                let encoded = Data(secret.rawValue.utf8).base64EncodedString()
                #expect(Self.leaks(in: "authorization: Basic \(encoded)").contains(secret))
            }
            #expect(Self.leaks(in: "the password of 'main' in 'fuser.password' is refused") == [])
        }

        @Test("Connect, be refused, reload, set up and back up at debug: no secret is in any output")
        func secrets() async throws {
            let folder = deployment.folder
            try keep(Secret.agentPassword.rawValue, in: "agent.password")
            try keep(Secret.fuserPassword.rawValue, in: "fuser.password")
            try keep(Secret.wrongPassword.rawValue, in: "wrong.password")
            try keep(Secret.databasePassword.rawValue, in: "postgres.password")
            try keep(Secret.passphrase.rawValue, in: "passphrase")
            try keep(Secret.wrongPassphrase.rawValue, in: "other.passphrase")
            try keep("admin:\(Secret.admin.rawValue)\nviewer:\(Secret.viewer.rawValue)", in: "tokens")
            try FileManager.default.createDirectory(atPath: folder.file("keys"), withIntermediateDirectories: false)
            try keep(Secret.addressKey.rawValue, in: "keys/phone.irk")
            try keep(Secret.brokenKey.rawValue, in: "keys/watch.irk")
            try keep("- {id: phone, key: irk}\n- {id: watch, key: irk}", in: "items.yaml")

            let source = ["source: simulate:\(Deployment.flat)", "items: items.yaml", "keys: keys"]
            let agentFile = try file(
                "kitchen.yaml",
                ["node: kitchen", "state: kitchen.sqlite"] + source + [mqtt("kitchen", "agent.password")])
            let refusedFile = try file("living.yaml", ["node: living"] + source + [mqtt("kitchen", "wrong.password")])
            let port = try Listener().port
            let site = Repository.root + "/Sources/WebInterface/Site"
            func fuserLines(_ user: String, _ more: [String] = []) -> [String] {
                [
                    "name: main", "state: main.sqlite", "items: items.yaml",
                    "web: {listen: \"127.0.0.1:\(port)\", token_file: tokens, files: \"\(site)\"}",
                    "history: {postgres: {connection: \"host=127.0.0.1 port=1 user=main dbname=house\", password_file: "
                        + "postgres.password}}",
                ] + more + [mqtt(user, "fuser.password")]
            }
            let fuserFile = try file("fuser.yaml", fuserLines("main"))

            var outputs: [(program: String, text: String)] = []
            let agent = try RunningProgram("whereabouts-agent", ["--config", agentFile, "--log-level", "debug"])
            let refused = try RunningProgram("whereabouts-agent", ["--config", refusedFile, "--log-level", "debug"])
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", fuserFile, "--log-level", "debug"])
            let programs = [agent, refused, fuser]
            for program in [agent, fuser] {
                #expect(try await until(60) { program.logged("connected to") > 0 }, "\(program.errors)")
            }
            #expect(try await until(60) { refused.logged("Not authorized") > 0 }, "\(refused.errors)")
            #expect(try await until(60) { fuser.logged("PostgreSQL") > 0 }, "\(fuser.errors)")

            // The page: both tokens that are right, a wrong one, which slows all that follow, and a token where none belongs.
            for (token, status) in [(Secret.admin, 200), (.viewer, 200), (.wrongToken, 401)] {
                #expect(try send(port, "/api/items", token.rawValue) == status, "\(token)")
            }
            _ = try send(port, "/api/items?token=\(Secret.wrongToken.rawValue)", "")
            _ = try send(port, "/\(Secret.admin.rawValue)", Secret.wrongToken.rawValue)

            // Read anew: another password and other tokens, then a file with a secret at a wrong place.
            try keep(Secret.newPassword.rawValue, in: "fuser.password")
            try keep("admin:\(Secret.newToken.rawValue)\n\(Secret.admin.rawValue)", in: "tokens")
            _ = try file("fuser.yaml", fuserLines("main2", ["away_after: 5m"]))
            fuser.process.send(SIGHUP)
            #expect(try await until(20) { fuser.logged("was not applied") > 0 }, "\(fuser.errors)")
            try keep("admin:\(Secret.newToken.rawValue)", in: "tokens")
            fuser.process.send(SIGHUP)
            #expect(try await until(20) { fuser.logged("away_after") > 0 }, "\(fuser.errors)")
            let withURL = "mqtt: {url: \"mqtt://kitchen:\(Secret.ofURL.rawValue)@127.0.0.1\"}"
            _ = try file("kitchen.yaml", ["node: kitchen", "state: kitchen.sqlite"] + source + [withURL])
            agent.process.send(SIGHUP)
            #expect(try await until(20) { agent.logged("was not applied") > 0 }, "\(agent.errors)")

            // Commands, one after the other.
            _ = try file("setup.yaml", ["source: simulate:\(Deployment.flat)"])
            let backup = folder.file("house.backup")
            let setup = ["setup", "--config", folder.file("setup.yaml"), "--node", "attic", "--yes", "--broker"]
            let sealed = ["--with-secrets", "--passphrase-file", folder.file("passphrase")]
            let restore = ["restore", backup, "--config", folder.file("new/fuser.yaml"), "--yes", "--passphrase-file"]
            for (program, words, input, status) in [
                (
                    "whereabouts-agent", setup + [broker.url, "--username", "kitchen", "--password-file", "-"],
                    Secret.wrongPassword.rawValue, 1
                ),
                (
                    "whereabouts-agent", setup + [broker.url, "--username", "kitchen", "--password-file", "-"],
                    Secret.agentPassword.rawValue, 0
                ),
                ("whereabouts-agent", setup + ["mqtt://kitchen:\(Secret.ofURL.rawValue)@127.0.0.1"], "", 2),
                ("whereabouts-agent", ["--config", agentFile, "--check"], "", 2),
                ("whereabouts-fuser", ["--config", fuserFile, "--check"], "", 0),
                ("whereabouts", ["items", "list", "--config", refusedFile], "", 1),
                ("whereabouts", ["doctor", "--config", refusedFile], "", 1),
                ("whereabouts", ["backup", backup, "--config", fuserFile] + sealed, "", 0),
                ("whereabouts", restore + [folder.file("other.passphrase")], "", 1),
                ("whereabouts", restore + [folder.file("passphrase")], "", 0),
                ("whereabouts", ["backup", backup, "--config", agentFile] + sealed, "", 2),
            ] as [(String, [String], String, Int32)] {
                try FileManager.default.createDirectory(
                    atPath: folder.file("new"), withIntermediateDirectories: true)
                let outcome = try Execution.run(
                    Execution.path(of: program), words, input: Array((input + "\n").utf8))
                let text = String(decoding: outcome.output, as: UTF8.self) + outcome.error
                #expect(outcome.status == status, "\(program) \(words.prefix(2)): \(text)")
                outputs.append(("\(program) \(words[0])", text))
            }
            for program in programs {
                program.process.send(SIGTERM)
                #expect(try await program.status(within: 20) == 0, "\(program.errors)")
            }
            outputs += zip(["agent", "refused agent", "fuser"], programs).map { ($0, $1.errors + $1.output) }
            for program in programs { #expect(!program.errors.isEmpty) }
            for (program, text) in outputs {
                #expect(Self.leaks(in: text) == [], "\(program): \(text)")
            }
        }

        /// The status of a request with a token.
        private func send(_ port: UInt16, _ path: String, _ token: String) throws -> Int {
            let client = try RawClient(port: port)
            let lines = ["GET \(path) HTTP/1.1", "Host: a", "Connection: close", "Authorization: Bearer \(token)"]
            client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            let answer = client.receive(seconds: 20)
            return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    }
}
