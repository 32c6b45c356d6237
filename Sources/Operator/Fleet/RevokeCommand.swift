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
            var counts = (certificates: 0, passwords: 0)
            for name in arguments.positionals {
                let count = authority?.revoke(name, keepingLatest: isFormer, at: now) ?? 0
                let had = lines.count
                if !isFormer { lines.removeAll { FleetFolder.isLine($0, of: name) } }
                let withdrawn = had - lines.count
                counts.certificates += count
                counts.passwords += withdrawn
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
            let files = changedFiles(of: folder, certificates: counts.certificates, passwords: counts.passwords)
            let next = nextStep(files, readAtStart: counts.certificates > 0, keepsUser: isFormer)
            if let next { remark.line(next) }
            remark.flush()
            return Program.finishOutput(&output)
        }
    }

    /// The files that the broker needs after so many revocations.
    static func changedFiles(of folder: FleetFolder, certificates: Int, passwords: Int) -> [String] {
        let list = PrivateFiles.exists(folder.broker) ? folder.brokerList : folder.list
        return (certificates > 0 ? [list] : []) + (passwords > 0 ? [folder.passwords] : [])
    }

    /// The operator's next step with the changed files; nil if the broker needs nothing.
    ///
    /// - Parameters:
    ///   - readAtStart: true if the broker reads one of them at its start alone, as a list of revoked certificates.
    ///   - keepsUser: true if the users have other credentials still, and so keep their rights.
    static func nextStep(_ files: [String], readAtStart: Bool, keepsUser: Bool) -> String? {
        guard !files.isEmpty else { return nil }
        let list = files.joined(separator: ", ")
        let carried =
            keepsUser ? "carry \(list)" : "run 'whereabouts acl' again, carry \(list) and the new access list"
        return "now \(carried) to the broker, and \(readAtStart ? "restart" : "reload") it"
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
