import Bytes
import Identity
import Presence
import Testing

/// A node's input and output on a virtual clock: a page of lines, each with an event and the transitions reported by
/// then.
///
///     5...40 keys              → 5 determined inside office keys      heard each second from 5 to 40
///     until 69.9               →                                      time passes
///     gap 110...200                                                   nothing is listened to
///     asleep 110...30000                                              the same, of a machine
///     stopped until 1000                                              an outage: another process goes on
///     clock +3600                                                     the wall clock is set
///
/// Reports are `<first>[...<last>] [every <seconds>] <beacon> [at <address>]`: `keys`, `phone`, `stranger` (iBeacons of
/// group 100), `eddystone`, or a web address.
struct Story: CustomTestStringConvertible {
    let testDescription: String
    private let regions: [Region]
    private let page: String

    init(_ title: String, _ regions: [Region], _ page: String) {
        testDescription = title
        self.regions = regions
        self.page = page
    }

    /// Plays it; records an issue for each line with other transitions than written.
    func play() throws {
        var watch = Watch(regions: regions)
        for (number, line) in page.split(separator: "\n").enumerated() {
            let parts = line.split(separator: "→", omittingEmptySubsequences: false)
            try Self.happen(parts[0].split(separator: " ").map(String.init), &watch, regions)
            let told = watch.takeLines()
            guard parts.count > 1 else {
                #expect(told == [], "line \(number + 1): \(line)")
                continue
            }
            let expected = parts[1].split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(told == expected.filter { !$0.isEmpty }, "line \(number + 1): \(line)")
        }
    }

    private static func happen(_ words: [String], _ watch: inout Watch, _ regions: [Region]) throws {
        let last = try #require(words.last)
        switch words[0] {
        case "until": watch.advance(to: try #require(Double(last)))
        case "gap", "asleep":
            let (from, to) = try range(last)
            watch.gap(from, to)
        case "stopped":
            watch = Watch(restoring: watch.monitor.record, regions: regions, at: try #require(Double(last)))
        case "clock":
            watch.monitor.clockStepped(by: .seconds(try #require(Double(last))))
        default:
            var rest = words[1...]
            var (interval, address): (Double, UInt64) = (1, 0)
            if rest.first == "every" {
                interval = try #require(Double(rest[2]))
                rest = rest.dropFirst(2)
            }
            let name = try #require(rest.first)
            rest = rest.dropFirst()
            if rest.first == "at" { address = try #require(UInt64(last, radix: 16)) }
            try hear(name, range(words[0]), interval, address, &watch)
        }
    }

    private static func hear(
        _ name: String, _ range: (from: Double, to: Double), _ interval: Double, _ address: UInt64, _ watch: inout Watch
    ) throws {
        let beacons: [String: (id: BeaconID, address: UInt64)] = [
            "keys": (Watch.iBeacon(1), 1), "phone": (Watch.iBeacon(2), 2), "stranger": (Watch.iBeacon(7), 7),
            "eddystone": (Watch.eddystone(9), 9),
        ]
        let beacon = beacons[name]
        try watch.hear(
            beacon?.id, from: range.from, to: range.to, every: interval,
            address: address > 0 ? address : beacon?.address ?? 5, url: beacon == nil ? name : nil)
    }

    private static func range(_ text: String) throws -> (from: Double, to: Double) {
        let dots = text.firstRange(of: "...")
        let first = try #require(Double(text[..<(dots?.lowerBound ?? text.endIndex)]))
        return (first, try dots.map { try #require(Double(text[$0.upperBound...])) } ?? first)
    }
}
