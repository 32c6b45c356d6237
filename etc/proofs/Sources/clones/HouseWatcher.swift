import Bytes
import CloneDetection
import WireProtocol

/// A detector of a house with many items, which are heard at the same time.
struct HouseWatcher {
    private var detector = CloneDetector()

    /// Hears items, each from second 0 on. Returns the suspicions with their seconds and the numbers of their items.
    mutating func hear(_ items: [[Heard]], seconds: Int) -> [(second: Int, item: Int, evidence: CloneEvidence)] {
        var next = items.map { _ in 0 }
        var found: [(second: Int, item: Int, evidence: CloneEvidence)] = []
        for second in 0..<seconds {
            for (item, packets) in items.enumerated() {
                let first = next[item]
                while next[item] < packets.count, packets[next[item]].at < Double(second + 1) { next[item] += 1 }
                let windows = Watcher.windows(
                    packets[first..<next[item]], item: "item-\(item)", from: 1_000_000 + second)
                for window in windows {
                    if let evidence = detector.receive(window, of: "item-\(item)")?.evidence {
                        found.append((second, item, evidence))
                    }
                }
            }
            _ = detector.advance(to: Timestamp(microseconds: Int64(1_000_001 + second) * 1_000_000))
        }
        return found
    }
}
