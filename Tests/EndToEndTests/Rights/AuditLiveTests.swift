import Foundation
import MQTT
import Support
import Testing
import WireProtocol

extension Live {
    /// Roles and the audit at a broker that enforces the output of `whereabouts acl`, with running fusers.
    @Suite struct AuditTrail {
        /// A fleet of two fusers and a node, and three people.
        private final class Fleet {
            let folder: TemporaryFolder
            let broker: Broker
            private var programs: [String: RunningProgram] = [:]

            static let people = ["chief": "administrator", "anna": "operator", "tv": "viewer"]

            init() throws {
                let folder = try TemporaryFolder()
                self.folder = folder
                for (file, line) in [("main", "name: main"), ("second", "name: second"), ("kitchen", "node: kitchen")] {
                    _ = try folder.write(
                        Array("\(line)\nmqtt: {url: \"mqtt://broker.lan\"}\n".utf8), to: "\(file).yaml")
                }
                let words = ["main", "second", "kitchen"].map { folder.file("\($0).yaml") }
                let acl = try Execution.run(
                    Execution.path(of: "whereabouts"),
                    ["acl"] + words
                        + Self.people.sorted { $0.key < $1.key }.flatMap { ["--\($0.value)", $0.key] as [String] })
                try #require(acl.status == 0, "\(acl.error)")
                let passwords = folder.file("passwords")
                let users = ["fuser-main", "fuser-second", "kitchen"] + Array(Self.people.keys)
                for (index, user) in users.enumerated() {
                    let program = try #require(Execution.find("mosquitto_passwd"))
                    _ = try Execution.run(program, (index == 0 ? ["-c"] : []) + ["-b", passwords, user, user])
                    _ = try folder.write(Array("\(user)\n".utf8), to: "\(user).password")
                }
                broker = try Broker(
                    ["allow_anonymous false", "acl_file %d/acl", "password_file %d/passwords"],
                    files: [
                        "acl": String(decoding: acl.output, as: UTF8.self),
                        "passwords": try String(contentsOfFile: passwords, encoding: .utf8),
                    ])
                for user in Self.people.keys { _ = try configuration(user, []) }
            }

            func configuration(_ user: String, _ lines: [String]) throws -> String {
                let mqtt = "mqtt: {url: \"\(broker.url)\", username: \(user), password_file: \(user).password}"
                return try folder.write(Array((lines + [mqtt, ""]).joined(separator: "\n").utf8), to: "\(user).yaml")
            }

            func startFuser(_ name: String) throws {
                let file = try configuration("fuser-\(name)", ["name: \(name)", "state: \(name).sqlite"])
                programs[name] = try RunningProgram("whereabouts-fuser", ["--config", file])
            }

            func startNode() throws {
                let items = Repository.root + "/etc/examples/simulation/items.yaml"
                let file = try configuration(
                    "kitchen", ["node: kitchen", "items: \(items)", "source: \"simulate:\(Deployment.flat)\""])
                programs["kitchen"] = try RunningProgram("whereabouts-agent", ["--config", file])
            }

            func stop(_ name: String) async throws {
                let former = programs.removeValue(forKey: name)
                let program = try #require(former)
                program.process.terminate()
                _ = try await program.status(within: 10)
            }

            func stopAll() { for program in programs.values { program.process.terminate() } }

            /// Runs the tool as a person.
            func say(_ person: String, _ words: [String]) throws -> Execution.Outcome {
                try Execution.run(
                    Execution.path(of: "whereabouts"), words + ["--config", folder.file("\(person).yaml")])
            }

            /// The audit as objects, as an administrator reads it.
            func audit(_ more: [String] = []) throws -> [[String: Any]] {
                let outcome = try say("chief", ["audit", "--json"] + more)
                try #require(outcome.status == 0, "\(outcome.error)")
                return try outcome.lines.map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                }
            }

            /// The answer to a command of a person's own client; nil where the broker refuses the command.
            func command(_ person: String, _ topic: String, _ payload: String) async throws -> String? {
                let replies = "whereabouts/replies/\(person)"
                let client = try RightsClient(person, broker, [replies])
                #expect(try await client.wait { $0.client.isConnected })
                var message = Message(topic: "whereabouts/\(topic)", text: payload, qos: .atLeastOnce)
                message.responseTopic = replies
                client.client.publish(message)
                #expect(try await client.wait { !$0.messages.isEmpty || !$0.refused.isEmpty }, "\(topic)")
                return client.messages.last?.text
            }

