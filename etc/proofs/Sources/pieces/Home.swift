import Bytes
import HomeFiles
import RoomEstimation

/// A recorded home with its splits into sessions to learn from and sessions to be scored.
struct Home: Sendable {
    struct Row: Sendable {
        var name: String
        var folds: [(train: Set<Substring>, test: Set<Substring>)]
    }

    let name: String
    private(set) var rows: [Row] = []
    private let house: House
    private let recordings: [(key: Key, recording: Recording)]
    private let stays: [Key: [Stay]]

    /// Reads `home.json`, `sightings.csv`, `truth.csv` and `splits.csv` (`group,train,test`, sessions parted by spaces).
    init(name: String, folder: String) throws {
        self.name = name
        let files = try HomeFiles(home: folder + "/home.json")
        house = files.house
        recordings = try files.recordings(folder + "/sightings.csv", truth: folder + "/truth.csv")
        stays = try files.stays(folder + "/truth.csv")
        for split in try files.rows(folder + "/splits.csv") {
            if rows.last?.name != String(split[0]) { rows.append(Row(name: String(split[0]), folds: [])) }
            rows[rows.count - 1].folds.append(
                (Set(split[1].split(separator: " ")), Set(split[2].split(separator: " "))))
        }
    }

    /// The figures of a row with these parameters.
    func score(_ row: Row, _ parameters: Parameters) -> Figures {
        var figures = Figures()
        for fold in row.folds {
            let taught = recordings.filter { fold.train.contains($0.key.session) }.map(\.recording)
            let lessons = taught.isEmpty ? nil : TrainedModel(taught, in: house, parameters: parameters)
            let fresh = Locator(house: house, lessons: lessons, parameters: parameters)
            for (key, recording) in recordings where fold.test.contains(key.session) {
                var locator = fresh
                let answers = recording.hops.compactMap { hop -> Told? in
                    let answer = locator.weigh(hop)
                    return answer.room.map {
                        Told(time: Double(hop.end.microseconds) / 1e6, room: $0, confidence: answer.confidence)
                    }
                }
                figures.score(answers, truth: stays[key] ?? [])
            }
        }
        return figures
    }

    /// The figures of the rule that an item is where its mean level of some seconds is greatest.
    func scoreLoudest(_ row: Row, seconds: Int) -> Figures {
        var figures = Figures()
        for fold in row.folds {
            for (key, recording) in recordings where fold.test.contains(key.session) {
                var window: [[(node: Int, level: Double)]] = []
                var told: [Told] = []
                var room: Int?
                for hop in recording.hops {
                    window.append(hop.readings.map { ($0.node, $0.level) })
                    if window.count > seconds { window.removeFirst() }
                    var sums: [Int: (sum: Double, count: Double)] = [:]
                    for (node, level) in window.joined() {
                        sums[node, default: (0, 0)].sum += level
                        sums[node, default: (0, 0)].count += 1
                    }
                    let best = sums.max {
                        ($0.value.sum / $0.value.count, $1.key) < ($1.value.sum / $1.value.count, $0.key)
                    }
                    room = best.flatMap { house.nodes[$0.key].room } ?? room
                    if let room {
                        told.append(Told(time: Double(hop.end.microseconds) / 1e6, room: room, confidence: 1))
                    }
                }
                figures.score(told, truth: stays[key] ?? [])
            }
        }
        return figures
    }
}
