internal import BrokerSession
internal import System

extension RestorePlan {
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

        /// Its path, and where that leads behind links.
        var path: String, target: String
        var bytes: [UInt8]
        var isSecret: Bool
        var fate: Fate

        /// Looks at what is at the path. Throws if no file can be written there.
        init(_ path: String, _ bytes: [UInt8], isSecret: Bool, replacing: Bool) throws {
            (self.path, self.bytes, self.isSecret) = (path, bytes, isSecret)
            target = PrivateFiles.location(of: path)
            switch PrivateFiles.kind(of: path) {
            case .missing: fate = .written(replacing: false)
            case .file:
                let there = try? WholeFile.read(path, bound: BackupCommand.fileBound)
                fate = there == bytes ? .same : replacing ? .written(replacing: true) : .stays
            case .brokenLink: throw ProgramFault("\(path) is a link to nothing: remove it, or make the file it names")
            case .folder, .other: throw ProgramFault("\(path) is no regular file, and the backup has one: move it away")
            }
        }
    }
}
