import Bytes
import HomeFiles
import RoomEstimation

/// A recorded home with its splits into sessions to learn from and sessions to be judged on.
struct Home: Sendable {
    /// What is scored together.
    struct Row: Sendable {
        var name: String
        var folds: [RecordedHome.Fold]
        /// Whether it is judged with `AnotherTag`: such a row counts where constants are chosen, and not where they are scored.
        var isAnotherTag = false
        var scope: Constant.Scope { folds.allSatisfy(\.train.isEmpty) ? .alone : .taught }
    }

    /// How many of the labelled seconds were told right.
    struct Tally: Sendable {
        var right = 0
        var seconds = 0
    }

    let rows: [Row]
    private let home: RecordedHome

    var name: String { home.name }

    /// Reads the files of a home, and adds a row with another tag to the longest of those with lessons.
    init(name: String, folder: String) throws {
        home = try RecordedHome(name: name, folder: folder)
        var rows = home.splits.map { Row(name: $0.name, folds: $0.folds) }
        let longest = rows.filter { $0.scope == .taught }.max { $0.folds.count < $1.folds.count }
        if var row = longest {
            (row.name, row.isAnotherTag) = (row.name + ", another tag", true)
            rows.append(row)
        }
        self.rows = rows
    }

    /// Learns and is judged in one fold of a row: each labelled second counts once, at its half.
    func judge(
        _ fold: RecordedHome.Fold, of row: Row, _ parameters: Parameters
    ) -> Tally {
        let fresh = home.locator(for: fold, parameters)
        var tally = Tally()
        for (key, recording) in home.scored(in: fold) {
            var locator = fresh
            let hops = row.isAnotherTag ? AnotherTag.hops(of: recording) : recording.hops
            let answers = hops.map { locator.weigh($0).room }
            let first = (recording.hops.first?.end.microseconds ?? 0) / 1_000_000
            for stay in home.stays[key] ?? [] {
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

/// A tag that wasn't taught, made of one that was: each node hears it otherwise in each room, as one that is carried otherwise
/// is heard.
enum AnotherTag {
    /// By so much, in dB: lessons are misled by it, the nearest node is told as before most times.
    private static let deviation = 6.0

    /// The hops of a recording as that tag would have made them.
    static func hops(of recording: Recording) -> [Hop] {
        var last = 0
        return zip(recording.hops, recording.rooms).map { hop, room in
            last = room ?? last
            var other = Hop(end: hop.end, listening: hop.listening)
            for reading in hop.readings {
                var reading = reading
                reading.level += deviation * normal(UInt64(reading.node) << 32 | UInt64(last))
                other.insert(reading)
            }
            return other
        }
    }

    /// A number with mean 0 and variance 1 that goes with a key: twelve even ones less their mean (SplitMix64).
    private static func normal(_ key: UInt64) -> Double {
        var (state, sum) = (key &* 0x9E37_79B9_7F4A_7C15, -6.0)
        for _ in 0..<12 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            sum += Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
        }
        return sum
    }
}
