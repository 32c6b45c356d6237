internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import System

/// `whereabouts revoke`: withdraws the credentials made by `enroll`.
enum RevokeCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts revoke", summary: "Revoke the certificates and passwords of a node, a fuser or a user.",
        positionals: .init("NAME", 1...10_000, help: "a gateway's id, fuser-NAME, or a user"),
        options: [
            CommandOption("--former", help: "only those before the latest, as after --renew"),
            CommandOption("--json", help: "print an object a line: name, certificates, passwords"),
        ] + EnrollCommand.folderOptions,
        example: "whereabouts revoke kitchen")

    /// Runs it with the words after its name, and returns the exit status. Nothing is revoked if a name is unknown.
    static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            let folder = FleetFolder(path: arguments.text("--fleet") ?? "fleet")
            let isFormer = arguments.has("--former")
            var authority: FleetAuthority?
            if PrivateFiles.exists(folder.certificate) {
                authority = try FleetAuthority.open(folder, passphrase: EnrollCommand.passphrase(arguments))
            }
            var lines = try folder.passwordLines()
            try checkNames(arguments.positionals, authority, lines, folder)
            let now = WallClock.now()
            var output = StandardOutput()
            for name in arguments.positionals {
                let count = authority?.revoke(name, keepingLatest: isFormer, at: now) ?? 0
                let had = lines.count
                if !isFormer { lines.removeAll { FleetFolder.isLine($0, of: name) } }
                let withdrawn = had - lines.count
                output.line(
                    arguments.has("--json")
                        ? JSONLine.text { json in
                            json.field("name", name)
                            json.field("certificates", count)
                            json.field("passwords", withdrawn)
                        } : "revoked  \(name)  \(count) certificates, \(withdrawn) passwords")
            }
            if PrivateFiles.exists(folder.passwords) { try folder.writePasswords(lines) }
            try authority?.save(at: now)
            var remark = StandardOutput(descriptor: 2)
            for name in isFormer ? [] : arguments.positionals {
                guard let place = try folder.retire(name) else { continue }
                remark.line("\(name)'s folder, with what was mended in it, is \(place) now")
            }
            remark.line(
                "now carry \(authority == nil ? folder.passwords : folder.list) and a new acl to the broker, and restart it"
            )
            remark.flush()
            return Program.finishOutput(&output)
        }
    }

    private static func checkNames(
        _ names: [String], _ authority: FleetAuthority?, _ lines: [String], _ folder: FleetFolder
    ) throws {
        let known =
            (authority?.book.entries.filter { $0.revoked == nil }.map(\.name) ?? [])
            + lines.compactMap { $0.split(separator: ":").first.map(String.init) }
        guard !known.isEmpty else { throw ProgramFault("nobody is enrolled in \(folder.path)") }
        for name in names where !known.contains(name) {
            let hint = Spelling.question(name, among: known)
            throw ProgramFault("'\(name)' isn't enrolled in \(folder.path), or revoked already\(hint)")
        }
    }
}
