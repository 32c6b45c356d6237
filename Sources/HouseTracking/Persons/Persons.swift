public import Bytes
public import WireProtocol

/// The persons of a house: consumes the answers of their items, from any fuser, and locates each person.
///
/// It does no I/O and reads no clock; its times are those of the house. Its tables are as large as the configuration.
public struct Persons: Sendable {
    private var trackers: [PersonTracker]
    private var indexOfPerson: [String: Int] = [:]
    private var placesOfItem: [String: (person: Int, item: Int)] = [:]
    /// Trackers that `takeChanges` must check.
    private var waiting: Set<Int> = []
    /// Trackers of persons that another fuser published although this one does.
    private var overwritten: Set<Int> = []
    /// Times at which the answers of trackers change without a further message.
    private var dues: DueQueue
    /// Trackers whose stored state has changed since the last call of `takeMemories`.
    private var changed: Set<Int> = []
    /// Number of trackers that `takeChanges` has checked since the start: its cost.
    private(set) var checks: UInt64 = 0

    /// Persons without any answer, or with the stored state of an earlier run; state of other persons is left out.
    public init(_ persons: [Person] = [], remembering memories: [PersonMemory] = []) {
        trackers = persons.map { PersonTracker($0) }
        dues = DueQueue(owners: persons.count)
        for (index, person) in persons.enumerated() {
            indexOfPerson[person.id] = index
            for (place, item) in person.items.enumerated() { placesOfItem[item] = (index, place) }
        }
        for memory in memories {
            if let index = indexOfPerson[memory.person] { trackers[index].resume(memory) }
        }
    }

    /// Replaces the persons, and returns the ids of those that are gone. One with the same items goes on; of another the
    /// place stands until the answers of its items are weighed, which the caller passes on once more.
    public mutating func use(_ persons: [Person]) -> [String] {
        let before = self
        self = Persons(persons)
        checks = before.checks
        for (index, person) in persons.enumerated() {
            guard let old = before.indexOfPerson[person.id].map({ before.trackers[$0] }) else { continue }
            if (old.person.items, old.person.mustHave) == (person.items, person.mustHave) {
                trackers[index] = old
                trackers[index].person = person
                dues.set(old.review.next, of: index)
            } else {
                trackers[index].resume(PersonMemory(old))
                trackers[index].serving = old.serving
            }
        }
        waiting.formUnion(trackers.indices)
        rememberAll()
        return before.trackers.map(\.person.id).filter { indexOfPerson[$0] == nil }
    }

    /// True if there is none.
    public var isEmpty: Bool { trackers.isEmpty }

    /// True if an id is a person's.
    public func contains(_ id: String) -> Bool { indexOfPerson[id] != nil }

    /// The configured person of an id.
    public func person(_ id: String) -> Person? { indexOfPerson[id].map { trackers[$0].person } }

    /// The person who owns an item; nil if nobody does.
    public func owner(of item: String) -> String? {
        placesOfItem[item].map { trackers[$0.person].person.id }
    }

    /// All of them, in the configuration's order.
    public var persons: [Person] { trackers.map(\.person) }

    /// Time of the last packet of any item of a person; nil if none is known.
    public func lastHeard(of id: String) -> Timestamp? { indexOfPerson[id].flatMap { trackers[$0].heard } }

    /// The time by which `takeChanges` must be called; nil if only a message can change an answer.
    public var nextDeadline: Timestamp? { dues.first }

    /// True if `takeChanges` has something to check.
    public func isDue(at time: Timestamp) -> Bool {
        !waiting.isEmpty || nextDeadline.map { time >= $0 } ?? false
    }

    // MARK: Answers of items

    /// Consumes an item's answer, this fuser's or another's; one of an item without an owner has no effect.
    ///
    /// - Parameter heard: time of the item's last packet, if known.
    public mutating func receive(_ location: Location, of item: String, heard: Timestamp?) {
        guard let place = placesOfItem[item] else { return }
        // A change of confidence or time alone is not worth a write.
        if trackers[place.person].receive(location, of: place.item, heard: heard) { changed.insert(place.person) }
        waiting.insert(place.person)
    }

    /// Removes the answer of an item that is no longer registered, or whose data is erased; returns its owner.
    @discardableResult
    public mutating func removeAnswer(of item: String, at time: Timestamp) -> String? {
        guard let place = placesOfItem[item] else { return nil }
        trackers[place.person].removeAnswer(of: place.item, at: time)
        markChanged(place.person)
        return trackers[place.person].person.id
    }

    /// Clears the place of a person; its items find it anew, without an event.
    public mutating func clearPlace(of id: String, at time: Timestamp) {
        guard let index = indexOfPerson[id] else { return }
        trackers[index].clearPlace(at: time)
        markChanged(index)
    }

    /// Gives up the answers of items that an earlier run received and this one has not: they are no longer known.
    public mutating func giveUp(at time: Timestamp) {
        for index in trackers.indices {
            trackers[index].giveUp(at: time)
            if trackers[index].review.isRequested { markChanged(index) }
        }
    }