            func isOnline(_ fuser: String) async throws -> Bool {
                try await until(30) {
                    let outcome = try self.say("chief", ["audit", "--fuser", fuser])
                    return outcome.status == 0
                }
            }
        }

        @Test("Let an operator teach, silence and enrol, an administrator purge and set, and a viewer nothing")
        func roles() async throws {
            let fleet = try Fleet()
            defer { fleet.stopAll() }
            try fleet.startFuser("main")
            try fleet.startNode()
            #expect(try await fleet.isOnline("main"))
            let add = ["items", "add", "mug", "--name", "Mug", "--address", "aa:bb:cc:dd:ee:ff"]
            #expect(try fleet.say("tv", add).status != 0)
            #expect(try fleet.say("anna", add).status == 0)
            // The broker grants the viewer's subscriptions, and drops its messages.
            let list = try fleet.say("tv", ["items", "list"])
            #expect(list.status == 0 && list.lines.last?.hasPrefix("mug ") == true, "\(list.error)")
            #expect(list.error.contains("the list may lack entries: this user may not read or write"), "\(list.error)")
            #expect(!list.error.contains("refused a message"), "\(list.error)")
            #expect(try !fleet.say("anna", ["items", "list"]).error.contains("may lack entries"))
            #expect(try fleet.say("tv", ["batteries"]).error.contains("the list may lack entries"))
            // An operator asks a node for tags near it.
            let nearest = try fleet.say(
                "anna", ["items", "add", "cup", "--nearest", "kitchen", "--for", "1s", "--yes"])
            #expect(nearest.status == 0 || nearest.error.contains("heard no unregistered"), "\(nearest.error)")
            let silence = #"{"id":"s","action":"silence","item":"mug","for":3600}"#
            #expect(
                try await fleet.command("anna", "fuser/main/operate/anna", silence)?.contains(#""ok":true"#) == true)
            // The program refuses actions that need more, and the broker topics of others.
            let purge = #"{"id":"p","action":"purge","item":"mug"}"#
            let set = #"{"id":"w","action":"set","window":2}"#
            let refused = try await fleet.command("anna", "fuser/main/operate/anna", purge)
            #expect(refused?.contains("'purge' needs the right to administer") == true, "\(refused ?? "")")
            #expect(
                try await fleet.command("anna", "nodes/kitchen/operate/anna", set)?.contains("needs the right") == true)
            for topic in ["command", "administer/anna", "administer/chief", "operate/chief"] {
                #expect(try await fleet.command("anna", "fuser/main/\(topic)", purge) == nil, "\(topic)")
                #expect(try await fleet.command("anna", "nodes/kitchen/\(topic)", set) == nil, "\(topic)")
            }
            for topic in ["command", "operate/tv", "operate/anna", "administer/tv"] {
                #expect(try await fleet.command("tv", "fuser/main/\(topic)", silence) == nil, "\(topic)")
            }
            // The tool asks for the right that it needs, which the broker refuses.
            #expect(try fleet.say("anna", ["purge", "mug", "--yes"]).error.contains("administer/anna"))
            #expect(try fleet.say("tv", ["audit"]).status != 0 && fleet.say("anna", ["audit"]).status != 0)
            #expect(
                try await fleet.command("chief", "nodes/kitchen/administer/chief", set)?.contains(#""ok":true"#) == true
            )
            #expect(try fleet.say("chief", ["purge", "mug", "--yes"]).status == 0)
            let away = #"{"id":"f","action":"set","away_after":90}"#
            #expect(
                try await fleet.command("anna", "fuser/main/operate/anna", away)?.contains("needs the right") == true)
            #expect(
                try await fleet.command("chief", "fuser/main/administer/chief", away)?.contains(#""ok":true"#) == true)

            #expect(try await until(10) { try fleet.audit().contains { $0["address"] as? String == "node kitchen" } })
            let changes = try fleet.audit()
            func rows(_ action: String, _ subject: String) -> [[String: Any]] {
                changes.filter { $0["action"] as? String == action && $0["subject"] as? String == subject }
            }
            func text(_ row: [String: Any]?, _ key: String) -> String? { row?[key] as? String }
            let added = rows("item", "mug")
            #expect(added.count == 1 && text(added.first, "user") == "anna" && text(added.first, "proof") == "sender")
            #expect(text(added.first, "address") == ProcessInfo.processInfo.hostName)
            // The purge took the values, and says so.
            #expect(added.first?["after"] == nil && added.first?["erased"] != nil)
            let silenced = rows("silence", "mug")
            #expect(text(silenced.first, "user") == "anna" && text(silenced.first, "proof") == "broker")
            #expect(text(silenced.first, "role") == "operator" && silenced.first?["status"] as? Int == 200)
            let purges = rows("purge", "mug")
            #expect(purges.map { $0["status"] as? Int } == [403, 200])
            #expect(purges.map { text($0, "user") } == ["anna", "chief"])
            #expect(purges.allSatisfy { $0["before"] == nil && $0["after"] == nil })
            let settings = rows("settings", "node/kitchen")
            #expect(settings.map { $0["status"] as? Int } == [403, 202, 200])
            #expect(settings.map { text($0, "user") } == ["anna", "chief", ""])
            let (before, after) = (
                settings.last?["before"] as? [String: Any], settings.last?["after"] as? [String: Any]
            )
            #expect(before?["window"] as? Double == 1 && after?["window"] as? Double == 2)
            let own = rows("settings", "fuser/main")
            #expect(own.map { $0["status"] as? Int } == [403, 200])
            #expect(own.map { text($0, "user") } == ["anna", "chief"])
            #expect(own.allSatisfy { text($0, "proof") == "broker" } && own.first?["after"] == nil)
            let (old, new) = (own.last?["before"] as? [String: Any], own.last?["after"] as? [String: Any])
            #expect(old?["away_after"] as? Double == 60 && old?["detect_clones"] as? Bool == true)
            #expect(new?["away_after"] as? Double == 90 && new?["detect_clones"] as? Bool == true)
            // Nobody saw the commands that the broker refused.
            #expect(!changes.contains { $0["user"] as? String == "tv" })
        }

