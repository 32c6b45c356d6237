internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts audit`: who changed what, when and from where, as all fusers have recorded it.
enum AuditCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts audit",
        summary: "Show who changed what, when and from where: what the fusers that are online have recorded.",
        options: BrokerChoice.houseOptions + [
            CommandOption(
                "--fuser", .text("NAME"), help: "this fuser alone; default: all that are online, each change once"),
            CommandOption("--since", .text("T"), help: "changes of then or later: \(MomentText.forms)"),
            CommandOption("--until", .text("T"), help: "changes before then"),
            CommandOption("--subject", .text("ID"), help: "changes of this item, person, node or fuser alone"),
            CommandOption("--csv", help: "print CSV"),
            CommandOption(
                "--json",
                help: "print an object a line: fuser, number, at, user, proof, action, before, after and others"),
        ],
        example: "whereabouts audit --since 7d --csv")

    /// The most answers that are requested of a fuser, so that the command ends.
    private static let answers = 5000

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let (since, until) = try MomentText.readSpan(arguments, from: "--since", to: "--until", of: command)
            var desk = try FuserDesk(arguments, name: "audit", environment: environment, asksAll: true)
            defer { desk.exchange.end() }
            var trail = MergedAudit()
            for fuser in arguments.has("--fuser") ? [desk.fuser] : desk.online {
                if fuser != desk.fuser { try desk.switchFuser(to: fuser) }
                trail.add(try readChanges(desk, from: since, to: until), of: fuser)
            }
            var changes = trail.changes
            if let subject = arguments.text("--subject") {
                changes.removeAll { ![subject, "node/\(subject)", "fuser/\(subject)"].contains($0.entry.subject) }
            }
            var output = StandardOutput()
            if arguments.has("--csv") {
                output.write(AuditTable.header)
                for change in changes { output.write(AuditTable.line(change.entry, fuser: change.fuser)) }
            } else if arguments.has("--json") {
                for change in changes { output.line(change.json) }
            } else {
                for line in MergedAudit.table(changes) { output.line(line) }
            }
            if !desk.offline.isEmpty, !arguments.has("--fuser") {
                var errors = StandardOutput(descriptor: 2)
                errors.line("not asked, since offline: \(desk.offline.joined(separator: ", "))")
                errors.flush()
            }
            return Program.finishOutput(&output)
        }
    }

    private static func readChanges(
        _ desk: FuserDesk, from: Timestamp?, to: Timestamp?
    ) throws -> [AuditReport.Entry] {
        var entries: [AuditReport.Entry] = []
        var after: UInt64 = 0
        for _ in 0..<answers {
            guard case .audit(let part) = try desk.ask(.audit(from: from, to: to, after: after)).answer else {
                throw ProgramFault("the fuser's answer is no audit")
            }
            entries += part.entries
            guard let next = part.next else { return entries }
            after = next
            // A fuser obeys ten commands a second.
            if entries.count > AuditReport.limit * 10 { try desk.exchange.pause(0.1) }
        }
        throw ProgramFault("there are more changes than one answer of this command has: ask by --since and --until")
    }
}
