internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Store
internal import System
internal import WireProtocol

/// `whereabouts restore`: puts a backup back, here or on another machine.
enum RestoreCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts restore",
        summary: "Put back a backup: the state, the configuration where there is none, and what the broker lacks.",
        positionals: .init("FILE", 1...1, help: "the backup"),
        options: [
            CommandOption(
                "--config", .text("FILE"), repeats: true,
                help:
                    "the place of the agent's or the fuser's file, or both; one alone restores that program; default: in /etc/whereabouts"
            ),
            CommandOption("--broker", .text("URL"), help: "the broker; default: that of the fuser's configuration"),
            CommandOption("--as", .text("NAME"), help: "another name of the fuser or the node that is restored"),
            CommandOption("--replace-configuration", help: "replace the configuration and the files that it names"),
            CommandOption("--passphrase-file", .text("FILE"), help: "the passphrase, for the secrets in the backup"),
            CommandOption("--broker-only", help: "publish what the broker lacks, and change no file here"),
            CommandOption("--dry-run", help: "print what would change, and change nothing"),
            CommandOption("--yes", help: "do not ask before"),
            CommandOption(
                "--json",
                help:
                    "print an object a line: the preview (backup, made, version, states of program, name, path, replaces and in_use, files, folders, left_out, broker), then restored"
            ),
        ],
        example: "whereabouts restore whereabouts-20261126-093000.backup --dry-run")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            try checkUsage(arguments, environment)
            var progress = Progress("reading the backup")
            defer { progress.end() }
            let backup = try read(arguments.positionals[0])
            let isBrokerOnly = arguments.has("--broker-only")
            let plan = isBrokerOnly ? RestorePlan() : try makePlan(backup, arguments, environment)
            if !arguments.has("--dry-run") { try plan.checkRights() }
            progress.begin("reading what the broker retains")
            let broker = Result {
                let missing = try missing(in: backup, plan, arguments, environment)
                missing?.exchange.end()
                return missing?.words
            }
            progress.end()
            let brokerWords: String
            switch broker {
            case .success(nil) where isBrokerOnly:
                throw ProgramFault("\(arguments.positionals[0]) holds nothing of the broker: take another backup")
            case .success(nil):
                brokerWords =
                    comparesBroker(plan, arguments)
                    ? "the backup holds nothing of it" : "is left as it is, since no fuser is restored"
            case .success(let words?): brokerWords = words
            case .failure(let fault):
                if isBrokerOnly || fault is Interruption { throw fault }
                brokerWords = "not compared: \(fault)"
            }
            var output = StandardOutput()
            show(backup, plan, brokerWords, arguments, &output)
            if arguments.has("--dry-run") { return Program.finishOutput(&output) }
            output.flush()
            try ask(arguments)
            progress = Progress("restoring")
            let restores = try plan.prepare(
                recording: record(of: backup, arguments.positionals[0], environment: environment))
            do {
                let notes = try plan.commit(restores)
                tell(notes, purged: restores.flatMap(\.purgedSince))
                try publish(backup, plan, arguments, environment, progress)
            } catch {
                guard restores.contains(where: \.isCommitted) else { throw error }
                throw ProgramFault("the state is restored, but \(error)")
            }
            progress.end()
            output.line(arguments.has("--json") ? JSONLine.text { $0.field("restored", true) } : "restored")
            return Program.finishOutput(&output)
        }
    }

    private static func checkUsage(_ arguments: Arguments, _ environment: [String: String]) throws {
        var faults: [String] = []
        if let name = arguments.text("--as"), !Identifier.isValid(name) {
            faults.append("--as takes a name as in topics; found '\(name)'")
        }
        for option in ["--as", "--replace-configuration"] where arguments.has("--broker-only") && arguments.has(option)
        {
            faults.append("\(option) changes files, and --broker-only changes none")
        }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
        if let url = arguments.text("--broker") {
            _ = try BrokerChoice.find(config: nil, broker: url, environment: environment)
        }
    }

    private static func makePlan(
        _ backup: BackupFile, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> RestorePlan {
        let wishes = RestorePlan.Wishes(
            configurations: arguments.texts("--config"), name: arguments.text("--as"),
            replacesConfiguration: arguments.has("--replace-configuration"),
            passphrase: try arguments.text("--passphrase-file").map(BackupCommand.readPassphrase),
            environment: environment)
        do {
            return try RestorePlan(backup, wishes)
        } catch let fault as BackupFault {
            throw ProgramFault("\(arguments.positionals[0]) \(fault)")
        }
    }

    /// Prints the preview.
    private static func show(
        _ backup: BackupFile, _ plan: RestorePlan, _ brokerWords: String, _ arguments: Arguments,
        _ output: inout StandardOutput
    ) {
        let made = "\(LocalTime.text(backup.manifest.at).prefix(19)) by version \(backup.manifest.version)"
        guard !arguments.has("--json") else {
            return output.line(
                JSONLine.text { json in
                    json.field("backup", arguments.positionals[0])
                    json.field("made", backup.manifest.at)
                    json.field("version", backup.manifest.version)
                    plan.write(to: &json)
                    json.field("broker", brokerWords)
                })
        }
        output.line("\(arguments.positionals[0]): of \(made)")
        for line in plan.preview { output.line(line) }
        output.line("broker: \(brokerWords)")
    }

    /// Publishes what the broker lacks, by what it retains now: others may have written since the preview.
    private static func publish(
        _ backup: BackupFile, _ plan: RestorePlan, _ arguments: Arguments, _ environment: [String: String],
        _ progress: Progress
    ) throws {
        do {
            let missing = try missing(in: backup, plan, arguments, environment)
            defer { missing?.exchange.end() }
            try missing?.publish(progress)
        } catch {
            let next =
                if error is Interruption {
                    "publish them"
                } else if (error as? ProgramFault)?.isRefusal ?? false {
                    "let this user read and write there (whereabouts acl), or name another; then publish them"
                } else {
                    "once it answers, publish them"
                }
            throw ProgramFault("the broker may lack entries still (\(error)): \(next): \(remedy(plan, arguments))")
        }
    }

    /// The command that publishes what the broker lacks.
    private static func remedy(_ plan: RestorePlan, _ arguments: Arguments) -> String {
        var words = ["whereabouts", "restore", arguments.positionals[0]]
        if let url = arguments.text("--broker") {
            words += ["--broker", url]
        } else if let path = plan.programs.fuser?.path ?? arguments.texts("--config").first {
            words += ["--config", path]
        }
        return (words + ["--broker-only"]).map(quoted).joined(separator: " ")
    }

    /// A word for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-:@+,=".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// The row of this restoration in the audit: the user of this machine, and the backup.
    private static func record(
        of backup: BackupFile, _ path: String, environment: [String: String]
    ) -> AuditRecord {
        let user = Author.machineUser(environment)
        var record = AuditRecord(
            number: 0, at: WallClock.now(), user: user, role: "", peer: ProcessEnvironment.hostName, method: "restore",
            path: path, status: 200)
        (record.proof, record.action) = ("machine", "restore")
        record.change = "restore-\(SystemRandom.epoch())"
        record.after = JSONLine.text { json in
            json.field("made", backup.manifest.at)
            json.field("version", backup.manifest.version)
        }
        return record
    }

    /// Prints what came otherwise than in the preview, and what was purged since the backup, which has its data still.
    private static func tell(_ notes: [String], purged subjects: [String]) {
        var errors = StandardOutput(descriptor: 2)
        for note in notes { errors.line(note) }
        if !subjects.isEmpty {
            errors.line(
                "the backup is from before purges: once the fuser runs, purge again \(subjects.joined(separator: ", "))"
            )
        }
        errors.flush()
    }

    /// The messages that the broker lacks, with the connection over which they are published.
    private struct Missing {
        var exchange: Exchange
        var messages: [Message]
        var words: String

        /// The messages that are acknowledged before the next ones are sent.
        private static let batch = 500

        func publish(_ progress: Progress) throws {
            progress.begin("publishing what the broker lacks", total: Double(messages.count))
            for start in stride(from: 0, to: messages.count, by: Self.batch) {
                try exchange.publish(Array(messages[start...].prefix(Self.batch)), timeout: 60)
                progress.advance(to: Double(min(messages.count, start + Self.batch)))
            }
        }
    }

    private static func read(_ path: String) throws -> BackupFile {
        do {
            return try BackupFile(bytes: try WholeFile.read(path, bound: BackupFile.bound, start: BackupFile.opening))
        } catch let fault as BackupFault {
            throw ProgramFault("\(path) \(fault)")
        }
    }

    private static func missing(
        in backup: BackupFile, _ plan: RestorePlan, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> Missing? {
        guard comparesBroker(plan, arguments), let part = backup.parts(.retained).first else { return nil }
        let house = try RetainedHouse(bytes: part.bytes)
        guard !house.payloads.isEmpty else { return nil }
        let choice = try findBroker(plan, arguments, environment)
        let (there, topics, exchange) = try BackupCommand.read(choice, environment)
        let messages = house.messages(missingFrom: there, under: topics, at: WallClock.now())
        let names = messages.map { String($0.topic.dropFirst(topics.prefix.count + 1)) }
        let rest = Array(Set(house.payloads.keys).subtracting(names))
        return Missing(
            exchange: exchange, messages: messages,
            words:
                "\(RetainedHouse.words(names)) to publish; \(RetainedHouse.words(rest)) there already, or newer there")
    }

    /// True where the broker gets what it lacks: the house's registry goes with its fuser.
    private static func comparesBroker(_ plan: RestorePlan, _ arguments: Arguments) -> Bool {
        ["--broker", "--broker-only"].contains(where: arguments.has) || plan.programs.fuser != nil
    }

    /// The broker of `--broker`, or of the fuser's configuration as it is or will be.
    private static func findBroker(
        _ plan: RestorePlan, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> BrokerChoice {
        if let url = arguments.text("--broker") {
            return try BrokerChoice.find(config: nil, broker: url, environment: environment)
        }
        if arguments.has("--broker-only") {
            return try BrokerChoice.find(
                config: arguments.texts("--config").first, broker: nil, environment: environment)
        }
        guard let path = plan.programs.fuser?.path, PrivateFiles.exists(path) else {
            throw ProgramFault(
                "there is no configuration yet, whose broker gets what it lacks when it is restored; --broker URL names one now"
            )
        }
        var choice = try BrokerChoice.find(config: path, broker: nil, environment: environment)
        choice.fuser = plan.programs.fuser?.name
        return choice
    }

    private static func ask(_ arguments: Arguments) throws {
        guard !arguments.has("--yes") else { return }
        guard Terminal.isAttached(0) else {
            throw ProgramFault("nothing was changed: give --yes, since there is no terminal to ask on")
        }
        var errors = StandardOutput(descriptor: 2)
        errors.write("Restore it? [y/N] ")
        errors.flush()
        // The connection to the broker blocks the signals of ^C, which a loop alone receives.
        let ready = try RunLoop().wait(readable: [0])
        if ready.shouldEnd { throw Interruption() }
        let answer = String(decoding: StandardInput.read() ?? [], as: UTF8.self).lowercased()
        guard answer.hasPrefix("y") else { throw ProgramFault("nothing was changed") }
    }
}
