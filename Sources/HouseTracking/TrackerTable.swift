internal import Bytes
internal import RoomEstimation

/// The trackers of all items, in the order in which they became known, and the house that they share.
struct TrackerTable: RandomAccessCollection, Sendable {
    private var trackers: [Tracker] = []
    private var indexOfItem: [String: Int] = [:]
    /// The items that nobody has registered, as far as this run knows.
    private var strangers: Set<String> = []
    /// A locator without any observation, whose house all trackers share.
    private(set) var blank: Locator

    init(house: House) { blank = Locator(house: house) }

    var startIndex: Int { 0 }
    var endIndex: Int { trackers.count }

    // A tracker is large: it is changed and read in its place.
    subscript(index: Int) -> Tracker {
        _read { yield trackers[index] }
        _modify { yield &trackers[index] }
    }

    /// The index of an item's tracker; nil if it has none.
    func index(of item: String) -> Int? { indexOfItem[item] }

    /// The index of an item's tracker, found or added; nil if there is no room for it.
    mutating func findOrAdd(_ item: String, isRegistered: Bool = true, at time: Timestamp) -> Int? {
        if let index = indexOfItem[item] { return index }
        // A window can name any id: half of the places are for items that somebody has registered.
        guard isRegistered || strangers.count < Household.itemCapacity / 2 else { return nil }
        return append(Tracker(id: item, locator: blank, at: time), isRegistered: isRegistered)
    }

    /// Adds the tracker of an item that has none; nil if there is no room for it.
    @discardableResult
    mutating func append(_ tracker: Tracker, isRegistered: Bool) -> Int? {
        guard trackers.count < Household.itemCapacity else { return nil }
        if !isRegistered { strangers.insert(tracker.id) }
        indexOfItem[tracker.id] = trackers.count
        trackers.append(tracker)
        return trackers.count - 1
    }

    /// Records that an item is registered.
    mutating func register(_ item: String) { strangers.remove(item) }

    /// Replaces the tracker of an item by one without any observation, which continues its event numbers.
    mutating func reset(_ index: Int, at time: Timestamp) {
        let (id, before) = (trackers[index].id, trackers[index].publications)
        trackers[index] = Tracker(id: id, locator: blank, at: time)
        trackers[index].publications = ItemPublications(events: before.events, knownUntil: before.knownUntil)
    }

    /// Shares the present house with all trackers.
    mutating func share(_ house: House) {
        blank.update(house)
        for index in trackers.indices { trackers[index].update(like: blank) }
    }

    /// Puts a trained model in force.
    ///
    /// - Parameters:
    ///   - isFirst: true if items have waited for it to be placed.
    ///   - teachers: the items whose lessons it has learned for the first time.
    ///   - taughtAt: time of the last lesson.
    mutating func learn(
        _ model: TrainedModel?, in house: House, isFirst: Bool, teachers: Set<String>, taughtAt: Timestamp?
    ) {
        blank = Locator(house: house, lessons: model)
        for index in trackers.indices {
            if isFirst, trackers[index].isUnplaced {
                trackers[index].beginPlacing(like: blank, taughtAt: taughtAt)
            } else {
                trackers[index].learn(like: blank, keepsTrust: !teachers.contains(trackers[index].id))
            }
        }
    }
}
