public import Bytes
internal import Identity

/// The handling of keys in a node.
extension NodePipeline {
    /// The most items with a reported key problem.
    static let keyProblemBound = 20

    /// The problems with the identification of items, a sentence each, by item; those with the first ids.
    public mutating func keyProblems(at time: Timestamp) -> [(item: String, words: String)] {
        var findings = builder.resolver.findings(at: time)
        for item in builder.changing where findings[item] == nil { findings[item] = .changingAddress }
        guard !findings.isEmpty else { return [] }
        return findings.sorted { $0.key < $1.key }.prefix(Self.keyProblemBound).map { item, finding in
            (item, "'\(item)' \(finding.words)")
        }
    }
}
