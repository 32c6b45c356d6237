internal import Bytes
internal import System

/// The reports about keys.
extension AgentService {
    /// The interval between checks of the items' keys, in microseconds of the source's time: one second.
    private static let keyPause: Int64 = 1_000_000

    /// Logs new problems with keys, once; `info` reports them while they last.
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
