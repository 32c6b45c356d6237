public import Bytes
internal import Identity

/// What keys make of what a node hears.
extension NodePipeline {
    /// Items told at most of which something is wrong with the key.
    static let keyProblemBound = 20

    /// What is wrong with how items are known, a sentence each, by item; those that come first by id.
    public mutating func keyProblems(at time: Timestamp) -> [(item: String, words: String)] {
        var findings = listener.resolver.findings(at: time)
        for item in listener.changing where findings[item] == nil { findings[item] = .changingAddress }
        guard !findings.isEmpty else { return [] }
        return findings.sorted { $0.key < $1.key }.prefix(Self.keyProblemBound).map { item, finding in
            (item, "'\(item)' \(finding.words)")
        }
    }
}
