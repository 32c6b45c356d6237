internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Store
internal import System

/// The files that a restoration writes on this machine, found out before anything is changed.
struct RestorePlan {
    /// A file and what becomes of it.
    struct File {
        /// The fate of a file.
        enum Fate: Hashable {
            /// The same bytes are there.
            case same
            /// Others are there, and stay.
            case stays
            /// It is written; others are there if it replaces them.
            case written(replacing: Bool)
        }

        var path: String
        var bytes: [UInt8]
        var isSecret: Bool
        var fate: Fate
    }

    /// A state and its place.
    struct State {
        var part: BackupManifest.Part
        var bytes: [UInt8]
        var contents: StateStore.Contents
        /// The name of its program then and now.
        var formerName: String, name: String
        var path: String
    }

    /// The choices of the command line.
    struct Wishes {
        var configurations: [String]
        var name: String?
        var replacesConfiguration: Bool
        var passphrase: Secret?
        var environment: [String: String]
    }

    /// The end of the name under which a replaced file is kept.
    static let keptEnd = ".before-restore"

    /// The states, in the order of the backup.
    private(set) var states: [State] = []
    /// The files, the configurations last: where there was none, a program can only start when all else is there.
    private(set) var files: [File] = []
    /// The programs as they will be, by their configurations.
    private(set) var programs: [BackedProgram] = []
    /// The parts of the backup that are not written, in words.
    private(set) var omissions: [String] = []

    /// Compares a backup with this machine. Throws if it can't be restored here.
    init(_ backup: BackupFile, _ wishes: Wishes) throws {
        let kinds = BackupManifest.Program.allCases.filter { backup.manifest.names[$0] != nil }
        if wishes.name != nil, kinds.count > 1 {
            throw ProgramFault("--as names one program, and this backup is of a fuser and an agent")
        }
        let paths = try Self.paths(kinds, wishes)
        var last: [File] = []
        for kind in kinds {
            guard let path = paths[kind],
                let own = backup.parts(.configuration).first(where: { $0.part.program == kind })
            else { throw ProgramFault("the configuration of the \(kind.rawValue) is not in the backup") }
            let former = backup.manifest.names[kind] ?? ""
            let renamed = wishes.name.map { Self.rename(own.bytes, kind.nameKey, to: $0) } ?? own.bytes
            let configuration = Self.change(path, renamed, isSecret: false, wishes)
            last.append(configuration)
            let program =
                try configuration.fate == .stays
                ? BackedProgram(path: path, environment: wishes.environment)
                : BackedProgram(kind, renamed, path: path, environment: wishes.environment)
            guard program.program == kind else {
                throw ProgramFault("\(path) is not of the \(kind.rawValue): name another by --config")
            }
            if let name = wishes.name, program.name != name {
                throw ProgramFault(
                    "\(path) is there and names it '\(program.name)': change that, or give --replace-configuration")
            }
            programs.append(program)
            try addState(backup, program, former)
            try addFiles(backup, program, wishes)
        }
        files += last
    }

    private mutating func addState(_ backup: BackupFile, _ program: BackedProgram, _ former: String) throws {
        guard let state = backup.parts(.state).first(where: { $0.part.program == program.program }) else { return }
        guard let path = program.state else {
            throw ProgramFault("\(program.path) names no state: set `state` there, or give --replace-configuration")
        }
        let known = program.program.contents.newestSchema
        if let schema = state.part.schema, schema > known {
            throw ProgramFault(
                "the state of the \(program.program.rawValue) has schema \(schema), of version \(backup.manifest.version); "
                    + "this program, \(Version.current), knows \(known): install version \(backup.manifest.version) or a newer one"
            )
        }
        states.append(
            State(
                part: state.part, bytes: state.bytes, contents: program.program.contents, formerName: former,
                name: program.name, path: path))
    }

    private mutating func addFiles(_ backup: BackupFile, _ program: BackedProgram, _ wishes: Wishes) throws {
        for (part, bytes) in backup.parts(.file) where part.program == program.program {
            let path = NamedFiles.path(of: part.place, besides: program.path)
            files.append(Self.change(path, bytes, isSecret: false, wishes))
        }
        let sealed = backup.parts(.secret).filter { $0.part.program == program.program }
        guard !sealed.isEmpty else { return }
        guard let passphrase = wishes.passphrase else {
            omissions.append(
                "\(sealed.count) files with secrets of the \(program.program.rawValue): give --passphrase-file")
            return
        }
        guard let salt = backup.manifest.salt, let rounds = backup.manifest.iterations,
            (1...BackupSeal.mostIterations).contains(rounds)
        else { throw BackupFault.damaged }
        let seal = BackupSeal(passphrase, salt: salt, iterations: rounds)
        for (part, bytes) in sealed {
            let path = NamedFiles.path(of: part.place, besides: program.path)
            files.append(Self.change(path, try seal.open(bytes, place: part.place), isSecret: true, wishes))
        }
    }

