import BrokerSession
import Bytes
import Foundation
import Support
import Testing

@testable import Operator

@Suite("What a restoration writes") struct RestorePlanTests {
    private static let mqtt = "mqtt: {url: \"mqtt://127.0.0.1:1\"}\n"

    /// A backup of a fuser and an agent with an items file each.
    private func backup(
        fuser: String = "name: main\nitems: items.yaml\n", items: [String] = ["[]\n", "[]\n"]
    ) -> BackupFile {
        var file = BackupFile(BackupManifest(version: "1.2.3", at: Timestamp(microseconds: 0)))
        file.manifest.names = [.fuser: "main", .agent: "hall"]
        let agent = "node: hall\nsource: \"hci:auto\"\nitems: items.yaml\n"
        for (kind, text, items) in [(BackupManifest.Program.fuser, fuser, items[0]), (.agent, agent, items[1])] {
            file.add(
                BackupManifest.Part(kind: .configuration, program: kind, place: "/x/\(kind).yaml"),
                Array((text + Self.mqtt).utf8))
            file.add(BackupManifest.Part(kind: .file, program: kind, place: "items.yaml"), Array(items.utf8))
        }
        return file
    }

    private func wishes(
        _ folder: TemporaryFolder, _ names: [String], as name: String? = nil, replacing: Bool = false
    ) -> RestorePlan.Wishes {
        RestorePlan.Wishes(
            configurations: names.map(folder.file), name: name, replacesConfiguration: replacing, passphrase: nil,
            environment: [:])
    }

    @Test("Write a file that both programs share once, and refuse two that differ")
    func shared() throws {
        let folder = try TemporaryFolder()
        let both = wishes(folder, ["fuser.yaml", "agent.yaml"])
        let plan = try RestorePlan(backup(), both)
        let names = plan.files.map { $0.path.split(separator: "/").last ?? "" }
        #expect(names == ["items.yaml", "fuser.yaml", "agent.yaml"])
        let fault = #expect(throws: ProgramFault.self) { try RestorePlan(backup(items: ["[]\n", "[ ]\n"]), both) }
        #expect(fault?.description.contains("two files of the backup belong at") == true)
    }

    @Test("Restore the one program that is named, under another name, and say that the other is left out")
    func one() throws {
        let folder = try TemporaryFolder()
        let plan = try RestorePlan(backup(), wishes(folder, ["fuser.yaml"], as: "second"))
        #expect(plan.programs.map(\.name) == ["second"] && plan.files.count == 2)
        #expect(plan.preview.contains("left out: the agent hall, for which no --config is given"), "\(plan.preview)")
        let both = wishes(folder, ["fuser.yaml", "agent.yaml"], as: "second")
        let fault = #expect(throws: ProgramFault.self) { try RestorePlan(backup(), both) }
        #expect(fault?.description.contains("--as names one program") == true)
    }

    @Test("Overwrite no file that came after the preview, unless files are replaced: then it is kept")
    func appeared() throws {
        for isReplacing in [false, true] {
            let folder = try TemporaryFolder()
            let plan = try RestorePlan(backup(), wishes(folder, ["fuser.yaml"], replacing: isReplacing))
            let items = try folder.write(Array("# new\n".utf8), to: "items.yaml")
            let notes = try plan.commit([])
            #expect(readFile(items) == (isReplacing ? "[]\n" : "# new\n"))
            #expect(readFile(items + ".before-restore") == (isReplacing ? "# new\n" : nil))
            #expect(notes == (isReplacing ? [] : ["\(items) came meanwhile, is another one, and stays"]))
            #expect(readFile(folder.file("fuser.yaml"))?.contains("name: main") == true)
        }
    }

    @Test("Replace and keep a configuration that names no broker, as a package installs it")
    func unconfigured() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Array("# A fuser.\nname: main\n#mqtt: {url: \"mqtt://x\"}\n".utf8), to: "fuser.yaml")
        let plan = try RestorePlan(backup(), wishes(folder, ["fuser.yaml"]))
        #expect(try plan.commit([]).isEmpty)
        #expect(readFile(path)?.contains(Self.mqtt) == true)
        #expect(readFile(path + ".before-restore")?.hasPrefix("# A fuser.") == true)
    }

    @Test(
        "Rename a program in its configuration, however the name is written",
        arguments: [
            ("# house\nname: main\nrooms: []\n", "# house\nname: second\nrooms: []\n"),
            ("mqtt: {}\n", "mqtt: {}\nname: second\n"),
            ("---\n\"name\": 'main' # it\n", "---\n\"name\": second # it\n"),
            ("\u{FEFF}name: main\n", "name: second\n"),
        ])
    func rename(_ text: String, _ renamed: String) throws {
        let bytes = try RestorePlan.rename(Array(text.utf8), "name", to: "second", at: "/x/fuser.yaml")
        #expect(String(decoding: bytes, as: UTF8.self) == renamed)
    }

    @Test("Ask for a line with the name where it can't be changed")
    func unnamable() {
        let fault = #expect(throws: ProgramFault.self) {
            try RestorePlan.rename(Array("{name: main, mqtt: {}}\n".utf8), "name", to: "second", at: "/x/fuser.yaml")
        }
        #expect(fault?.description.contains("with a line `name: second`, at /x/fuser.yaml") == true)
    }

    @Test("Refuse a state of a newer version, with the version to install")
    func newerState() throws {
        let folder = try TemporaryFolder()
        var file = BackupFile(BackupManifest(version: "9.8.7", at: Timestamp(microseconds: 0)))
        file.manifest.names = [.fuser: "main"]
        var state = BackupManifest.Part(kind: .state, program: .fuser, place: "fuser.sqlite")
        state.schema = 999
        file.add(state, [1])
        let text = "name: main\nstate: fuser.sqlite\n" + Self.mqtt
        file.add(BackupManifest.Part(kind: .configuration, program: .fuser, place: "/x/fuser.yaml"), Array(text.utf8))
        let fault = #expect(throws: ProgramFault.self) { try RestorePlan(file, wishes(folder, ["fuser.yaml"])) }
        #expect(fault?.description.contains("install version 9.8.7 or a newer one") == true)
    }
}
