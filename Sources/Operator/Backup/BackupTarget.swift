internal import BrokerSession
internal import Bytes
internal import Configuration
internal import System

/// The place of a new backup: a file, or a new name in a folder.
struct BackupTarget {
    /// The path of the file, behind a link.
    private(set) var path: String
    /// The time that the name in a folder has.
    private var time: Timestamp
    /// True if the command line named a folder.
    let isFolder: Bool
    /// True if a backup is there, which is replaced.
    let isThere: Bool

    /// Looks at the file or folder of the command line. Throws if it is neither a backup, nor a folder, nor free.
    init(_ target: String, at now: Timestamp) throws {
        isFolder = PrivateFiles.isFolder(target)
        let folder = isFolder ? target : PrivateFiles.folder(of: target)
        guard PrivateFiles.isFolder(folder) else {
            throw ProgramFault("there is no folder '\(folder)': make it, or name another FILE")
        }
        time = now
        guard !isFolder else {
            (path, isThere) = (Self.path(in: target, at: now), false)
            return
        }
        let problem: String?
        switch PrivateFiles.kind(of: target) {
        case .missing:
            (path, isThere, problem) = (target, false, nil)
        case .file:
            (path, isThere) = (PrivateFiles.resolved(target), true)
            let opening = Array(BackupFile.opening.utf8)
            let isBackup = try WholeFile.beginning(of: path, count: opening.count) == opening
            problem = isBackup ? nil : "is no backup of Whereabouts, and is not replaced"
        case .brokenLink: (path, isThere, problem) = (target, true, "is a link to nothing")
        case .folder, .other: (path, isThere, problem) = (target, true, "is no regular file")
        }
        if let problem { throw ProgramFault("'\(target)' \(problem): name another FILE") }
    }

    /// Writes the file. In a folder it has a name of its own: another second's where one has this second's.
    mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        guard isFolder else { return try PrivateFiles.write(bytes, to: path) }
        let folder = PrivateFiles.folder(of: path)
        while true {
            do throws(SystemError) {
                return try PrivateFiles.create(bytes, at: path)
            } catch {
                guard PrivateFiles.isTaken(path) else { throw error }
                time = time.advanced(bySeconds: 1)
                path = Self.path(in: folder, at: time)
            }
        }
    }

    /// The end of the name of a state's copy; SQLite's own files beside it have more behind that.
    private static let copyEnd = "whereabouts-copy"

    /// A new name beside the file for a copy of a state.
    func newCopy() -> String { "\(path).\(SystemRandom.epoch()).\(Self.copyEnd)" }

    /// True if the backup that is there has what a broker retains. Reads it whole.
    func hasBroker() -> Bool {
        let present = try? BackupFile(bytes: try WholeFile.read(path, bound: BackupFile.bound))
        return present?.parts(.retained).isEmpty == false
    }

    /// Throws if it is a file that is backed up, there or not.
    func refuse(_ programs: [BackedProgram]) throws {
        let own = PrivateFiles.location(of: path)
        for program in programs {
            let states =
                program.state.map { state in ["", "-wal", "-shm", "-journal", ".lock"].map { state + $0 } } ?? []
            let named = try NamedFiles.list(of: program.path).map {
                NamedFiles.path(of: $0.place, besides: program.path)
            }
            for file in [program.path] + states + named where PrivateFiles.location(of: file) == own {
                throw ProgramFault("'\(path)' is one of the files that are backed up: name another FILE")
            }
        }
    }

    // MARK: Names

    private static let nameStart = "whereabouts-", nameEnd = ".backup"

    private static func path(in folder: String, at time: Timestamp) -> String {
        "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(name(at: time))"
    }

    /// The name of a backup in a folder, such as `whereabouts-20261126-093000.backup`, in UTC.
    static func name(at time: Timestamp) -> String {
        let parts = CalendarTime(time)
        let digits = [parts.date, parts.clock].map { $0.filter(\.isNumber) }.joined(separator: "-")
        return nameStart + digits + nameEnd
    }

    /// True for a name that such a backup has.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix(nameStart), name.hasSuffix(nameEnd) else { return false }
        let parts = name.dropFirst(nameStart.count).dropLast(nameEnd.count).split(
            separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 6]
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// The names that are too many in a folder where the newest are kept: the one just written, and others by their time.
    static func surplus(_ names: [String], keeping count: Int, besides written: String) -> [String] {
        Array(names.filter { isName($0) && $0 != written }.sorted().dropLast(count - 1))
    }

    /// Removes the oldest backups of its folder, and never the one just written.
    func removeOld(keeping count: Int) throws {
        let folder = PrivateFiles.folder(of: path)
        let written = path.split(separator: "/").last.map(String.init) ?? path
        for name in Self.surplus(try PrivateFiles.names(in: folder), keeping: count, besides: written) {
            try PrivateFiles.remove("\(folder)/\(name)")
        }
    }

    /// Removes what killed backups left beside the file, an hour later: their names have eight digits and a word of their own
    /// behind the file's.
    func removeRemains() {
        let folder = PrivateFiles.folder(of: path)
        let base = path.split(separator: "/").last.map(String.init) ?? path
        for name in (try? PrivateFiles.names(in: folder)) ?? [] {
            // A folder's backups differ in the digits of their time.
            let start = isFolder ? String(name.prefix(base.utf8.count)) : base
            guard name.hasPrefix(start + "."), !isFolder || Self.isName(start) else { continue }
            let words = name.dropFirst(start.count + 1).split(separator: ".", omittingEmptySubsequences: false)
            guard words.count == 2, words[0].utf8.count == 8, Hex.bytes(words[0]) != nil,
                words[1] == PrivateFiles.draftEnd || words[1].hasPrefix(Self.copyEnd)
            else { continue }
            let file = "\(folder)/\(name)"
            if PrivateFiles.age(of: file).map({ $0 > 3600 }) ?? false { try? PrivateFiles.remove(file) }
        }
    }
}
