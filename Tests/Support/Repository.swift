import Foundation

/// The path of the repository: some tests read its own files.
public enum Repository {
    /// The path of its root.
    public static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")
}

/// Recordings and vectors that lie beside the repository and are no part of it. Tests that use them skip absent ones.
public enum SharedMaterial {
    /// The path of a file below `../shared` as seen from the repository's root (or below `WHEREABOUTS_SHARED`), or nil.
    public static func path(_ relative: String, file: String = #filePath) -> String? {
        var folders = [(file as NSString).pathComponents.dropLast(4).joined(separator: "/") + "/shared"]
        if let named = ProcessInfo.processInfo.environment["WHEREABOUTS_SHARED"] { folders.append(named) }
        return folders.map { $0 + "/" + relative }.first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
