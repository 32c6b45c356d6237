/// The reason why a file is no whole backup, with the remedy.
struct BackupFault: Error, Hashable, CustomStringConvertible {
    /// A sentence that follows the file's name.
    let description: String

    /// It is another kind of file.
    static let foreign = BackupFault(
        description: "is no backup of Whereabouts: give a file that `whereabouts backup` wrote")
    /// Bytes are missing or others.
    static let damaged = BackupFault(
        description: "is truncated or damaged, so nothing of it is used: copy it again, or take another backup")
    /// The passphrase is another one.
    static let sealed = BackupFault(description: "was sealed with another passphrase: give the one of its making")

    /// It has a form that this program doesn't know.
    static func newer(_ format: Int) -> BackupFault {
        BackupFault(
            description:
                "has the form \(format), and this program knows \(BackupManifest.format): install a newer version")
    }
}