    private static func change(_ path: String, _ bytes: [UInt8], isSecret: Bool, _ wishes: Wishes) -> File {
        var fate = File.Fate.written(replacing: false)
        if PrivateFiles.exists(path) {
            let there = try? WholeFile.read(path, bound: BackupCommand.fileBound)
            fate = there == bytes ? .same : wishes.replacesConfiguration ? .written(replacing: true) : .stays
        }
        return File(path: path, bytes: bytes, isSecret: isSecret, fate: fate)
    }

    /// The path of the configuration of each program.
    private static func paths(
        _ kinds: [BackupManifest.Program], _ wishes: Wishes
    ) throws -> [BackupManifest.Program: String] {
        var paths: [BackupManifest.Program: String] = [:]
        for path in wishes.configurations {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let kind: BackupManifest.Program?
            if kinds.count == 1 {
                kind = kinds.first
            } else if PrivateFiles.exists(path) {
                kind = try BackedProgram(path: path, environment: wishes.environment).program
            } else {
                kind = kinds.first { name.contains($0.rawValue) }
            }
            guard let kind, kinds.contains(kind), paths[kind] == nil else {
                throw ProgramFault("--config \(path) fits no program of this backup, or one that has a file already")
            }
            paths[kind] = path
        }
        for kind in kinds where paths[kind] == nil { paths[kind] = kind.defaultPath }
        return paths
    }

    /// A configuration with another name of its program.
    static func rename(_ bytes: [UInt8], _ key: String, to name: String) -> [UInt8] {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if let index = lines.firstIndex(where: { $0.hasPrefix("\(key):") }) {
            lines[index] = "\(key): \(name)"
        } else {
            lines.insert("\(key): \(name)", at: 0)
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// Writes the states, the files with their fates, and what is left out, as keys of an open object.
    func write(to json: inout JSONWriter) {
        json.beginArray("states")
        for state in states {
            json.beginObject()
            json.field("program", state.part.program?.rawValue)
            json.field("name", state.name)
            json.field("former_name", state.formerName == state.name ? nil : state.formerName)
            json.field("path", state.path)
            json.field("replaces", PrivateFiles.exists(state.path))
            json.endObject()
        }
        json.endArray()
        json.beginArray("files")
        for file in files {
            json.beginObject()
            json.field("path", file.path)
            switch file.fate {
            case .same: json.field("fate", "same")
            case .stays: json.field("fate", "stays")
            case .written(true): json.field("fate", "replaced")
            case .written(false): json.field("fate", "written")
            }
            json.endObject()
        }
        json.endArray()
        JSONLine.list("left_out", omissions, to: &json)
    }

    /// A line for each state and file, and for what is left out.
    var preview: [String] {
        states.map { state in
            let kept =
                PrivateFiles.exists(state.path)
                ? ", the present one is kept as \(StateRestore.keptPath(of: state.path))" : ""
            let name = state.formerName == state.name ? "" : ", so far called \(state.formerName)"
            let use = StateRestore.isInUse(state.path) ? ", which a program has open: stop it first" : ""
            return "state of \(state.part.program?.rawValue ?? "") \(state.name)\(name): \(state.path)\(kept)\(use)"
        }
            + files.map { file in
                switch file.fate {
                case .same: "\(file.path): is the same already"
                case .stays: "\(file.path): is another one, and stays (--replace-configuration replaces it)"
                case .written(true): "\(file.path): is replaced, the present one is kept as \(file.path)\(Self.keptEnd)"
                case .written(false): "\(file.path): is written"
                }
            } + omissions.map { "left out: \($0)" }
    }

    /// Locks and prepares the states; throws if a program runs, and nothing is changed then.
    ///
    /// - Parameter record: the row of the restoration in a fuser's audit.
    func prepare(recording record: AuditRecord) throws -> [StateRestore] {
        try states.map { state in
            let restore = try StateRestore(at: state.path, holding: state.contents)
            // A program under another name must not take back what the former one retains: that may run elsewhere.
            try restore.stage(
                state.bytes, leavingOut: state.formerName == state.name ? [] : ["names"], recording: record)
            return restore
        }
    }

    /// Writes everything: files, states, configurations.
    func commit(_ restores: [StateRestore]) throws {
        let configurations = Set(programs.map(\.path))
        for file in files where !configurations.contains(file.path) { try write(file) }
        for restore in restores { try restore.commit() }
        for file in files where configurations.contains(file.path) { try write(file) }
    }

    private func write(_ file: File) throws {
        guard case .written(let isReplacing) = file.fate else { return }
        if isReplacing {
            let present = try WholeFile.read(file.path, bound: BackupCommand.fileBound)
            try PrivateFiles.write(present, to: file.path + Self.keptEnd)
        }
        try PrivateFiles.write(file.bytes, to: file.path, isPublic: !file.isSecret)
        if file.isSecret, let state = states.first?.path {
            PrivateFiles.give(file.path, toOwnerOf: PrivateFiles.folder(of: state))
        }
        PrivateFiles.flushFolder(of: file.path)
    }
}
