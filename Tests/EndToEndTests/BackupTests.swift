import Bytes
import Foundation
import Glibc
import Store
import Support
import System
import Testing
import WireProtocol

extension Live {
    /// `whereabouts backup` and `restore`, with the programs as they are built.
    @Suite struct Backups {
        private func run(_ words: [String]) throws -> Execution.Outcome {
            try Execution.run(Execution.path(of: "whereabouts"), words)
        }

        @Test("Move a house while it runs: its history, lessons, items and answers are those of before, elsewhere")
        func move() async throws {
            let flat = try TeachingFlat()
            let first = try flat.startFuser()
            #expect(try await flat.heard("in-hall"), "\(first.errors)")
            for room in ["hall", "kitchen"] {
                let learned = try flat.say(["learn", "in-\(room)", room, "--for", "10s"])
                #expect(learned.status == 0, "\(learned.error)")
            }
            #expect(try flat.say(["items", "add", "bag", "--ibeacon", Self.beacon]).status == 0)
            let backup = flat.deployment.folder.file("house.backup")
            let made = try run(["backup", backup, "--config", flat.fuser])
            #expect(made.status == 0 && first.isRunning, "\(made.error)")
            #expect(made.error.contains("of the broker: ") && made.error.contains("2 lessons"), "\(made.error)")
            let history = try flat.say(["history", "in-hall", "--csv"]).lines
            let lessons = try flat.say(["learn", "--list"]).lines
            let items = try flat.say(["items", "list"]).lines
            #expect(items.contains { $0.contains("bag") } && history.count > 1)

            // Another machine: another folder, another broker, and a fuser that has none of it.
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let file = try TeachingFlat.fuser("main", in: deployment)
            let running = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(
                try await until(20) { try flat.say(["learn", "--list"], to: file).status == 0 }, "\(running.errors)")
            let refused = try run(["restore", backup, "--config", file, "--yes"])
            #expect(
                refused.status == 1 && refused.error.contains("systemctl stop whereabouts-fuser"), "\(refused.error)")
            running.process.terminate()
            #expect(try await running.status(within: 20) == 0)
            let dry = try run(["restore", backup, "--config", file, "--dry-run"])
            #expect(dry.status == 0, "\(dry.error)")
            let words = String(decoding: dry.output, as: UTF8.self)
            #expect(words.contains("2 lessons to publish") && words.contains("stays"), "\(words)")
            let unasked = try run(["restore", backup, "--config", file])
            #expect(unasked.status == 1 && unasked.error.contains("--yes"))
            let restored = try run(["restore", backup, "--config", file, "--yes"])
            #expect(restored.status == 0, "\(restored.error)")
            let again = try run(["restore", backup, "--config", file, "--dry-run"])
            let nothing = "nothing to publish; 6 items, 2 lessons there already"
            #expect(String(decoding: again.output, as: UTF8.self).contains(nothing), "\(again.lines)")

            let second = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(
                try await until(20) { try flat.say(["learn", "--list"], to: file).status == 0 }, "\(second.errors)")
            #expect(second.logged("epoch begins") == 0 && second.logged("corrupt") == 0, "\(second.errors)")
            let begun = history.prefix(2).map { $0.split(separator: ",").prefix(2) }
            let there = try flat.say(["history", "in-hall", "--csv"], to: file).lines
            #expect(there.prefix(2).map { $0.split(separator: ",").prefix(2) } == begun, "\(there)")
            #expect(try flat.say(["learn", "--list"], to: file).lines.prefix(3) == lessons.prefix(3))
            #expect(try flat.say(["items", "list"], to: file).lines == items)
            // Nodes of that house, under the other broker.
            let teaching = Repository.root + "/etc/examples/teaching"
            let agents = try Deployment.nodes.map { node in
                let lines = [
                    "node: \(node)", "source: simulate:\(teaching)/house.yaml", "items: \(teaching)/items.yaml",
                ]
                return try RunningProgram(
                    "whereabouts-agent", ["--config", deployment.file("\(node).yaml", lines)])
            }
            let isThere = try await until(60) {
                String(decoding: try flat.say(["why", "in-kitchen"], to: file).output, as: UTF8.self)
                    .contains("is in Kitchen")
            }
            #expect(isThere && agents.allSatisfy(\.isRunning), "\(second.errors)")
            second.process.terminate()
            #expect(try await second.status(within: 20) == 0)
            // No number of the first one's is used again.
            let one = try StateCopy(
                of: flat.deployment.folder.file("main.sqlite"), draft: flat.deployment.folder.file("draft"))
            let other = try StateStore(
                path: deployment.folder.file("main.sqlite"), holding: .house, at: WallClock.now())
            #expect(one.epoch != other.epoch)
        }