    // MARK: Answers of persons

    /// Weighs the answers since the last time, and returns the changes of persons, in the configuration's order. It
    /// checks those with a new answer, or whose time has come, and no others.
    ///
    /// - Parameter served: the shards for whose persons this fuser publishes.
    public mutating func takeChanges(at time: Timestamp, served: ShardSet) -> [PersonChange] {
        var changes: [PersonChange] = []
        let due = dues.takeDue(at: time)
        changed.formUnion(due)
        for index in waiting.union(due).sorted() {
            checks += 1
            let wasUnpublished = !trackers[index].serving.isPublished
            let change = trackers[index].update(at: time, isPublisher: served.contains(trackers[index].shard))
            dues.set(trackers[index].review.next, of: index)
            guard let change else { continue }
            if change.isElsewhere { changed.insert(index) }
            // A person that was never known is not published.
            if trackers[index].state == .unknown, !change.isElsewhere, wasUnpublished {
                trackers[index].serving.isPublished = false
                continue
            }
            changes.append(change)
        }
        waiting.removeAll(keepingCapacity: true)
        return changes
    }

    /// The room a person is in; nil if it is in none.
    public func room(of id: String) -> String? { indexOfPerson[id].flatMap { trackers[$0].room } }

    /// A person's answer as `fuser` publishes it; nil if there is no such person.
    public func location(of id: String, fuser: String, at time: Timestamp) -> Location? {
        indexOfPerson[id].map { trackers[$0].location(fuser: fuser, at: time) }
    }

    /// The reasons for a person's location; nil if there is no such person.
    public func explain(_ id: String, at time: Timestamp) -> Explanation? {
        guard let index = indexOfPerson[id] else { return nil }
        let tracker = trackers[index]
        let location = tracker.location(fuser: "", at: time)
        var answer = Explanation(
            item: id, at: time, state: tracker.state, room: tracker.room, confidence: location.confidence,
            since: tracker.since)
        (answer.previous, answer.lastHeard) = (tracker.previous, tracker.heard)
        answer.rooms = location.rooms.map { .init(room: $0.room, probability: $0.probability) }
            .sorted { $0.probability > $1.probability }
        (answer.items, answer.mustHave) = (tracker.reasons, tracker.person.mustHave)
        return answer
    }

    // MARK: Beside other fusers

    /// Consumes another fuser's answer for a person; true if it counts, so that it belongs to this one's history, too.
    ///
    /// - Parameters:
    ///   - countsEvent: true if it is the answer to a move, whose event the other has counted.
    ///   - isPublisher: true if this fuser publishes the person.
    public mutating func receivePeerAnswer(
        _ location: Location, countsEvent: Bool, of id: String, isPublisher: Bool, at time: Timestamp
    ) -> Bool {
        guard let index = indexOfPerson[id] else { return false }
        if isPublisher { overwritten.insert(index) }
        let before = trackers[index].placeText
        guard
            trackers[index].receivePeer(
                location, countsEvent: countsEvent, isPublisher: isPublisher, at: time)
        else { return false }
        markChanged(index)
        return before != location.placeText
    }

    /// Consumes another fuser's event.
    public mutating func receivePeerEvent(_ event: ItemEvent, of id: String) {
        guard let index = indexOfPerson[id], event.kind.isMove else { return }
        trackers[index].serving.receive(event)
    }

    /// Begins to publish persons of these shards; returns the moves that another left unpublished.
    ///
    /// - Parameter ends: times of the last sign of life of fusers that have gone, by their names; others may live.
    public mutating func takeOver(_ shards: ShardSet, ends: [String: Timestamp], at time: Timestamp) -> [PersonChange] {
        var changes: [PersonChange] = []
        for index in trackers.indices where shards.contains(trackers[index].shard) {
            if let change = trackers[index].takeOver(ends: ends, at: time) { changes.append(change) }
            markChanged(index)
        }
        return changes
    }

    /// Ceases to publish persons of these shards: for a person that was unknown, the answer that the other published
    /// meanwhile holds.
    public mutating func handOver(_ shards: ShardSet) {
        for index in trackers.indices where shards.contains(trackers[index].shard) {
            if trackers[index].handOver() { markChanged(index) }
        }
    }

    /// The persons that others have published since the last time although this fuser does.
    public mutating func takeOverwritten() -> [String] {
        defer { overwritten.removeAll() }
        return overwritten.sorted().filter { trackers[$0].serving.isPublished }.map { trackers[$0].person.id }
    }

    // MARK: Stored state

    /// The state to store of the persons for whom it has changed.
    public mutating func takeMemories() -> [PersonMemory] {
        guard !changed.isEmpty else { return [] }
        defer { changed.removeAll(keepingCapacity: true) }
        return changed.sorted().map { PersonMemory(trackers[$0]) }
    }

    /// Marks the state of all persons as changed.
    public mutating func rememberAll() { changed.formUnion(trackers.indices) }

    private mutating func markChanged(_ index: Int) {
        waiting.insert(index)
        changed.insert(index)
    }
}
