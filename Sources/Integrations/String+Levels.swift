extension String {
    /// True if it begins with one of these, compared byte by byte.
    func begins(withAnyOf starts: [String]) -> Bool { starts.contains { utf8.starts(with: $0.utf8) } }

    /// The levels of a topic below a root, compared byte by byte; nil if it isn't below it.
    ///
    /// It is called for every message: one of another root costs a comparison, and no memory.
    func levels(under root: String) -> [Substring]? {
        guard utf8.starts(with: root.utf8) else { return nil }
        let rest = utf8.dropFirst(root.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        return rest.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