        private static let beacon = "48534442-4c45-4144-80c0-1800fffffff0,9,9"

        @Test("Restore a machine that has nothing, under another name, with its secrets")
        func empty() throws {
            let folder = try TemporaryFolder()
            let port = try Broker.freePort()
            let source = try BackedHouse.make(folder.path + "/", port: port, marker: "new", visits: 10)
            _ = try folder.write(Array("hush\n".utf8), to: "password")
            _ = try folder.write(Array("open sesame\n".utf8), to: "passphrase")
            for name in ["password", "passphrase"] { try setMode(0o600, of: folder.file(name)) }
            let backup = folder.file("house.backup")
            let plain = try run(["backup", backup, "--config", source])
            #expect(plain.status == 0, "\(plain.error)")
            #expect(plain.error.contains("left out: \(folder.file("password"))"), "\(plain.error)")
            #expect(!String(decoding: try Data(contentsOf: URL(filePath: backup)), as: UTF8.self).contains("hush"))
            let attributes = try FileManager.default.attributesOfItem(atPath: backup)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let sealed = ["--with-secrets", "--passphrase-file", folder.file("passphrase")]
            #expect(try run(["backup", backup, "--config", source] + sealed).status == 0)
            #expect(!String(decoding: try Data(contentsOf: URL(filePath: backup)), as: UTF8.self).contains("hush"))

            let target = try TemporaryFolder()
            let file = target.file("fuser.yaml")
            let words = ["restore", backup, "--config", file, "--yes", "--as", "second"]
            let wrong = try run(words + ["--passphrase-file", target.write(Array("other\n".utf8), to: "other")])
            #expect(wrong.status == 1, "\(wrong.error)")
            let restored = try run(words + ["--passphrase-file", folder.file("passphrase")])
            #expect(restored.status == 0, "\(restored.error)")
            #expect(readFile(target.file("password")) == "hush\n")
            #expect(readFile(file)?.contains("name: second\n") == true)
            // As `setup` writes it: for its owner, and for the services where their group is known.
            #expect(try mode(of: file) == (getgrnam("whereabouts") == nil ? 0o600 : 0o640))
            let store = try StateStore(path: target.file("fuser.sqlite"), holding: .house, at: WallClock.now())
            #expect(try store.settings() == ["marker": "new"])
            #expect(try store.visits(of: "keys", limit: 100).count == 10)
        }

        @Test("Back a gateway up without its broker, and keep its newest")
        func gateway() throws {
            let folder = try TemporaryFolder()
            let text =
                "node: hall\nsource: \"hci:auto\"\nstate: agent.sqlite\n"
                + "mqtt: {url: \"mqtt://127.0.0.1:\(try Broker.freePort())\"}\n"
            let agent = try folder.write(Array(text.utf8), to: "agent.yaml")
            do { _ = try StateStore(path: folder.file("agent.sqlite"), at: WallClock.now()) }
            let backups = try TemporaryFolder()
            _ = try backups.write([], to: "whereabouts-20250101-010000.backup")
            let made = try run(["backup", backups.path, "--config", agent, "--keep", "1"])
            #expect(made.status == 0 && !made.error.contains("broker"), "\(made.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path).count == 1)
            let asked = try run(
                ["backup", backups.path, "--config", agent, "--broker", "mqtt://127.0.0.1:\(try Broker.freePort())"])
            #expect(asked.status == 1, "\(asked.error)")
        }

