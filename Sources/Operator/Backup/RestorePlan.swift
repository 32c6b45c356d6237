internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import Store
internal import System

/// The files that a restoration writes on this machine, found out before anything is changed.
struct RestorePlan {
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

    /// The group that may read what a program's service must read, as `whereabouts-agent setup` gives it.
    private static let group = "whereabouts"

    /// The states, in the order of the backup.
    private(set) var states: [State] = []
    /// The files, the configurations last: where there was none, a program can only start when all else is there.
    private(set) var files: [File] = []
    /// The programs as they will be, by their configurations.
    private(set) var programs: [BackedProgram] = []
    /// The parts of the backup that are not written, in words.
    private(set) var omissions: [String] = []

    /// True if files that are there are replaced.
    private var replaces = false
    /// The folders that are missing, with their modes.
    private var folders: [(path: String, mode: UInt32)] = []

    /// A plan without files of this machine.
    init() {}

    /// Compares a backup with this machine. Throws if it can't be restored here.
    init(_ backup: BackupFile, _ wishes: Wishes) throws {
        replaces = wishes.replacesConfiguration
        omissions = backup.manifest.leftOut.map { "\($0): it is not in the backup" }
        let kinds = BackupManifest.Program.allCases.filter { backup.manifest.names[$0] != nil }
        let paths = try Self.paths(kinds, wishes)
        if wishes.name != nil, paths.count > 1 {
            throw ProgramFault("--as names one program, and this restores two: name the place of one by --config")
        }
        var last: [File] = []
        for kind in kinds {
            let former = backup.manifest.names[kind] ?? ""
            guard let path = paths[kind] else {
                omissions.append("the \(kind.rawValue) \(former), for which no --config is given")
                continue
            }
            guard let own = backup.parts(.configuration).first(where: { $0.part.program == kind })
            else { throw ProgramFault("the configuration of the \(kind.rawValue) is not in the backup") }
            let renamed =
                try wishes.name.map { try Self.rename(own.bytes, kind.nameKey, to: $0, at: path) } ?? own.bytes
            let isNew = !BackedProgram.isConfigured(path, wishes.environment)
            let configuration = try File(path, renamed, isSecret: false, replacing: replaces || isNew)
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
        for file in last { try add(file) }
        try findFolders()
    }

    /// Adds a file; one that both programs share is written once.
    private mutating func add(_ file: File) throws {
        guard let other = files.first(where: { $0.target == file.target }) else { return files.append(file) }
        guard other.bytes == file.bytes || other.fate == .stays else {
            throw ProgramFault("two files of the backup belong at \(file.path): restore one program alone, by --config")
        }
    }

    /// Finds the folders that are missing. Throws where none can be.
    private mutating func findFolders() throws {
        var wanted: [(path: String, mode: UInt32)] = []
        for file in files {
            if case .written = file.fate { wanted.append((PrivateFiles.folder(of: file.target), 0o755)) }
        }
        wanted += states.map { (PrivateFiles.folder(of: $0.path), 0o750) }
        for folder in wanted where !PrivateFiles.isFolder(folder.path) {
            let nearest = Self.nearest(to: folder.path)
            guard PrivateFiles.isFolder(nearest) else {
                throw ProgramFault("\(nearest) is no folder, and the backup has files below it: move it away")
            }
            if !folders.contains(where: { $0.path == folder.path }) { folders.append(folder) }
        }
    }

    /// The nearest of a path and the folders above it that exists.
    private static func nearest(to path: String) -> String {
        var path = path
        while !PrivateFiles.isTaken(path) { path = PrivateFiles.folder(of: path) }
        return path
    }

    /// Throws if this user may not write where something is to be written.
    func checkRights() throws {
        var places = states.map(\.path)
        for file in files {
            if case .written = file.fate { places.append(file.target) }
        }
        for place in places {
            let folder = Self.nearest(to: PrivateFiles.folder(of: place))
            guard PrivateFiles.isWritable(folder: folder) else {
                throw ProgramFault(
                    "this user may not write in \(folder), or it is read-only: use sudo; nothing was changed")
            }
        }
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
        switch PrivateFiles.kind(of: path) {
        case .missing, .file: break
        case .brokenLink, .folder, .other:
            throw ProgramFault("\(path) is no regular file, and the state is to be there: move it away")
        }
        states.append(
            State(
                part: state.part, bytes: state.bytes, contents: program.program.contents, formerName: former,
                name: program.name, path: path))
    }

    private mutating func addFiles(_ backup: BackupFile, _ program: BackedProgram, _ wishes: Wishes) throws {
        for (part, bytes) in backup.parts(.file) where part.program == program.program {
            let path = NamedFiles.path(of: part.place, besides: program.path)
            try add(File(path, bytes, isSecret: false, replacing: replaces))
        }
        let sealed = backup.parts(.secret).filter { $0.part.program == program.program }
        guard !sealed.isEmpty else { return }
        guard let passphrase = wishes.passphrase else {
            omissions.append(
                "\(sealed.count) \(sealed.count == 1 ? "file" : "files") with secrets of the \(program.program.rawValue): "
                    + "give --passphrase-file")
            return
        }
        guard let salt = backup.manifest.salt, let rounds = backup.manifest.iterations,
            (1...BackupSeal.mostIterations).contains(rounds)
        else { throw BackupFault.damaged }
        let seal = BackupSeal(passphrase, salt: salt, iterations: rounds)
        for (part, bytes) in sealed {
            let path = NamedFiles.path(of: part.place, besides: program.path)
            let bytes = try seal.open(bytes, place: part.place)
            try add(File(path, bytes, isSecret: true, replacing: replaces))
        }
    }

    /// The path of the configuration of each program that is restored: those of `--config`, or all.
    private static func paths(
        _ kinds: [BackupManifest.Program], _ wishes: Wishes
    ) throws -> [BackupManifest.Program: String] {
        var paths: [BackupManifest.Program: String] = [:]
        for path in wishes.configurations {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let kind: BackupManifest.Program?
            if kinds.count == 1 {
                kind = kinds.first
                let named = BackupManifest.Program.allCases.filter { name.contains($0.rawValue) }
                if let kind, !named.isEmpty, !named.contains(kind) {
                    throw ProgramFault(
                        "the backup is of \(kind == .agent ? "an" : "a") \(kind.rawValue), and --config \(path) is named after "
                            + "another program: give the place of its own")
                }
            } else if PrivateFiles.exists(path), BackedProgram.isConfigured(path, wishes.environment) {
                kind = try BackedProgram(path: path, environment: wishes.environment).program
            } else {
                kind = kinds.first { name.contains($0.rawValue) }
            }
            guard let kind, kinds.contains(kind), paths[kind] == nil else {
                throw ProgramFault("--config \(path) fits no program of this backup, or one that has a file already")
            }
            paths[kind] = path
        }
        if paths.isEmpty { for kind in kinds { paths[kind] = kind.defaultPath } }
        return paths
    }

    /// A configuration with another name of its program.
    static func rename(_ bytes: [UInt8], _ key: String, to name: String, at path: String) throws -> [UInt8] {
        do throws(ConfigurationFaults) {
            var text = try ConfigurationText(bytes, file: path)
            try text.set(key, .text(name))
            return text.bytes
        } catch {
            throw ProgramFault(
                "the name in the backup's configuration can't be changed by a program: give --as a configuration with a "
                    + "line `\(key): \(name)`, at \(path)")
        }
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
            json.field("in_use", StateRestore.isInUse(state.path))
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
        JSONLine.list("folders", folders.map(\.path), to: &json)
        JSONLine.list("left_out", omissions, to: &json)
    }

    /// A line for each folder, state and file, and for what is left out.
    var preview: [String] {
        folders.map { "\($0.path): is a folder that is made" }
            + states.map { state in
                let kept =
                    PrivateFiles.exists(state.path)
                    ? ", the present one is kept as \(StateRestore.keptPath(of: state.path))" : ""
                let name = state.formerName == state.name ? "" : ", so far called \(state.formerName)"
                let use =
                    StateRestore.isInUse(state.path)
                    ? ", which a program has open: stop it first, \(Self.stop(state))" : ""
                return "state of \(state.part.program?.rawValue ?? "") \(state.name)\(name): \(state.path)\(kept)\(use)"
            }
            + files.map { file in
                switch file.fate {
                case .same: "\(file.path): is the same already"
                case .stays: "\(file.path): is another one, and stays (--replace-configuration replaces it)"
                case .written(true):
                    "\(file.path): is replaced, the present one is kept as \(StateRestore.keptPath(of: file.target))"
                case .written(false): "\(file.path): is written"
                }
            } + omissions.map { "left out: \($0)" }
    }

    /// The command that stops a program.
    private static func stop(_ state: State) -> String {
        "sudo systemctl stop whereabouts-\(state.part.program?.rawValue ?? "")"
    }

    /// Makes folders, and locks and prepares the states; throws if a program runs, and no file is changed then.
    ///
    /// - Parameter record: the row of the restoration in a fuser's audit.
    func prepare(recording record: AuditRecord) throws -> [StateRestore] {
        for folder in folders { try PrivateFiles.makeFolders(folder.path, mode: folder.mode) }
        return try states.map { state in
            do throws(StoreError) {
                let restore = try StateRestore(at: state.path, holding: state.contents)
                // A program under another name must not take back what the former one retains: that may run elsewhere.
                try restore.stage(
                    state.bytes, leavingOut: state.formerName == state.name ? [] : ["names"], recording: record)
                return restore
            } catch {
                switch error.kind {
                case .full:
                    throw ProgramFault("\(error.reason): make room there, and restore again; nothing was changed")
                case .otherWriter:
                    throw ProgramFault(
                        "\(error.reason): stop the program first, \(Self.stop(state)); nothing was changed")
                default: throw error
                }
            }
        }
    }

    /// Writes everything: files, states, configurations. Returns what came otherwise than in the preview, in words.
    func commit(_ restores: [StateRestore]) throws -> [String] {
        let configurations = Set(programs.map { PrivateFiles.location(of: $0.path) })
        var notes: [String] = []
        for file in files where !configurations.contains(file.target) { notes += try write(file) }
        for restore in restores { try restore.commit() }
        for file in files where configurations.contains(file.target) { notes += try write(file) }
        return notes
    }

    /// Writes a file by its fate of now: one may have come there since the preview.
    private func write(_ planned: File) throws -> [String] {
        guard case .written = planned.fate else { return [] }
        let isReplaced = planned.fate == .written(replacing: true)
        let file = try File(planned.path, planned.bytes, isSecret: planned.isSecret, replacing: replaces || isReplaced)
        switch file.fate {
        case .same: return []
        case .stays: return ["\(file.path) came meanwhile, is another one, and stays"]
        case .written(replacing: true):
            let present = try WholeFile.read(file.target, bound: BackupCommand.fileBound)
            try PrivateFiles.replace(present, at: StateRestore.keptPath(of: file.target), like: file.target)
            try PrivateFiles.replace(file.bytes, at: file.target, like: file.target)
        case .written(replacing: false):
            // A secret is its owner's alone, who is that of the state; without a state the group reads it, as after a setup.
            let group = file.isSecret && !states.isEmpty ? nil : Self.group
            try PrivateFiles.replace(file.bytes, at: file.target, like: file.target, sharedWith: group)
            if file.isSecret, let state = states.first?.path {
                PrivateFiles.give(file.target, toOwnerOf: PrivateFiles.folder(of: state))
            }
        }
        return []
    }
}
