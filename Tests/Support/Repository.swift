/// The path of the repository: some tests read its own files.
public enum Repository {
    /// The path of its root.
    public static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")
}
