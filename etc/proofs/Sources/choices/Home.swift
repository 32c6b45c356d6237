import Bytes
import HomeFiles
import RoomEstimation

/// A recorded home with its splits into sessions to learn from and sessions to be judged on.
struct Home: Sendable {
    /// What is scored together.
    struct Row: Sendable {
        var name: String
        var folds: [(train: Set<Substring>, test: Set<Substring>)]
        /// Whether it is judged with `AnotherTag`: such a row counts where constants are chosen, and not where they are scored.
        var isAnotherTag = false
        var scope: Constant.Scope { folds.allSatisfy(\.train.isEmpty) ? .alone : .taught }
    }

    /// How many of the labelled seconds were told right.
    struct Tally: Sendable {
        var right = 0
        var seconds = 0
    }

    let name: String
    let rows: [Row]
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
        var rows: [Row] = []
        for split in try files.rows(folder + "/splits.csv") {
            let fold = (train: Set(split[1].split(separator: " ")), test: Set(split[2].split(separator: " ")))
            if rows.last?.name != String(split[0]) { rows.append(Row(name: String(split[0]), folds: [])) }
            rows[rows.count - 1].folds.append(fold)
        }
        let longest = rows.filter { $0.scope == .taught }.max { $0.folds.count < $1.folds.count }
        if var row = longest {
            (row.name, row.isAnotherTag) = (row.name + ", another tag", true)
            rows.append(row)
        }
        self.rows = rows
    }

    /// Learns and is judged in one fold of a row: each labelled second counts once, at its half.
    func judge(
        _ fold: (train: Set<Substring>, test: Set<Substring>), of row: Row, _ parameters: Parameters
    ) -> Tally {
        let taught = recordings.filter { fold.train.contains($0.key.session) }.map(\.recording)
        let lessons = taught.isEmpty ? nil : Lessons(taught, in: house, parameters: parameters)
        let fresh = Locator(house: house, lessons: lessons, parameters: parameters)
        var tally = Tally()
        for (key, recording) in recordings where fold.test.contains(key.session) {
            var locator = fresh
            let hops = row.isAnotherTag ? AnotherTag.hops(of: recording) : recording.hops
            let answers = hops.map { locator.weigh($0).room }
            let first = (recording.hops.first?.end.microseconds ?? 0) / 1_000_000
            for stay in stays[key] ?? [] {
                var second = stay.start.rounded(.down)
                if second + 0.5 < stay.start { second += 1 }
                while second + 0.5 < stay.end {
                    let place = min(Int(second) - Int(first), answers.count - 1)
                    if place >= 0, answers[place] == stay.room { tally.right += 1 }
                    tally.seconds += 1
                    second += 1
                }
            }
        }
        return tally
    }
}
