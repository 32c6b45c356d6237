public import RoomEstimation

/// A recorded home with its splits into sessions to learn from and sessions to be scored.
public struct RecordedHome: Sendable {
    /// Sessions to learn from, and sessions to be scored with what was learned.
    public typealias Fold = (train: Set<Substring>, test: Set<Substring>)

    /// Folds that are scored together.
    public struct Split: Sendable {
        /// Its name in the files.
        public var name: String
        /// Its folds, in the order of the file.
        public var folds: [Fold]
    }

    /// The home's name.
    public let name: String
    /// Its rooms and nodes.
    public let house: House
    /// The hops of each tag in each session, with its room at the end of each.
    public let recordings: [(key: Key, recording: Recording)]
    /// Where each tag was, in order of time.
    public let stays: [Key: [Stay]]
    /// Its splits, in the order of the file.
    public private(set) var splits: [Split] = []

    /// Reads `home.json`, `sightings.csv`, `truth.csv` and `splits.csv` (`group,train,test`, sessions parted by spaces).
    public init(name: String, folder: String) throws {
        self.name = name
        let files = try HomeFiles(home: folder + "/home.json")
        house = files.house
        recordings = try files.recordings(folder + "/sightings.csv", truth: folder + "/truth.csv")
        stays = try files.stays(folder + "/truth.csv")
        for row in try files.rows(folder + "/splits.csv") {
            let fold = (train: Set(row[1].split(separator: " ")), test: Set(row[2].split(separator: " ")))
            if splits.last?.name != String(row[0]) { splits.append(Split(name: String(row[0]), folds: [])) }
            splits[splits.count - 1].folds.append(fold)
        }
    }

    /// A locator that has learned what a fold teaches, and has observed nothing.
    public func locator(for fold: Fold, _ parameters: Parameters) -> Locator {
        let taught = recordings.filter { fold.train.contains($0.key.session) }.map(\.recording)
        let lessons = taught.isEmpty ? nil : TrainedModel(taught, in: house, parameters: parameters)
        return Locator(house: house, lessons: lessons, parameters: parameters)
    }

    /// The recordings that a fold scores.
    public func scored(in fold: Fold) -> [(key: Key, recording: Recording)] {
        recordings.filter { fold.test.contains($0.key.session) }
    }
}
