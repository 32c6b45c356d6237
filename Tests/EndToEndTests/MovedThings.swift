import Bytes
import Foundation
import Simulation
import Support

/// The flat of the fixtures with things in it that people carry about, and the times from a threshold to its
/// publication.
struct MovedThings {
    /// A thing that a person carries.
    struct Thing {
        var id: String
        var interval: String
        /// The walk of its bearer.
        var walk: String
    }

    /// Carried to another room, or out, with a stay of half a minute to a minute there.
    static func moved(_ name: String, _ count: Int, every interval: String) -> [Thing] {
        let walk = "pace: 1.3, roam: {rooms: [kitchen, living, away], stay: [30s, 60s]}"
        return things(name, count, every: interval, walk)
    }

    /// Carried by people who hardly stay anywhere.
    static func restless(_ name: String, _ count: Int, every interval: String) -> [Thing] {
        things(name, count, every: interval, "pace: 3, roam: {rooms: [kitchen, living, away], stay: [8s, 16s]}")
    }

    /// Two of both kinds that stay in each room, to teach with: the share of lost packets is part of the lesson.
    static let lessons = ["kitchen", "living"].flatMap { room in
        ["100ms", "1s"].map { interval in
            let walk = "roam: {rooms: [\(room)], stay: [3s, 8s]}"
            return (room: room, thing: Thing(id: "in-\(room)-\(interval)", interval: interval, walk: walk))
        }
    }

    /// At most 26: a digit at a name's end would look like Home Assistant's mark of a second one.
    private static func things(_ name: String, _ count: Int, every interval: String, _ walk: String) -> [Thing] {
        "abcdefghijklmnopqrstuvwxyz".prefix(count).map { Thing(id: "\(name)-\($0)", interval: interval, walk: walk) }
    }

    let things: [Thing]

    /// The scenario as a file.
    var scenario: String {
        get throws {
            guard let flat = readFile(ServedHouse.scenario), let people = flat.range(of: "walkers:") else {
                throw Fault.noScenario
            }
            let walkers = things.map { "  - {id: of-\($0.id), \($0.walk)}" }
            let beacons = zip(things, identities).map { thing, identity in
                "  - {id: \(thing.id), \(identity), interval: \(thing.interval), carried_by: of-\(thing.id), worn: front}"
            }
            let lines = [String(flat[..<people.lowerBound]), "walkers:"] + walkers + ["beacons:"] + beacons
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// The registry as a file.
    var items: String { zip(things, identities).map { "- {id: \($0.id), \($1)}\n" }.joined() }

    private var identities: [String] {
        things.indices.map { "ibeacon: {uuid: 48534442-4c45-4144-80c0-1800fffffff0, major: 7, minor: \($0)}" }
    }

    private enum Fault: Error { case noScenario }
}

/// Seconds from the step over a threshold, to the room of the stay after it, to its publication: 0 if that was
/// published before, infinity if it was not during the stay. In order.
struct Delays {
    /// From room to room.
    private(set) var moves: [Double] = []
    /// From outside to a room.
    private(set) var arrivals: [Double] = []
    /// From a room to outside.
    private(set) var departures: [Double] = []

    /// - Parameters:
    ///   - stay: the least seconds that count as a stay.
    ///   - name: the name of a room, or of nil for outside, in the messages.
    ///   - told: the published places of a thing, in order.
    init(
        _ things: [MovedThings.Thing], in truth: [TruthInterval], from: Timestamp, stay: Double,
        as name: (String?) -> String = { $0 ?? "away" },
        told: (_ thing: String) -> [(at: Timestamp, word: String)]
    ) {
        for thing in things {
            let told = told(thing.id)
            let stays = truth.filter { $0.item == thing.id }
            for (before, after) in zip(stays, stays.dropFirst())
            where before.room != after.room && after.start >= from && after.end.seconds(since: after.start) >= stay {
                let word = name(after.room)
                let isKnown = told.last { $0.at <= after.start }?.word == word
                let first = told.first { $0.at > after.start && $0.at < after.end && $0.word == word }?.at
                let delay = isKnown ? 0 : first?.seconds(since: after.start) ?? .infinity
                if before.room == nil {
                    arrivals.append(delay)
                } else if after.room == nil {
                    departures.append(delay)
                } else {
                    moves.append(delay)
                }
            }
        }
        moves.sort()
        arrivals.sort()
        departures.sort()
    }

    /// The delay that so great a share of them does not exceed.
    static func quantile(_ share: Double, of delays: [Double]) -> Double {
        delays.isEmpty ? .infinity : delays[max(0, Int((share * Double(delays.count)).rounded(.up)) - 1)]
    }

    /// A line of a table.
    static func row(_ name: String, _ delays: [Double]) -> String {
        let shown = [0.5, 0.95, 1].map { share -> String in
            let delay = quantile(share, of: delays)
            return delay.isFinite ? "\((delay * 100).rounded() / 100)" : "never"
        }
        return "\(name): \(delays.count), p50 \(shown[0]) s, p95 \(shown[1]) s, longest \(shown[2]) s"
    }
}
