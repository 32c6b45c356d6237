import Bytes
import CloneDetection
import WireProtocol

/// A house's detector, which is given packets as agents condense them: a window a second, node and item.
struct Watcher {
    var detector = CloneDetector()
    private var origin = 1_000_000

    /// The suspicions of a run: seconds from its begin, and the evidence.
    typealias Alerts = [(at: Double, evidence: CloneEvidence)]

    /// Hears an item for a while. Runs follow each other after an hour without packets.
    mutating func hear(_ packets: [Heard], item: String = "tag") -> Alerts {
        guard let first = packets.first?.at, let last = packets.last?.at else { return [] }
        let begin = Int(first.rounded(.down))
        defer { origin += Int(last) - begin + 3600 }
        var alerts: Alerts = []
        var next = 0
        for second in begin...Int(last) {
            var heard: [Heard] = []
            while next < packets.count, packets[next].at < Double(second + 1) {
                heard.append(packets[next])
                next += 1
            }
            let from = origin + second - begin
            for window in Self.windows(heard[...], item: item, from: from) {
                if let evidence = detector.receive(window, of: item)?.evidence {
                    alerts.append((Double(second) - first, evidence))
                }
            }
            _ = detector.advance(to: Timestamp(microseconds: Int64(from + 1) * 1_000_000))
        }
        return alerts
    }

    /// The windows of a second.
    static func windows(_ heard: ArraySlice<Heard>, item: String, from: Int) -> [Window] {
        Dictionary(grouping: heard, by: \.node).sorted { $0.key < $1.key }.map { node, packets in
            window(packets, node: node, item: item, from: from)
        }
    }

    private static func window(_ packets: [Heard], node: String, item: String, from: Int) -> Window {
        var window = Window(
            seq: UInt64(from), from: Timestamp(microseconds: Int64(from) * 1_000_000),
            to: Timestamp(microseconds: Int64(from + 1) * 1_000_000), node: node, epoch: "0", id: "iBeacon:0",
            item: item,
            count: packets.count)
        let levels = packets.map(\.level)
        let mean = levels.reduce(0, +) / Double(levels.count)
        let squares = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        window.rssi = Window.Levels(
            mean: mean, median: levels.sorted()[levels.count / 2], minimum: Int((levels.min() ?? 0).rounded()),
            maximum: Int((levels.max() ?? 0).rounded()),
            deviation: levels.count > 1 ? (squares / Double(levels.count - 1)).squareRoot() : nil)
        window.power = packets.last?.power
        var (latest, previous, returns): (Int?, Int?, Int) = (nil, nil, 0)
        for packet in packets where packet.sender != latest {
            if packet.sender == previous { returns += 1 }
            (latest, previous) = (packet.sender, latest)
        }
        window.addressReturns = returns > 0 ? returns : nil
        return window
    }
}