        @Test("Merge the audits of two fusers, each change once, and what either of them missed")
        func standby() async throws {
            let fleet = try Fleet()
            defer { fleet.stopAll() }
            func add(_ id: String, _ number: Int) throws {
                let outcome = try fleet.say(
                    "anna", ["items", "add", id, "--name", id, "--address", "aa:bb:cc:dd:ee:0\(number)"])
                #expect(outcome.status == 0, "\(outcome.error)")
            }
            func items(_ more: [String] = []) throws -> [String] {
                try fleet.audit(more).compactMap { $0["action"] as? String == "item" ? $0["subject"] as? String : nil }
            }
            try fleet.startFuser("main")
            #expect(try await fleet.isOnline("main"))
            try add("one", 1)
            try fleet.startFuser("second")
            #expect(try await fleet.isOnline("second"))
            try add("two", 2)
            #expect(try await until(10) { try items(["--fuser", "second"]) == ["two"] })
            try await fleet.stop("main")
            try add("three", 3)
            #expect(try await until(10) { try items() == ["two", "three"] })
            try fleet.startFuser("main")
            #expect(try await fleet.isOnline("main"))
            // The first has the second's as well, since the broker retains entries, with the time of the change.
            #expect(try await until(20) { try items(["--fuser", "main"]) == ["one", "two", "three"] })
            #expect(try items() == ["one", "two", "three"])
            let names = try fleet.audit().map { $0["change"] as? String }
            #expect(Set(names).count == names.count)
            let csv = try fleet.say("chief", ["audit", "--since", "1h", "--csv"])
            #expect(csv.lines.count == 4 && csv.lines[0].hasPrefix("at,fuser,number,change,user"))
            #expect(csv.lines[1].contains(",anna,,sender,") && csv.lines[1].contains(#""{""v"":1,""id"":""one"""#))
            let table = try fleet.say("chief", ["audit", "--subject", "two"])
            #expect(table.lines.count == 2 && table.lines[1].contains("anna"), "\(table.lines)")
        }
    }
}
