internal import Bytes
internal import System

/// What is told of keys.
extension AgentService {
    /// Looks at most once a second of the source's time, in microseconds, at what is wrong with how items are known.
    private static let keyPause: Int64 = 1_000_000

    /// Logs what is new of it, once; `info` tells it while it lasts.
    func judgeKeys() {
        if let judged = judgedKeys, now.microseconds(since: judged).magnitude < Self.keyPause { return }
        judgedKeys = now
        let found = pipeline.keyProblems(at: now) + registry.keyProblems.prefix(NodePipeline.keyProblemBound)
        guard !found.isEmpty || !keyProblems.isEmpty else { return }
        for (item, words) in found { log.change("known \(item)", .warning, words) }
        for (item, _) in keyProblems where !found.contains(where: { $0.item == item }) {
            log.change("known \(item)", .notice, "'\(item)' is heard as it should be, or no more")
        }
        keyProblems = found
    }
}
