internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Store
internal import System
internal import WireProtocol

/// `whereabouts backup`: writes what is needed to go on elsewhere into one file, while the programs run.
enum BackupCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts backup",
        summary: "Back up the state and the configuration of this machine's programs, and the house's registry.",
        positionals: .init("FILE", 1...1, help: "the backup, new or replaced, or a folder that gets a new one"),
        options: [
            CommandOption(
                "--config", .text("FILE"), repeats: true,
                help: "the agent's or the fuser's file, or both; default: those in /etc/whereabouts"),
            CommandOption("--broker", .text("URL"), help: "the broker; default: that of the fuser's configuration"),
            CommandOption("--with-secrets", help: "add keys, passwords and tokens, encrypted"),
            CommandOption("--passphrase-file", .text("FILE"), help: "the passphrase in one line, for --with-secrets"),
            CommandOption(
                "--keep", .integer("N", 1...10_000),
                help: "in a folder, keep the new one and the newest others, N in all"),
            CommandOption("--json", help: "print an object: file, bytes, parts, left_out"),
        ],
        example: "whereabouts backup /var/backups/whereabouts --keep 8")

    /// The most bytes of a file that a configuration names.
    static let fileBound = 64 << 20

    /// The parts that a backup was to have and lacks, in words.
    private struct Lack {
        var states: [String] = [], files: [String] = []
        var isBrokerUnread = false

        /// True if nothing is missing, so that older backups may go.
        var isNone: Bool { states.isEmpty && files.isEmpty && !isBrokerUnread }
        /// The reason to end with 1; nil if there is none.
        var fault: String? {
            let state =
                states.isEmpty
                ? nil
                : "has no state, since there is no \(states.joined(separator: " and no ")): the program never ran, or its "
                    + "disk is not mounted"
            let file = files.isEmpty ? nil : "lacks \(files.joined(separator: ", "))"
            let words = [state, file].compactMap { $0 }.joined(separator: "; it ")
            return words.isEmpty ? nil : "the backup \(words)"
        }
    }

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            try checkUsage(arguments, isFolder: PrivateFiles.isFolder(arguments.positionals[0]))
            let now = WallClock.now()
            var target = try BackupTarget(arguments.positionals[0], at: now)
            let programs = try BackedProgram.find(arguments, environment: environment)
            try target.refuse(programs)
            if let url = arguments.text("--broker") {
                _ = try BrokerChoice.find(config: nil, broker: url, environment: environment)
            }
            let progress = Progress("making a backup")
            defer { progress.end() }
            var file = BackupFile(BackupManifest(version: Version.current, at: now))
            let seal = try newSeal(arguments, &file.manifest)
            target.removeRemains()
            var lack = Lack()
            for program in programs {
                if try !addState(of: program, draft: target.newCopy(), progress, to: &file), let state = program.state {
                    lack.states.append(state)
                }
                lack.files += try addFiles(of: program, seal: seal, to: &file)
            }
            let kept = "So \(target.path) was not replaced"
            if target.isThere, let fault = lack.fault { throw ProgramFault("\(fault). \(kept)") }
            lack.isBrokerUnread = try !addBroker(arguments, programs, environment, progress, to: &file)
            if target.isThere, lack.isBrokerUnread, target.hasBroker() {
                throw ProgramFault("the backup has nothing of the broker, and the one before has. \(kept)")
            }
            progress.begin("writing \(target.path)")
            let bytes = file.bytes
            guard bytes.count <= BackupFile.bound else {
                throw ProgramFault("the backup would have \(bytes.count >> 20) MB, and 1024 MB is the most")
            }
            try target.write(bytes)
            PrivateFiles.flushFolder(of: target.path)
            progress.end()
            var errors = StandardOutput(descriptor: 2)
            for name in file.manifest.leftOut { errors.line("left out: \(name)") }
            if let keep = arguments.integer("--keep") {
                if lack.isNone {
                    try target.removeOld(keeping: keep)
                } else {
                    errors.line("no earlier backup was removed, since this one is not whole")
                }
            }
            errors.flush()
            let status = tell(target, file, bytes.count, isJSON: arguments.has("--json"))
            if let fault = lack.fault {
                throw ProgramFault(target.isFolder ? "\(fault). No earlier backup was removed" : fault)
            }
            return status
        }
    }

    /// Prints the result; returns the exit status.
    private static func tell(_ target: BackupTarget, _ file: BackupFile, _ count: Int, isJSON: Bool) -> Int32 {
        var output = StandardOutput()
        if isJSON {
            output.line(
                JSONLine.text { json in
                    json.field("file", target.path)
                    json.field("bytes", count)
                    json.field("parts", file.manifest.parts.count)
                    JSONLine.list("left_out", file.manifest.leftOut, to: &json)
                })
        } else {
            output.line("\(target.path): \(count) bytes in \(file.manifest.parts.count) parts")
        }
        return Program.finishOutput(&output)
    }

    private static func checkUsage(_ arguments: Arguments, isFolder: Bool) throws(UsageError) {
        var faults: [String] = []
        if arguments.has("--with-secrets") != arguments.has("--passphrase-file") {
            faults.append("--with-secrets and --passphrase-file go together")
        }
        if arguments.has("--keep"), !isFolder { faults.append("--keep needs a folder in place of FILE") }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
    }

    private static func newSeal(_ arguments: Arguments, _ manifest: inout BackupManifest) throws -> BackupSeal? {
        guard let path = arguments.text("--passphrase-file") else { return nil }
        let salt = BackupSeal.random(16)
        (manifest.salt, manifest.iterations) = (salt, BackupSeal.iterations)
        return BackupSeal(try readPassphrase(path), salt: salt, iterations: BackupSeal.iterations)
    }

    /// The passphrase in a file.
    static func readPassphrase(_ path: String) throws -> Secret {
        do throws(SecretFile.Problem) {
            return try SecretFile(path: path).line()
        } catch {
            throw ProgramFault("the file '\(path)' \(error.sentence)")
        }
    }

    /// Adds a program's state. Returns false if its file is missing.
    private static func addState(
        of program: BackedProgram, draft: String, _ progress: Progress, to file: inout BackupFile
    ) throws -> Bool {
        let kind = program.program
        guard let state = program.state else {
            file.manifest.leftOut.append("the state of \(kind.rawValue) \(program.name), since `state` names none")
            return true
        }
        // One that can't be looked at is no missing one: the copy names the reason.
        guard PrivateFiles.mayExist(state) else {
            file.manifest.leftOut.append("the state of \(kind.rawValue) \(program.name): there is no \(state)")
            return false
        }
        progress.begin("copying the state of \(kind.rawValue) \(program.name)", total: 1, unit: .share)
        let copy = try copyState(state, draft: draft, progress)
        guard copy.contents == kind.contents else { throw ProgramFault("\(state) is the state of another program") }
        var part = BackupManifest.Part(kind: .state, program: kind, place: state)
        (part.schema, part.epoch, part.lastSeq) = (copy.schema, copy.epoch, copy.lastSeq)
        file.add(part, copy.bytes)
        return true
    }

    private static func copyState(_ state: String, draft: String, _ progress: Progress) throws -> StateCopy {
        do throws(StoreError) {
            return try StateCopy(of: state, draft: draft) { progress.advance(to: $0) }
        } catch {
            guard error.path?.hasPrefix(draft) ?? false else { throw error }
            let mend = error.kind == .full ? "make room there" : "mend that"
            throw ProgramFault(
                "\(error.reason): the state is copied beside the backup first: \(mend), or name another FILE")
        }
    }

    /// Adds a program's configuration, and the files that this names. Returns those that can't be read, with the reason.
    private static func addFiles(
        of program: BackedProgram, seal: BackupSeal?, to file: inout BackupFile
    ) throws -> [String] {
        let kind = program.program
        file.manifest.names[kind] = program.name
        file.add(
            BackupManifest.Part(kind: .configuration, program: kind, place: program.path),
            try WholeFile.read(program.path, bound: fileBound))
        var unread: [String] = []
        for named in try NamedFiles.list(of: program.path) {
            let path = NamedFiles.path(of: named.place, besides: program.path)
            if named.isSecret, seal == nil {
                file.manifest.leftOut.append("\(path) (\(named.key))")
                continue
            }
            // Reading a folder fails with the reason; reading a device or a pipe may not end.
            guard PrivateFiles.kind(of: path) != .other else {
                unread.append("\(path) (\(named.key)): is no regular file")
                continue
            }
            do throws(SystemError) {
                let bytes = try WholeFile.read(path, bound: fileBound)
                let part = BackupManifest.Part(
                    kind: named.isSecret ? .secret : .file, program: kind, place: named.place)
                file.add(part, named.isSecret ? seal?.seal(bytes, place: named.place) ?? [] : bytes)
            } catch {
                unread.append("\(path) (\(named.key)): \(error.reason)")
            }
        }
        file.manifest.leftOut += unread
        return unread
    }

    /// Adds what the broker retains, where a fuser is backed up or `--broker` is given. Returns false if it could
    /// not be read, which is a failure where `--broker` names it.
    private static func addBroker(
        _ arguments: Arguments, _ programs: [BackedProgram], _ environment: [String: String], _ progress: Progress,
        to file: inout BackupFile
    ) throws -> Bool {
        // The house's registry goes with its fuser; a gateway's user may not read it.
        guard arguments.has("--broker") || programs.fuser != nil else { return true }
        progress.begin("reading what the broker retains")
        var errors = StandardOutput(descriptor: 2)
        defer { errors.flush() }
        do {
            let house = try readBroker(arguments, programs, environment)
            file.add(BackupManifest.Part(kind: .retained, program: nil, place: ""), house.bytes)
            progress.hide()
            errors.line("of the broker: \(house.words)")
            return true
        } catch let fault as ProgramFault where !arguments.has("--broker") {
            progress.hide()
            errors.line("without what the broker retains: \(fault)")
            file.manifest.leftOut.append("what the broker retains")
            return false
        }
    }

    /// The messages that the broker retains, read once.
    private static func readBroker(
        _ arguments: Arguments, _ programs: [BackedProgram], _ environment: [String: String]
    ) throws -> RetainedHouse {
        let url = arguments.text("--broker")
        var choice: BrokerChoice
        do {
            choice = try BrokerChoice.find(
                config: url == nil ? programs.fuser?.path : nil, broker: url, environment: environment)
        } catch {
            throw ProgramFault("\(error)")
        }
        if url == nil { choice.fuser = programs.fuser?.name }
        let (house, _, exchange) = try read(choice, environment)
        exchange.end()
        return house
    }

    /// The messages that a broker retains, with the connection to it.
    static func read(
        _ choice: BrokerChoice, _ environment: [String: String]
    ) throws -> (house: RetainedHouse, topics: Topics, exchange: Exchange) {
        let topics = Topics(prefix: choice.topicPrefix)
        let log = Log(environment: environment)
        // Failures are reported by the command itself.
        log.level = .error
        // Under an access list a fuser, which alone reads all of this, reads its own replies alone.
        let exchange = try Exchange(
            choice.mqtt, topics: topics, name: "backup", log: log, marks: choice.fuser.map(topics.fuserReplies))
        // Less than the whole would be a backup without lessons, and let older entries replace newer ones.
        let messages = try exchange.retained(RetainedHouse.filters(topics), isWhole: true)
        return (RetainedHouse(messages, under: topics), topics, exchange)
    }
}
