import Foundation

/// Data beside the repository that some tests compare with, where it is there: real captures that aren't ours to commit.
public enum SharedData {
    /// The root of the repository.
    public static let repository = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// The path of a shared file: under `WHEREABOUTS_SHARED`, else under `../shared` beside the repository. Nil where it
    /// isn't there.
    public static func path(_ name: String) -> String? {
        let environment = ProcessInfo.processInfo.environment["WHEREABOUTS_SHARED"]
        let folder = environment ?? repository + "/../shared"
        let path = folder + "/" + name
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }
}
