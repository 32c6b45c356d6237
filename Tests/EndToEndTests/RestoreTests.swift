import Foundation
import Glibc
import Store
import Support
import System
import Testing
import WireProtocol

extension Live {
    /// Where `whereabouts restore` writes, and what it says before.
    @Suite struct Restorations {
        /// A backup of a fuser whose state is in a folder of its own.
        private func makeBackup(_ folder: TemporaryFolder, at port: UInt16? = nil) throws -> String {
            mkdir(folder.file("data"), 0o755)
            let source = try BackedHouse.make(
                folder.path + "/", port: try port ?? Broker.freePort(), marker: "new", visits: 1, login: nil,
                state: "data/fuser.sqlite")
            let backup = folder.file("house.backup")
            #expect(try BackedHouse.run(["backup", backup, "--config", source]).status == 0)
            return backup
        }

        private func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }

        @Test("Make the folders that are missing, with modes for what is in them")
        func folders() throws {
            let folder = try TemporaryFolder(), target = try TemporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: target.file("etc")) }
            let backup = try makeBackup(folder)
            let file = target.file("etc/whereabouts/fuser.yaml")
            let dry = try BackedHouse.run(["restore", backup, "--config", file, "--dry-run"])
            let words = String(decoding: dry.output, as: UTF8.self)
            #expect(dry.status == 0 && words.contains("etc/whereabouts: is a folder that is made"), "\(words)")
            #expect(try names(target.path).isEmpty)
            let restored = try BackedHouse.run(["restore", backup, "--config", file, "--yes"])
            #expect(restored.status == 0, "\(restored.error)")
            #expect(try mode(of: target.file("etc/whereabouts")) == 0o755)
            #expect(try mode(of: target.file("etc/whereabouts/data")) == 0o750)
            let state = target.file("etc/whereabouts/data/fuser.sqlite")
            let store = try StateStore(path: state, holding: .house, at: WallClock.now())
            #expect(try store.settings()["marker"] == "new")
        }

        @Test("Find before anything is changed what stands where a file is to be")
        func obstacles() throws {
            let folder = try TemporaryFolder()
            let backup = try makeBackup(folder)
            let obstacles: [(name: String, words: String, put: (String) -> Void)] = [
                ("fuser.yaml", "is no regular file", { mkdir($0, 0o755) }),
                ("fuser.yaml", "is a link to nothing", { symlink("/nothing", $0) }),
                ("data/fuser.sqlite", "is no regular file", { mkfifo($0, 0o600) }),
                ("data/fuser.sqlite", "is no regular file", { symlink("/nothing", $0) }),
            ]
            for (name, words, put) in obstacles {
                let target = try TemporaryFolder()
                defer { try? FileManager.default.removeItem(atPath: target.path) }
                mkdir(target.file("data"), 0o755)
                put(target.file(name))
                let before = try names(target.path) + names(target.file("data"))
                let restored = try BackedHouse.run(["restore", backup, "--config", target.file("fuser.yaml"), "--yes"])
                #expect(restored.status == 1 && restored.error.contains(words), "\(name): \(restored.error)")
                #expect(restored.output.isEmpty)
                #expect(try names(target.path) + names(target.file("data")) == before)
            }
            let target = try TemporaryFolder()
            _ = try target.write([], to: "etc")
            let below = try BackedHouse.run([
                "restore", backup, "--config", target.file("etc/a/fuser.yaml"), "--dry-run",
            ])
            #expect(below.status == 1 && below.error.contains("etc is no folder"), "\(below.error)")
        }

        @Test("Replace the file behind a link, and keep it beside that")
        func links() throws {
            let folder = try TemporaryFolder(), target = try TemporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: target.path) }
            let backup = try makeBackup(folder)
            mkdir(target.file("data"), 0o755)
            mkdir(target.file("shared"), 0o755)
            let own = target.file("shared/own.yaml"), link = target.file("fuser.yaml")
            let text = (readFile(folder.file("fuser.yaml")) ?? "") + "# mine\n"
            try write(text, to: own)
            #expect(symlink(own, link) == 0)
            // A name that is taken by a link to nothing is taken.
            #expect(symlink("/nothing", own + ".before-restore") == 0)
            _ = try BackedHouse.run(["restore", backup, "--config", link, "--yes", "--replace-configuration"])
            #expect(readFile(own) == readFile(folder.file("fuser.yaml")))
            #expect(readFile(own + ".before-restore-2") == text)
            let attributes = try FileManager.default.attributesOfItem(atPath: link)
            #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
        }

        @Test("Say in text and JSON that a program runs, and refuse with the command that stops it")
        func inUse() throws {
            let folder = try TemporaryFolder()
            let backup = try makeBackup(folder)
            let config = folder.file("fuser.yaml")
            let words = ["restore", backup, "--config", config]
            do {
                let store = try StateStore(
                    path: folder.file("data/fuser.sqlite"), holding: .house, at: WallClock.now())
                let json = try BackedHouse.run(words + ["--dry-run", "--json"])
                #expect(String(decoding: json.output, as: UTF8.self).contains(#""in_use":true"#), "\(json.lines)")
                let dry = try BackedHouse.run(words + ["--dry-run"])
                let text = String(decoding: dry.output, as: UTF8.self)
                #expect(text.contains("stop it first, sudo systemctl stop whereabouts-fuser"), "\(text)")
                let refused = try BackedHouse.run(words + ["--yes"])
                #expect(refused.status == 1 && !refused.error.contains("end process"), "\(refused.error)")
                #expect(refused.error.contains("sudo systemctl stop whereabouts-fuser; nothing was changed"))
                #expect(!(try names(folder.file("data")).contains { $0.hasSuffix(".restoring") }))
                try store.close(at: WallClock.now())
            }
            let json = try BackedHouse.run(words + ["--dry-run", "--json"])
            #expect(String(decoding: json.output, as: UTF8.self).contains(#""in_use":false"#), "\(json.lines)")
            let program = Execution.path(of: "whereabouts")
            let full = try Execution.run(
                "/bin/bash", ["-c", "exec \"$0\" \"$@\" >/dev/full", program] + words + ["--dry-run"])
            #expect(full.status == 1 && full.error.contains("standard output: "), "\(full.error)")
        }

        @Test("Refuse a wrong --broker, and --broker-only beside what changes files, before anything is changed")
        func usage() throws {
            let folder = try TemporaryFolder(), target = try TemporaryFolder()
            let backup = try makeBackup(folder)
            let words = ["restore", backup, "--config", target.file("fuser.yaml"), "--yes"]
            for more in [
                ["--broker", "http://nowhere"], ["--broker-only", "--as", "other"],
                ["--broker-only", "--replace-configuration"],
            ] {
                let refused = try BackedHouse.run(words + more)
                #expect(refused.status == 2, "\(more): \(refused.error)")
                #expect(try names(target.path).isEmpty)
            }
            #expect(
                try BackedHouse.run(["backup", backup, "--config", folder.file("fuser.yaml"), "--broker", "x:y"]).status
                    == 2)
            let nothing = try BackedHouse.run(words + ["--broker-only"])
            #expect(nothing.status == 1 && nothing.error.contains("holds nothing of the broker"), "\(nothing.error)")
        }
    }
}
