import Bytes
import Foundation
import Glibc
import Store
import Support
import System
import Testing

extension Live {
    /// The file that `whereabouts backup` writes, and those that it must leave alone.
    @Suite struct BackupFiles {
        @Test("Refuse to replace what is no backup: a file that is backed up, another one, a device, a pipe")
        func refuses() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 1, login: nil)
            let notes = try folder.write(Array("my notes\n".utf8), to: "notes")
            let pipe = folder.file("pipe"), dangling = folder.file("dangling")
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(symlink(folder.file("nothing"), dangling) == 0)
            func expectRefusal(_ path: String, _ words: String) throws {
                let refused = try BackedHouse.run(["backup", path, "--config", source])
                #expect(refused.status == 1 && refused.error.contains(words), "\(path): \(refused.error)")
            }
            for path in [source, notes, folder.file("fuser.sqlite")] {
                let before = readFile(path)
                try expectRefusal(path, "is no backup of Whereabouts")
                #expect(readFile(path) == before)
            }
            for path in ["/dev/null", pipe] { try expectRefusal(path, "is no regular file") }
            try expectRefusal(dangling, "is a link to nothing")
            // The place of a state that is missing is no place for a backup.
            try FileManager.default.removeItem(atPath: folder.file("fuser.sqlite"))
            try expectRefusal(folder.file("fuser.sqlite"), "is one of the files that are backed up")
            #expect(!FileManager.default.fileExists(atPath: folder.file("fuser.sqlite")))
        }

        @Test("Give each of two backups of one second in one folder a name of its own")
        func names() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 1, login: nil)
            let backups = try TemporaryFolder()
            let program = Execution.path(of: "whereabouts")
            let both = try Execution.run(
                "/bin/bash",
                [
                    "-c", "for i in 1 2 3; do \"$0\" backup \"$1\" --config \"$2\" & done; wait", program, backups.path,
                    source,
                ])
            #expect(both.lines.count == 3, "\(both.error)")
            let names = try FileManager.default.contentsOfDirectory(atPath: backups.path)
            #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix(".backup") }, "\(names)")
        }

        @Test("Fail with the reason where a state or a folder of keys can't be looked at")
        func unreadable() throws {
            let folder = try TemporaryFolder()
            let text =
                "node: hall\nsource: \"hci:auto\"\nkeys: keys\nstate: agent.sqlite\n"
                + "mqtt: {url: \"mqtt://127.0.0.1:\(try Broker.freePort())\"}\n"
            let source = try folder.write(Array(text.utf8), to: "agent.yaml")
            // Root may read each folder, and follows no link to itself.
            #expect(symlink("agent.sqlite", folder.file("agent.sqlite")) == 0)
            let backup = ["backup", folder.file("house.backup"), "--config", source]
            let stateless = try BackedHouse.run(backup)
            #expect(stateless.status == 1 && !stateless.error.contains("there is no"), "\(stateless.error)")
            #expect(stateless.error.contains(folder.file("agent.sqlite")), "\(stateless.error)")

            try FileManager.default.removeItem(atPath: folder.file("agent.sqlite"))
            do { _ = try StateStore(path: folder.file("agent.sqlite"), at: WallClock.now()) }
            #expect(symlink("keys", folder.file("keys")) == 0)
            _ = try folder.write(Array("open sesame\n".utf8), to: "passphrase")
            try setMode(0o600, of: folder.file("passphrase"))
            let sealed = ["--with-secrets", "--passphrase-file", folder.file("passphrase")]
            let keyless = try BackedHouse.run(backup + sealed)
            #expect(keyless.status == 1, "\(keyless.error)")
            let words = "\(folder.file("keys"))/ (keys): Too many levels of symbolic links"
            #expect(keyless.error.contains(words), "\(keyless.error)")
        }

        @Test("Keep a backup over one that lacks a file, and say at a restoration what its backup lacks")
        func lacking() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 1, login: nil)
            let text = (readFile(source) ?? "") + "items: items.yaml\n"
            let items = try folder.write(
                Array("- {id: keys, ibeacon: 48534442-4c45-4144-80c0-1800fffffff0}\n".utf8), to: "items.yaml")
            _ = try folder.write(Array(text.utf8), to: "fuser.yaml")
            let backup = folder.file("house.backup"), other = folder.file("other.backup")
            #expect(try BackedHouse.run(["backup", backup, "--config", source]).status == 0)
            let whole = try Data(contentsOf: URL(filePath: backup))
            try FileManager.default.removeItem(atPath: items)
            let lesser = try BackedHouse.run(["backup", backup, "--config", source])
            #expect(lesser.status == 1 && lesser.error.contains("was not replaced"), "\(lesser.error)")
            #expect(try Data(contentsOf: URL(filePath: backup)) == whole)
            let new = try BackedHouse.run(["backup", other, "--config", source])
            #expect(new.status == 1 && !new.error.contains("No earlier backup"), "\(new.error)")
            let target = try TemporaryFolder()
            let shown = try BackedHouse.run(["restore", other, "--config", target.file("fuser.yaml"), "--dry-run"])
            let words = String(decoding: shown.output, as: UTF8.self)
            #expect(words.contains("items.yaml (items)") && words.contains("it is not in the backup"), "\(words)")
            let misplaced = try BackedHouse.run(["restore", backup, "--config", target.file("agent.yaml"), "--yes"])
            #expect(
                misplaced.status == 1 && misplaced.error.contains("named after another program"), "\(misplaced.error)")
        }

        @Test("Follow a link to a backup, and keep a backup with a state over one without")
        func replaces() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 1, login: nil)
            let backup = folder.file("house.backup"), link = folder.file("link")
            #expect(try BackedHouse.run(["backup", backup, "--config", source]).status == 0)
            #expect(symlink(backup, link) == 0)
            let first = readFile(backup)
            #expect(try BackedHouse.run(["backup", link, "--config", source]).status == 0)
            let second = readFile(backup)
            #expect(first != second)
            let attributes = try FileManager.default.attributesOfItem(atPath: link)
            #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)

            try FileManager.default.removeItem(atPath: folder.file("fuser.sqlite"))
            let without = try BackedHouse.run(["backup", backup, "--config", source])
            #expect(without.status == 1 && without.error.contains("was not replaced"), "\(without.error)")
            #expect(readFile(backup) == second)
        }

        @Test("Write the rest where a file that the configuration names can't be read, end with 1, and remove nothing")
        func unread() throws {
            let broker = try Broker()
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: broker.port, marker: "new", visits: 1, login: nil, lines: ["items: items.yaml"]
            )
            let backups = try TemporaryFolder()
            _ = try backups.write([], to: "whereabouts-20250101-010000.backup")
            let words = ["backup", backups.path, "--config", source, "--keep", "1"]
            let lacking = try BackedHouse.run(words)
            #expect(lacking.status == 1 && lacking.error.contains("the backup lacks"), "\(lacking.error)")
            #expect(lacking.error.contains("items.yaml (items): No such file"), "\(lacking.error)")
            let names = { try FileManager.default.contentsOfDirectory(atPath: backups.path) }
            #expect(try names().count == 2)
            _ = try folder.write(Array("[]\n".utf8), to: "items.yaml")
            // A backup that sorts before others, as after a clock that was ahead, is not removed when it was just written.
            _ = try backups.write([], to: "whereabouts-20990101-010000.backup")
            let whole = try BackedHouse.run(words)
            #expect(whole.status == 0, "\(whole.error)")
            let written = try #require(whole.lines.first?.split(separator: ":").first)
            #expect(try names().map { backups.file($0) } == [String(written)])
        }

        @Test("Say of a state that is a pipe that it is none, and of a passphrase that is a device likewise")
        func pipes() throws {
            let folder = try TemporaryFolder()
            let source = try BackedHouse.make(
                folder.path + "/", port: try Broker.freePort(), marker: "new", visits: 1, login: nil)
            let backup = folder.file("house.backup")
            let sealed = ["--with-secrets", "--passphrase-file", "/dev/zero"]
            let device = try BackedHouse.run(["backup", backup, "--config", source] + sealed)
            #expect(device.status == 1 && device.error.contains("is not a regular file"), "\(device.error)")
            #expect(!device.error.contains("chmod"), "\(device.error)")
            try FileManager.default.removeItem(atPath: folder.file("fuser.sqlite"))
            #expect(mkfifo(folder.file("fuser.sqlite"), 0o600) == 0)
            let pipe = try BackedHouse.run(["backup", backup, "--config", source])
            #expect(pipe.status == 1 && pipe.error.contains("it is not a plain file"), "\(pipe.error)")
        }
    }
}
