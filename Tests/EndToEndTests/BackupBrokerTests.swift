import Foundation
import Glibc
import Support
import Testing

extension Live {
    /// What `whereabouts backup`, `restore` and `items` read of a broker: the whole, or nothing.
    @Suite struct BackupsOfBrokers {
        private static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

        private func run(_ words: [String], at port: UInt16) throws -> Execution.Outcome {
            try BackedHouse.run(words + ["--broker", "mqtt://127.0.0.1:\(port)"])
        }

        private func add(_ id: String, _ name: String, at port: UInt16) throws {
            let words = ["items", "add", id, "--replace", "--name", name, "--ibeacon", "\(Self.uuid),1,1"]
            let added = try run(words, at: port)
            #expect(added.status == 0, "\(added.error)")
        }

        @Test("Back up the whole of a broker behind a slow line, and replace nothing newer there")
        func slow() throws {
            let broker = try Broker()
            let relay = try Relay(to: broker.port)
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1, login: nil)
            try add("keys", "Old", at: broker.port)
            // Longer for an answer than the pause that ends other lists.
            relay.delay = 0.6
            let backup = folder.file("house.backup")
            let made = try run(["backup", backup, "--config", source], at: relay.port)
            #expect(made.status == 0 && made.error.contains("of the broker: 1 item"), "\(made.error)")
            try add("keys", "New", at: broker.port)
            let export = try run(["items", "export"], at: relay.port)
            #expect(
                export.status == 0 && export.lines.contains { $0.contains("New") }, "\(export.lines) \(export.error)")
            let restored = try run(["restore", backup, "--yes", "--broker-only"], at: relay.port)
            let words = String(decoding: restored.output, as: UTF8.self)
            #expect(restored.status == 0 && words.contains("nothing to publish"), "\(words) \(restored.error)")
            #expect(try run(["items", "list"], at: broker.port).lines.contains { $0.contains("New") })
        }

        @Test("Publish more than a queue of messages holds: the pictures of some floors")
        func pictures() throws {
            let (broker, other) = (try Broker(), try Broker())
            let folder = try TemporaryFolder()
            let picture = try folder.write([UInt8](repeating: 1, count: 800_000), to: "picture")
            for floor in 1...4 {
                let published = try Execution.run(
                    try #require(Execution.find("mosquitto_pub")),
                    [
                        "-p", "\(broker.port)", "-q", "1", "-r", "-t", "whereabouts/house/pictures/\(floor)", "-f",
                        picture,
                    ])
                #expect(published.status == 0, "\(published.error)")
            }
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1, login: nil)
            let backup = folder.file("house.backup")
            #expect(try run(["backup", backup, "--config", source], at: broker.port).status == 0)
            let restored = try run(["restore", backup, "--yes", "--broker-only"], at: other.port)
            let words = String(decoding: restored.output, as: UTF8.self)
            #expect(restored.status == 0 && words.contains("4 pictures to publish"), "\(words) \(restored.error)")
        }

        @Test("Use nothing of a broker that does not show the end of what it retains")
        func endless() throws {
            let rights = ["items/#", "lessons/#", "house/#"].map { "topic readwrite whereabouts/\($0)\n" }
            let open = try Broker()
            let broker = try Broker(["acl_file %d/acl"], files: ["acl": rights.joined()])
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1, login: nil)
            try add("keys", "Keys", at: open.port)
            let backup = folder.file("the house.backup")
            #expect(try run(["backup", backup, "--config", source], at: open.port).status == 0)

            let none = folder.file("none.backup")
            let refused = try run(["backup", none, "--config", source], at: broker.port)
            #expect(refused.status == 1 && refused.error.contains("denied writing"), "\(refused.error)")
            #expect(!FileManager.default.fileExists(atPath: none))
            // The broker of the configuration is left out in words, and older backups stay, which have it.
            let backups = try TemporaryFolder()
            _ = try backups.write([], to: "whereabouts-20250101-010000.backup")
            let without = try BackedHouse.run(["backup", backups.path, "--config", source, "--keep", "1"])
            #expect(without.status == 0, "\(without.error)")
            #expect(without.error.contains("without what the broker retains"), "\(without.error)")
            #expect(without.error.contains("no earlier backup was removed"), "\(without.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path).count == 2)

            // So does a file that has it.
            let kept = try BackedHouse.run(["backup", backup, "--config", source])
            #expect(kept.status == 1 && kept.error.contains("\(backup) was not replaced"), "\(kept.error)")

            let restored = try run(["restore", backup, "--config", source, "--yes"], at: broker.port)
            #expect(restored.status == 1, "\(restored.error)")
            #expect(restored.error.contains("the state is restored, but the broker may lack"), "\(restored.error)")
            let next = "whereabouts restore '\(backup)' --broker mqtt://127.0.0.1:\(broker.port) "
            #expect(restored.error.contains(next + "--broker-only"), "\(restored.error)")

            // One that answers and refuses does not take it later either.
            let shut = try Broker(
                ["acl_file %d/acl"], files: ["acl": "topic read whereabouts/#\ntopic write whereabouts/replies/#\n"])
            let denied = try run(["restore", backup, "--yes", "--broker-only"], at: shut.port)
            #expect(denied.status == 1 && denied.error.contains("refused a message on"), "\(denied.error)")
            #expect(denied.error.contains("whereabouts acl") && !denied.error.contains("once it answers"))
        }

        @Test("Say after ^C that the state is restored, and how to go on")
        func interrupted() throws {
            let broker = try Broker()
            let relay = try Relay(to: broker.port)
            let folder = try TemporaryFolder(), target = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1, login: nil)
            try add("keys", "Keys", at: broker.port)
            let backup = folder.file("house.backup")
            #expect(try run(["backup", backup, "--config", source], at: broker.port).status == 0)
            relay.delay = 0.3
            let words = ["restore", backup, "--config", target.file("fuser.yaml"), "--yes"]
            let child = try ChildProcess(
                Execution.path(of: "whereabouts"), words + ["--broker", "mqtt://127.0.0.1:\(relay.port)"],
                output: folder.file("output"))
            // The line ends once the state is there, so that the publication waits.
            #expect(waitUntil(30) { FileManager.default.fileExists(atPath: target.file("fuser.yaml")) })
            relay.cut = true
            usleep(300_000)
            child.send(SIGINT)
            #expect(child.wait(atMost: 30) == 1)
            let output = readFile(folder.file("output")) ?? ""
            #expect(
                output.contains("the state is restored, but the broker may lack entries still (interrupted)"),
                "\(output)")
            #expect(output.contains("publish them: whereabouts restore"), "\(output)")
        }

        @Test("Back up and restore by a fuser's own user, under the access list that whereabouts makes")
        func rights() throws {
            let folder = try TemporaryFolder()
            let list = try folder.write(Array("name: main\nmqtt: {url: \"mqtt://b\"}\n".utf8), to: "list.yaml")
            let acl = try BackedHouse.run(["acl", list])
            try #require(acl.status == 0, "\(acl.error)")
            let program = try #require(Execution.find("mosquitto_passwd"))
            let passwords = folder.file("passwords")
            _ = try Execution.run(program, ["-c", "-b", passwords, "fuser-main", "hush"])
            let broker = try Broker(
                ["allow_anonymous false", "acl_file %d/acl", "password_file %d/passwords"],
                files: [
                    "acl": String(decoding: acl.output, as: UTF8.self),
                    "passwords": try String(contentsOfFile: passwords, encoding: .utf8),
                ])
            _ = try folder.write(Array("hush\n".utf8), to: "password")
            try setMode(0o600, of: folder.file("password"))
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1,
                login: ", username: fuser-main, password_file: password")
            let fuser = try RunningProgram("whereabouts-fuser", ["--config", source])
            let add = ["items", "add", "keys", "--ibeacon", "\(Self.uuid),1,1", "--config", source]
            let added = try BackedHouse.run(add)
            #expect(added.status == 0, "\(added.error)")
            let backup = folder.file("house.backup")
            let made = try BackedHouse.run(["backup", backup, "--config", source])
            #expect(made.status == 0 && made.error.contains("of the broker: 1 item"), "\(made.error)")
            let again = try BackedHouse.run(["restore", backup, "--config", source, "--yes", "--broker-only"])
            #expect(again.status == 0 && fuser.isRunning, "\(again.error)")
        }
    }
}
