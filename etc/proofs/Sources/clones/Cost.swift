import Bytes
import CloneDetection
import Glibc
import WireProtocol

/// The processor time that the detector takes for a window, with many items that all nodes hear once a second.
enum Cost {
    static func measure(items: Int, nodes: Int, seconds: Int) -> Double {
        let (ids, names) = ((0..<items).map { "item-\($0)" }, (0..<nodes).map { "node-\($0)" })
        var detector = CloneDetector()
        let start = clock()
        for second in 1_000_000..<1_000_000 + seconds {
            let from = Timestamp(microseconds: Int64(second) * 1_000_000)
            for item in 0..<items {
                var window = Window(
                    seq: UInt64(second), from: from, to: from.advanced(bySeconds: 1), node: "", epoch: "0",
                    id: "iBeacon:0", item: ids[item], count: 3)
                for node in 0..<nodes {
                    let level = -50 - (node &* 7 &+ item) % 44
                    window.node = names[node]
                    window.rssi = Window.Levels(
                        mean: Double(level), median: Double(level), minimum: level - 3, maximum: level + 3, deviation: 3
                    )
                    _ = detector.receive(window, of: ids[item])
                }
            }
        }
        let elapsed = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        return elapsed * 1e9 / Double(items * nodes * seconds)
    }
}
