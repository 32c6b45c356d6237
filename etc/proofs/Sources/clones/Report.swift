import CloneDetection
import Foundation

/// The table of attacks that were found, and of false alarms.
struct Report {
    let seed: UInt64
    let trials: Int
    /// The attacks that were tried on all recordings, and those that were found.
    private(set) var tried = 0, found = 0
    /// The false alarms in recordings, and their hours.
    private(set) var alerts = 0, hours = 0.0

    init(seed: UInt64, trials: Int) { (self.seed, self.trials) = (seed, trials) }

    mutating func run(_ files: [(name: String, path: String)]) throws {
        guard !files.isEmpty else { return }
        let recordings = try files.map { try Recording(name: $0.name, path: $0.path) }
        var rows = Attack.all.map { [$0.name] }
        var (clean, cold): ([String], [String]) = (
            ["no attack: false alarms a day"], ["the same, with nothing learned before"]
        )
        for recording in recordings {
            var learned: [Substring: Watcher] = [:]
            for group in Set(recording.sessions.map { Recording.group(of: $0.name) }) {
                var watcher = Watcher()
                for session in recording.sessions where Recording.group(of: session.name) != group {
                    _ = watcher.hear(session.packets)
                }
                learned[group] = watcher
            }
            var found = 0
            for session in recording.sessions {
                var watcher = learned[Recording.group(of: session.name)] ?? Watcher()
                let alerts = watcher.hear(session.packets)
                for alert in alerts {
                    print("  \(recording.name) \(session.name) at \(Int(alert.at)) s: \(alert.evidence.text)")
                }
                found += alerts.count
            }
            var fresh = Watcher()
            let first = recording.sessions.reduce(0) { $0 + fresh.hear($1.packets).count }
            alerts += found
            hours += recording.seconds / 3600
            clean.append(Self.rate(found, hours: recording.seconds / 3600))
            cold.append(Self.rate(first, hours: recording.seconds / 3600))
            let pieces = Piece.all(of: recording)
            for (index, attack) in Attack.all.enumerated() {
                rows[index].append(tryOut(attack, on: recording, pieces, learned))
            }
        }
        Self.show([["of \(trials) found, median seconds"] + recordings.map(\.name)] + rows + [clean, cold])
        print("found: \(found) of \(tried) attacks, \(Self.decimal(100 * Double(found) / Double(max(1, tried)))) %")
        print("false alarms a day: \(Self.rate(alerts, hours: hours)) of recordings\n")
    }

    private mutating func tryOut(
        _ attack: Attack, on recording: Recording, _ pieces: [Piece], _ learned: [Substring: Watcher]
    ) -> String {
        var random = Draws(state: seed)
        let long = recording.sessions.filter { ($0.packets.last?.at ?? 0) - ($0.packets.first?.at ?? 0) >= 160 }
        var (found, tried, seconds) = (0, 0, [Double]())
        for _ in 0..<trials * 4 where tried < trials {
            guard let session = long.randomElement(using: &random), let first = session.packets.first?.at,
                let last = session.packets.last?.at
            else { break }
            let begin = Double.random(in: first + 60...max(first + 61, last - 90), using: &random)
            guard let packets = attack.packets(on: session, at: begin, from: pieces, &random) else { continue }
            tried += 1
            var watcher = learned[Recording.group(of: session.name)] ?? Watcher()
            guard let alert = watcher.hear(packets).first(where: { $0.at >= 20 }) else { continue }
            found += 1
            seconds.append(alert.at - 20)
        }
        self.tried += tried
        self.found += found
        seconds.sort()
        let median = seconds.isEmpty ? "" : " \(Int(seconds[seconds.count / 2]))s"
        return tried < trials ? "\(found)/\(tried)\(median)" : "\(found)\(median)"
    }

    func show(_ houses: Houses) {
        let kinds = houses.alerts.sorted { $0.key < $1.key }.map { "\($0.value) by \($0.key)" }.joined(separator: ", ")
        print(
            "false alarms a day: \(Self.rate(houses.falseAlarms, hours: houses.hours)) of \(houses.count) houses with 12 items each"
                + (kinds.isEmpty ? "" : " (\(kinds))"))
    }

    /// The number of events a day, with the time in which they were counted.
    private static func rate(_ count: Int, hours: Double) -> String {
        "\(decimal(Double(count) * 24 / max(hours, 0.1))) (\(count) in \(decimal(hours)) h)"
    }

    /// The kind of evidence as a word.
    static func kind(_ evidence: CloneEvidence) -> String {
        switch evidence.kind {
        case .places: "places"
        case .levels: "levels"
        case .power: "power"
        case .addresses: "addresses"
        }
    }

    private static func decimal(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

    private static func show(_ rows: [[String]]) {
        let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            print(zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  "))
        }
    }
}

/// SplitMix64, so that a seed gives the same attacks.
struct Draws: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
