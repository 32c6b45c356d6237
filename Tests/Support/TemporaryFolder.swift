import Foundation

/// A folder of a test's own, removed with the last reference.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// A new empty folder.
    public init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path(percentEncoded: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file in the folder, and returns its path.
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }
}
