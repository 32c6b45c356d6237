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
        positionals: .init("FILE", 1...1, help: "the backup, which is replaced, or a folder that gets a new one"),
        options: [
            CommandOption(
                "--config", .text("FILE"), repeats: true,
                help: "the agent's or the fuser's file, or both; default: those in /etc/whereabouts"),
            CommandOption("--broker", .text("URL"), help: "the broker; default: that of the first configuration"),
            CommandOption("--with-secrets", help: "add keys, passwords and tokens, encrypted"),
            CommandOption("--passphrase-file", .text("FILE"), help: "the passphrase in one line, for --with-secrets"),
            CommandOption(
                "--keep", .integer("N", 1...10_000), help: "in a folder, keep the newest N and remove others"),
            CommandOption("--json", help: "print an object: file, bytes, parts, left_out"),
        ],
        example: "whereabouts backup /var/backups/whereabouts --keep 8")

    /// The most bytes of a file that a configuration names.
    static let fileBound = 64 << 20

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let target = arguments.positionals[0]
            let isFolder = PrivateFiles.isFolder(target)
            try checkUsage(arguments, isFolder: isFolder)
            let programs = try BackedProgram.find(arguments, environment: environment)
            let now = WallClock.now()
            let path =
                isFolder ? "\(target.hasSuffix("/") ? String(target.dropLast()) : target)/\(name(at: now))" : target
            let progress = Progress("making a backup")
            defer { progress.end() }
            var errors = StandardOutput(descriptor: 2)
            var file = BackupFile(BackupManifest(version: Version.current, at: now))
            let seal = try newSeal(arguments, &file.manifest)
            removeRemains(of: path, isFolder: isFolder)
            for program in programs {
                try add(program, seal: seal, draft: "\(path).\(SystemRandom.epoch()).copy", progress, to: &file)
            }
            progress.begin("reading what the broker retains")
            do {
                let house = try readBroker(arguments, programs, environment)
                file.add(BackupManifest.Part(kind: .retained, program: nil, place: ""), house.bytes)
                errors.line("of the broker: \(house.words)")
            } catch let fault as ProgramFault where !arguments.has("--broker") {
                errors.line("without what the broker retains: \(fault)")
                file.manifest.leftOut.append("what the broker retains")
            }
            progress.begin("writing \(path)")
            let bytes = file.bytes
            guard bytes.count <= BackupFile.bound else {
                throw ProgramFault("the backup would have \(bytes.count >> 20) MB, and 1024 MB is the most")
            }
            try PrivateFiles.write(bytes, to: path)
            PrivateFiles.flushFolder(of: path)
            progress.end()
            for name in file.manifest.leftOut { errors.line("left out: \(name)") }
            if let keep = arguments.integer("--keep") {
                try removeOld(in: PrivateFiles.folder(of: path), keeping: keep)
            }
            errors.flush()
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(
                    JSONLine.text { json in
                        json.field("file", path)
                        json.field("bytes", bytes.count)
                        json.field("parts", file.manifest.parts.count)
                        JSONLine.list("left_out", file.manifest.leftOut, to: &json)
                    })
            } else {
                output.line("\(path): \(bytes.count) bytes in \(file.manifest.parts.count) parts")
            }
            return Program.finishOutput(&output)
        }
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

    /// Adds a program's state, its configuration, and the files that this names.
    private static func add(
        _ program: BackedProgram, seal: BackupSeal?, draft: String, _ progress: Progress,
        to file: inout BackupFile
    ) throws {
        let kind = program.program
        file.manifest.names[kind] = program.name
        if let state = program.state {
            progress.begin("copying the state of \(kind.rawValue) \(program.name)", total: 1, unit: .share)
            let copy = try StateCopy(of: state, draft: draft) { progress.advance(to: $0) }
            guard copy.contents == kind.contents else { throw ProgramFault("\(state) is the state of another program") }
            var part = BackupManifest.Part(kind: .state, program: kind, place: state)
            (part.schema, part.epoch, part.lastSeq) = (copy.schema, copy.epoch, copy.lastSeq)
            file.add(part, copy.bytes)
        } else {
            file.manifest.leftOut.append("the state of \(kind.rawValue) \(program.name), since `state` names none")
        }
        file.add(
            BackupManifest.Part(kind: .configuration, program: kind, place: program.path),
            try WholeFile.read(program.path, bound: fileBound))
        for named in try NamedFiles.list(of: program.path) {
            let path = NamedFiles.path(of: named.place, besides: program.path)
            if named.isSecret, seal == nil {
                file.manifest.leftOut.append("\(path) (\(named.key))")
                continue
            }
            do throws(SystemError) {
                let bytes = try WholeFile.read(path, bound: fileBound)
                let part = BackupManifest.Part(
                    kind: named.isSecret ? .secret : .file, program: kind, place: named.place)
                file.add(part, named.isSecret ? seal?.seal(bytes, place: named.place) ?? [] : bytes)
            } catch {
                file.manifest.leftOut.append("\(path) (\(named.key)): \(error.reason)")
            }
        }
    }

    /// The messages that the broker retains, read once.
    private static func readBroker(
        _ arguments: Arguments, _ programs: [BackedProgram], _ environment: [String: String]
    ) throws -> RetainedHouse {
        let url = arguments.text("--broker")
        let choice: BrokerChoice
        do {
            choice = try BrokerChoice.find(
                config: url == nil ? programs.first?.path : nil, broker: url, environment: environment)
        } catch {
            throw ProgramFault("\(error)")
        }
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
        let exchange = try Exchange(choice.mqtt, topics: topics, name: "backup", log: log)
        let messages = try exchange.retained(RetainedHouse.filters(topics))
        return (RetainedHouse(messages, under: topics), topics, exchange)
    }

    // MARK: Files

    private static let nameStart = "whereabouts-", nameEnd = ".backup"

    /// The name of a backup in a folder, such as `whereabouts-20261126-093000.backup`, in UTC.
    static func name(at time: Timestamp) -> String {
        let parts = CalendarTime(time)
        let digits = [parts.date, parts.clock].map { $0.filter(\.isNumber) }.joined(separator: "-")
        return nameStart + digits + nameEnd
    }

    /// Removes the oldest backups of a folder, by their names.
    private static func removeOld(in folder: String, keeping count: Int) throws {
        let names = try PrivateFiles.names(in: folder).filter {
            $0.hasPrefix(nameStart) && $0.hasSuffix(nameEnd) && $0.utf8.count == name(at: WallClock.now()).utf8.count
        }
        for name in names.dropLast(count) { try PrivateFiles.remove("\(folder)/\(name)") }
    }

    /// Removes what killed backups left beside the file, an hour later: their names have eight digits behind the
    /// file's.
    private static func removeRemains(of path: String, isFolder: Bool) {
        let folder = PrivateFiles.folder(of: path)
        let base = path.split(separator: "/").last.map(String.init) ?? path
        for name in (try? PrivateFiles.names(in: folder)) ?? [] {
            // A folder's backups differ in the digits of their time.
            let start = isFolder ? name.prefix(base.utf8.count) : base[...]
            guard name.hasPrefix(start + "."), !isFolder || start.hasPrefix(nameStart) && start.hasSuffix(nameEnd)
            else { continue }
            let words = name.dropFirst(start.count + 1).split(separator: ".", omittingEmptySubsequences: false)
            guard let number = words.first, number.utf8.count == 8, Hex.bytes(number) != nil, words.count <= 2,
                words.count == 1 || words[1].hasPrefix("copy")
            else { continue }
            let file = "\(folder)/\(name)"
            if PrivateFiles.age(of: file).map({ $0 > 3600 }) ?? false { try? PrivateFiles.remove(file) }
        }
    }
}
