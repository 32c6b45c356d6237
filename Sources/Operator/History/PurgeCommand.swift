internal import Bytes
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts purge`: erases the data of an item.
enum PurgeCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts purge",
        summary:
            "Have the fusers that are online forget an item: its visits, lessons, kept events and retained topics.",
        positionals: .init("ITEM", 1...1, help: "the item's id"),
        options: BrokerChoice.houseOptions + [
            CommandOption("--fuser", .text("NAME"), help: "this fuser alone; default: all that are online"),
            CommandOption("--before", .text("T"), help: "only what lies before: \(MomentText.forms)"),
            CommandOption("--yes", help: "do not ask before"),
            CommandOption(
                "--json", help: "print an object a line: item, fuser, visits, events, lessons, messages, waits"),
        ],
        example: "whereabouts purge keys --before 2026-11-21")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let before = try arguments.text("--before").map { text throws(UsageError) in
                guard let moment = MomentText.moment(text, now: WallClock.now()) else {
                    throw UsageError(
                        command: command.name, faults: ["--before takes \(MomentText.forms); found '\(text)'"])
                }
                return moment
            }
            var desk = try FuserDesk(arguments, name: "purge", environment: environment, asksAll: true)
            defer { desk.exchange.end() }
            let item = arguments.positionals[0]
            try desk.learnName(of: item)
            let until = before.map { " before \(LocalTime.text($0).prefix(19))" } ?? " until now"
            if !arguments.has("--yes") {
                var errors = StandardOutput(descriptor: 2)
                errors.write("Forget what is known of \(desk.names.item(item))\(until)? This can't be undone. [y/N] ")
                errors.flush()
                let answer = try desk.exchange.line()?.lowercased() ?? ""
                guard answer.hasPrefix("y") else { throw ProgramFault("nothing was forgotten") }
            }
            var output = StandardOutput()
            var faults: [String] = []
            for fuser in arguments.has("--fuser") ? [desk.fuser] : desk.online {
                do {
                    if fuser != desk.fuser { try desk.switchFuser(to: fuser) }
                    guard case .purged(let report) = try desk.ask(.purge(item: item, before: before)).answer else {
                        throw ProgramFault("the answer doesn't say what was forgotten")
                    }
                    output.line(
                        arguments.has("--json")
                            ? json(report, of: item, fuser)
                            : "\(desk.names.item(item))\(until), forgotten by fuser \(fuser): \(countsText(report))")
                    output.flush()
                } catch let fault as ProgramFault {
                    // The data of the others is to be erased all the same.
                    faults.append("fuser \(fuser): \(fault)")
                }
            }
            if !desk.offline.isEmpty, !arguments.has("--fuser") {
                var errors = StandardOutput(descriptor: 2)
                errors.line("not asked, since offline: \(desk.offline.joined(separator: ", "))")
                errors.flush()
            }
            guard faults.isEmpty else { throw ProgramFault(faults.joined(separator: "; ")) }
            return Program.finishOutput(&output)
        }
    }

    private static func json(_ report: PurgeReport, of item: String, _ fuser: String) -> String {
        JSONLine.text { json in
            json.field("item", item)
            json.field("fuser", fuser)
            json.field("visits", report.visits)
            json.field("events", report.events)
            json.field("lessons", report.lessons)
            json.field("messages", report.messages)
            if let waits = report.waits { json.field("waits", waits) }
        }
    }

    private static func countsText(_ report: PurgeReport) -> String {
        [
            (report.visits, "visit"), (report.events, "event"), (report.lessons, "lesson"),
            (report.messages, "retained message"),
        ].map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
            + (report.waits == nil ? "" : "; PostgreSQL deletes its rows next, of which the fuser's log tells")
    }
}