        @Test("Restore the fuser and the agent of one machine, and keep configurations that are there")
        func both() throws {
            let folder = try TemporaryFolder()
            let port = try Broker.freePort()
            let fuser = try BackedHouse.make(folder.path + "/", port: port, marker: "new", visits: 3)
            let text =
                "node: hall\nsource: \"hci:auto\"\nstate: agent.sqlite\nmqtt: {url: \"mqtt://127.0.0.1:\(port)\"}\n"
            let agent = try folder.write(Array(text.utf8), to: "agent.yaml")
            do {
                let store = try StateStore(path: folder.file("agent.sqlite"), at: WallClock.now())
                _ = store.transaction(at: WallClock.now()) { $0.set(.setting(key: "marker", value: "node")) }
            }
            let backup = folder.file("both.backup")
            let made = try run(["backup", backup, "--config", fuser, "--config", agent])
            #expect(made.status == 0, "\(made.error)")
            let target = try TemporaryFolder()
            let own = try target.write(Array((text + "# mine\n").utf8), to: "agent.yaml")
            let words = ["restore", backup, "--yes", "--config", own, "--config", target.file("fuser.yaml")]
            #expect(try run(words + ["--as", "other"]).status == 1)
            let restored = try run(words)
            #expect(restored.status == 0, "\(restored.error)")
            #expect(readFile(own)?.hasSuffix("# mine\n") == true)
            let node = try StateStore(path: target.file("agent.sqlite"), at: WallClock.now())
            #expect(try node.settings()["marker"] == "node")
            let house = try StateStore(path: target.file("fuser.sqlite"), holding: .house, at: WallClock.now())
            #expect(try house.settings()["marker"] == "new" && house.settings()["names"] != nil)
            let replaced = try run(words + ["--replace-configuration"])
            #expect(
                replaced.status == 1 && replaced.error.contains("systemctl stop whereabouts-fuser"), "\(replaced.error)"
            )
            #expect(readFile(own)?.hasSuffix("# mine\n") == true)
        }

        @Test("Restore twice and lose nothing: files of before are kept each time, with their modes")
        func twice() throws {
            let folder = try TemporaryFolder()
            let port = try Broker.freePort()
            let source = try BackedHouse.make(folder.path + "/", port: port, marker: "new", visits: 1)
            let backup = folder.file("house.backup")
            #expect(try run(["backup", backup, "--config", source]).status == 0)
            let target = try TemporaryFolder()
            let config = try BackedHouse.make(target.path + "/", port: port, marker: "first", visits: 1)
            let words = ["restore", backup, "--config", config, "--yes", "--replace-configuration"]
            for round in ["first", "second"] {
                try write("# \(round)\n" + (readFile(config) ?? ""), to: config)
                try setMode(0o600, of: config)
                let restored = try run(words)
                #expect(restored.status == 0, "\(restored.error)")
                #expect(try mode(of: config) == 0o600)
                let store = try StateStore(path: target.file("fuser.sqlite"), holding: .house, at: WallClock.now())
                _ = store.transaction(at: WallClock.now()) { $0.set(.setting(key: "marker", value: "second")) }
            }
            for (end, round) in [("", "first"), ("-2", "second")] {
                let kept = "\(config).before-restore\(end)"
                #expect(readFile(kept)?.hasPrefix("# \(round)\n") == true)
                #expect(try mode(of: kept) == 0o600)
                let state = target.file("fuser.sqlite.before-restore\(end)")
                let store = try StateStore(path: state, holding: .house, at: WallClock.now())
                #expect(try store.settings()["marker"] == round)
            }
        }

        @Test("Publish what the broker lacks later, while the programs run")
        func brokerOnly() async throws {
            let flat = try TeachingFlat()
            let first = try flat.startFuser()
            #expect(try await flat.heard("in-hall"))
            // Both fusers have the same items from their files.
            let common = try flat.say(["items", "list"]).lines.count
            #expect(try flat.say(["items", "add", "bag", "--ibeacon", Self.beacon]).status == 0)
            let backup = flat.deployment.folder.file("house.backup")
            #expect(try run(["backup", backup, "--config", flat.fuser]).status == 0 && first.isRunning)
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let file = try TeachingFlat.fuser("main", in: deployment)
            let running = try RunningProgram("whereabouts-fuser", ["--config", file])
            #expect(
                try await until(20) { try flat.say(["items", "list"], to: file).lines.count == common },
                "\(running.errors)")
            let published = try run(["restore", backup, "--config", file, "--yes", "--broker-only"])
            #expect(published.status == 0, "\(published.error)")
            let words = String(decoding: published.output, as: UTF8.self)
            #expect(words.contains("1 item to publish") && !words.contains("fuser.yaml"), "\(words)")
            #expect(try flat.say(["items", "list"], to: file).lines.contains { $0.contains("bag") })
            #expect(running.isRunning)
        }

        @Test("Say what a backup and a restoration lack, in the words of the one who makes it")
        func lacks() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 2000)
            let nowhere = try run(["backup", folder.file("none/house.backup"), "--config", source])
            #expect(nowhere.status == 1 && nowhere.error.contains("there is no folder"), "\(nowhere.error)")
            let backup = folder.file("house.backup")
            #expect(try run(["backup", backup, "--config", source]).status == 0)

            // A disk that is full: files of at most 20 KB.
            func full(_ words: [String]) throws -> Execution.Outcome {
                let program = Execution.path(of: "whereabouts")
                return try Execution.run(
                    "/bin/bash", ["-c", "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$@\"", program] + words)
            }
            let other = try full(["backup", folder.file("other.backup"), "--config", source])
            #expect(other.status == 1 && other.error.contains("make room there"), "\(other.error)")
            let target = try TemporaryFolder()
            let there = try full(["restore", backup, "--config", target.file("fuser.yaml"), "--yes"])
            #expect(there.status == 1 && there.error.contains("nothing was changed"), "\(there.error)")
            let left = try FileManager.default.contentsOfDirectory(atPath: target.path)
            #expect(left.allSatisfy { $0 == "fuser.sqlite.lock" }, "\(left)")

            // A state that is not there is no reason to remove the backups that have one.
            let backups = try TemporaryFolder()
            for hour in ["01", "02"] { _ = try backups.write([], to: "whereabouts-20250101-\(hour)0000.backup") }
            try FileManager.default.removeItem(atPath: folder.file("fuser.sqlite"))
            let without = try run(["backup", backups.path, "--config", source, "--keep", "1"])
            #expect(without.status == 1 && without.error.contains("its disk is not mounted"), "\(without.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path).count == 3)

            let endless = try run(["restore", "/dev/zero", "--config", source, "--dry-run"])
            #expect(endless.status == 1 && endless.error.contains("is no backup of Whereabouts"), "\(endless.error)")
        }

        @Test("Keep the newest of a folder, and say what is wrong with another file")
        func folder() throws {
            let folder = try TemporaryFolder()
            let broker = try Broker()
            let source = try BackedHouse.make(folder.path + "/", port: broker.port, marker: "new", visits: 1)
            _ = try folder.write(Array("hush\n".utf8), to: "password")
            try setMode(0o600, of: folder.file("password"))
            let backups = try TemporaryFolder()
            for hour in ["01", "02", "03"] { _ = try backups.write([], to: "whereabouts-20250101-\(hour)0000.backup") }
            // No backups of ours, however they sort.
            let others = ["whereabouts-20240101-01000x.backup", "whereabouts-notes-of-2024.backup"]
            for name in others { _ = try backups.write([], to: name) }
            // What killed ones left goes an hour later, and no copy that somebody made.
            let copy = "whereabouts-20250101-030000.backup.20250102"
            for name in [
                "whereabouts-20250101-030000.backup.0123abcd.whereabouts-draft",
                "whereabouts-20250101-030000.backup.0123abcd.whereabouts-copy", copy,
            ] {
                let path = try backups.write([], to: name)
                let past = Date(timeIntervalSinceNow: -4000)
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
            }
            let made = try run(["backup", backups.path, "--config", source, "--keep", "2"])
            #expect(made.status == 0, "\(made.error)")
            let names = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
            #expect(names.count == 5 && (others + [copy]).allSatisfy(names.contains), "\(names)")
            #expect(names.contains("whereabouts-20250101-030000.backup"), "\(names)")
            let written = try #require(made.lines.first?.split(separator: ":").first.map(String.init))
            let foreign = try run(["restore", source, "--dry-run"])
            #expect(foreign.status == 1 && foreign.error.contains("is no backup of Whereabouts"))
            let bytes = Array(try Data(contentsOf: URL(filePath: written)))
            let cut = try run(["restore", try backups.write(Array(bytes.dropLast()), to: "cut"), "--dry-run"])
            #expect(cut.status == 1 && cut.error.contains("is truncated or damaged"), "\(cut.error)")
            #expect(try run(["backup", source, "--config", source, "--keep", "2"]).status == 2)
        }

        @Test("Leave a whole backup or none, and the old or the new state, over kills in the middle")
        func kills() throws {
            let count = Live.isFull ? 100 : 20
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 20_000)
            let backup = folder.file("house.backup")
            let clock = ContinuousClock()
            let long = try clock.measure { _ = try run(["backup", backup, "--config", source]) }
            var random = SeededGenerator(seed: 9)
            func kill(_ words: [String], after time: Duration) throws {
                let share = Double.random(in: 0...1.1, using: &random)
                let child = try ChildProcess(Execution.path(of: "whereabouts"), words)
                usleep(UInt32(max(0, (time * share).microseconds)))
                child.send(SIGKILL)
                child.wait()
            }
            var made = 0
            for round in 1...count {
                let path = folder.file("\(round).backup")
                try kill(["backup", path, "--config", source], after: long)
                guard FileManager.default.fileExists(atPath: path) else { continue }
                made += 1
                let file = try BackupFileCheck.isWhole(path)
                #expect(file, "round \(round)")
            }
            print("\(count) kills of a backup (\(long)): \(made) were whole, \(count - made) were none")

            let target = try TemporaryFolder()
            let config = try BackedHouse.make(
                target.path + "/", port: try Broker.freePort(), marker: "old", visits: 20_000)
            let state = target.file("fuser.sqlite")
            // As a kill leaves it: a part of it is in the log alone.
            var old: [String: Data] = [:]
            do {
                let store = try StateStore(path: state, holding: .house, at: WallClock.now())
                _ = store.transaction(at: WallClock.now()) { $0.set(.setting(key: "logged", value: "old")) }
                for end in ["", "-wal"] { old[end] = try Data(contentsOf: URL(filePath: state + end)) }
            }
            #expect((old["-wal"]?.count ?? 0) > 4096)
            let words = ["restore", backup, "--config", config, "--yes"]
            var outcome: Execution.Outcome?
            let whole = try clock.measure { outcome = try run(words) }
            #expect(outcome?.status == 0, "\(outcome?.error ?? "")")
            var markers: [String: Int] = [:]
            for round in 1...count {
                try? FileManager.default.removeItem(atPath: state + ".lock")
                for (end, bytes) in old { try bytes.write(to: URL(filePath: state + end)) }
                try kill(words, after: whole)
                let store = try StateStore(path: state, holding: .house, at: WallClock.now())
                #expect(store.opening.setAside == nil && !store.opening.isNew, "round \(round)")
                let marker = try store.settings()["marker"] ?? "none"
                markers[marker, default: 0] += 1
                #expect(["old", "new"].contains(marker), "round \(round)")
                #expect(try store.settings()["logged"] == (marker == "old" ? "old" : nil), "round \(round)")
                #expect(try store.visits(of: "keys", limit: 10_000).count == 10_000, "round \(round)")
                try store.close(at: WallClock.now())
                #expect(!FileManager.default.fileExists(atPath: state + ".restoring"))
            }
            print("\(count) kills of a restoration (\(whole)): \(markers)")
        }
    }
}

/// Checks a backup by its last line alone.
private enum BackupFileCheck {
    static func isWhole(_ path: String) throws -> Bool {
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let process = try Execution.run("/usr/bin/sha256sum", [], input: Array(bytes.dropLast(65)))
        return String(decoding: process.output.prefix(64), as: UTF8.self)
            == String(decoding: bytes.suffix(65).dropLast(), as: UTF8.self)
    }
}
