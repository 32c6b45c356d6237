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
                help: "the place of the agent's or the fuser's file, or both; default: in /etc/whereabouts"),
            CommandOption("--broker", .text("URL"), help: "the broker; default: that of the first configuration"),
            CommandOption("--as", .text("NAME"), help: "another name of the fuser or the node"),
            CommandOption("--replace-configuration", help: "replace the configuration and the files that it names"),
            CommandOption("--passphrase-file", .text("FILE"), help: "the passphrase, for the secrets in the backup"),
            CommandOption("--dry-run", help: "print what would change, and change nothing"),
            CommandOption("--yes", help: "do not ask before"),
            CommandOption(
                "--json",
                help:
                    "print an object a line: the preview (backup, made, version, states, files, left_out, broker), then restored"
            ),
        ],
        example: "whereabouts restore whereabouts-20261126-093000.backup --dry-run")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            var progress = Progress("reading the backup")
            defer { progress.end() }
            let backup = try read(arguments.positionals[0])
            let name = arguments.text("--as")
            if let name, !Identifier.isValid(name) {
                throw UsageError(command: command.name, faults: ["--as takes a name as in topics; found '\(name)'"])
            }
            let wishes = RestorePlan.Wishes(
                configurations: arguments.texts("--config"), name: name,
                replacesConfiguration: arguments.has("--replace-configuration"),
                passphrase: try arguments.text("--passphrase-file").map(BackupCommand.readPassphrase),
                environment: environment)
            let plan: RestorePlan
            do {
                plan = try RestorePlan(backup, wishes)
            } catch let fault as BackupFault {
                throw ProgramFault("\(arguments.positionals[0]) \(fault)")
            }
            progress.begin("reading what the broker retains")
            let broker = Result { try missing(in: backup, plan, arguments, environment) }
            if case .failure(let fault) = broker, fault is Interruption { throw fault }
            defer { (try? broker.get())??.exchange.end() }
            progress.end()
            var output = StandardOutput()
            let isJSON = arguments.has("--json")
            let brokerWords: String
            switch broker {
            case .success(nil): brokerWords = "the backup holds nothing of it"
            case .success(let house?): brokerWords = house.words
            case .failure(let fault): brokerWords = "not compared: \(fault)"
            }
            let made = "\(LocalTime.text(backup.manifest.at).prefix(19)) by version \(backup.manifest.version)"
            if isJSON {
                output.line(
                    JSONLine.text { json in
                        json.field("backup", arguments.positionals[0])
                        json.field("made", backup.manifest.at)
                        json.field("version", backup.manifest.version)
                        plan.write(to: &json)
                        json.field("broker", brokerWords)
                    })
            } else {
                output.line("\(arguments.positionals[0]): of \(made)")
                for line in plan.preview { output.line(line) }
                output.line("broker: \(brokerWords)")
            }
            output.flush()
            guard !arguments.has("--dry-run") else { return 0 }
            try ask(arguments)
            progress = Progress("restoring")
            let restores = try plan.prepare(
                recording: record(of: backup, arguments.positionals[0], environment: environment))
            try plan.commit(restores)
            tellPurged(restores.flatMap(\.purgedSince))
            do {
                // Without a configuration before, there is one by now, which names the broker.
                if case .failure = broker {
                    let house = try missing(in: backup, plan, arguments, environment)
                    defer { house?.exchange.end() }
                    try house?.publish(progress)
                } else {
                    try broker.get()?.publish(progress)
                }
            } catch let fault as ProgramFault {
                throw ProgramFault("the state is restored, but the broker may lack entries still: \(fault)")
            }
            progress.end()
            output.line(isJSON ? JSONLine.text { $0.field("restored", true) } : "restored")
            return Program.finishOutput(&output)
        }
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

    /// Names what was purged since the backup, which has its data still.
    private static func tellPurged(_ subjects: [String]) {
        guard !subjects.isEmpty else { return }
        var errors = StandardOutput(descriptor: 2)
        errors.line(
            "the backup is from before purges: once the fuser runs, purge again \(subjects.joined(separator: ", "))")
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
            return try BackupFile(bytes: try WholeFile.read(path, bound: BackupFile.bound))
        } catch let fault as BackupFault {
            throw ProgramFault("\(path) \(fault)")
        }
    }

    private static func missing(
        in backup: BackupFile, _ plan: RestorePlan, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> Missing? {
        guard let part = backup.parts(.retained).first else { return nil }
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

    /// The broker of `--broker`, or of the first configuration as it is or will be.
    private static func findBroker(
        _ plan: RestorePlan, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> BrokerChoice {
        if let url = arguments.text("--broker") {
            return try BrokerChoice.find(config: nil, broker: url, environment: environment)
        }
        guard let path = plan.programs.first?.path, PrivateFiles.exists(path) else {
            throw ProgramFault("there is no configuration yet: give --broker URL, or start the fuser and restore again")
        }
        return try BrokerChoice.find(config: path, broker: nil, environment: environment)
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
