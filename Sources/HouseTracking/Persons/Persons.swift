public import Bytes
public import WireProtocol

/// The persons of a house: takes what is told of their items, by whichever fuser, and tells where each person is.
///
/// It does no I/O and reads no clock; its times are those of the house. Its tables are as large as the configuration.
public struct Persons: Sendable {
    private var trackers: [PersonTracker]
    private var indexOfPerson: [String: Int] = [:]
    private var placesOfItem: [String: (person: Int, item: Int)] = [:]
    /// Trackers that `settle` must look at.
    private var waiting: Set<Int> = []
    /// Trackers of which another fuser told something all the same.
    private var contested: Set<Int> = []
    /// When trackers become something else though nothing is told.
    private var dues: DueQueue
    /// Trackers of which something is to be remembered that was not when `takeMemories` was asked last.
    private var changed: Set<Int> = []
    /// How many trackers `settle` has looked at since the start: what it costs.
    private(set) var looks: UInt64 = 0

    /// Persons of whom nothing is known, or what an earlier run remembered; that of others is left out.
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

    /// Whether there is none.
    public var isEmpty: Bool { trackers.isEmpty }

    /// Whether an id is a person's.
    public func contains(_ id: String) -> Bool { indexOfPerson[id] != nil }

    /// The configured person of an id.
    public func person(_ id: String) -> Person? { indexOfPerson[id].map { trackers[$0].person } }

    /// The person whose an item is; nil where it is nobody's.
    public func owner(of item: String) -> String? {
        placesOfItem[item].map { trackers[$0.person].person.id }
    }

    /// All of them, in the configuration's order.
    public var persons: [Person] { trackers.map(\.person) }

    /// The last packet of any item of a person; nil where none is known.
    public func lastHeard(of id: String) -> Timestamp? { indexOfPerson[id].flatMap { trackers[$0].heard } }

    /// When `settle` must be called at the latest; nil where only a message can change anything.
    public var nextDeadline: Timestamp? { dues.first }

    /// Whether `settle` has something to look at.
    public func isDue(at time: Timestamp) -> Bool {
        !waiting.isEmpty || nextDeadline.map { time >= $0 } ?? false
    }

    // MARK: What is told

    /// Takes an item's answer, this fuser's or another's; of an item that is nobody's nothing comes.
    ///
    /// - Parameter heard: the item's last packet, where that is known.
    public mutating func receive(_ location: Location, of item: String, heard: Timestamp?) {
        guard let place = placesOfItem[item] else { return }
        // What is only surer or later is not worth a write.
        if trackers[place.person].take(location, of: place.item, heard: heard) { changed.insert(place.person) }
        waiting.insert(place.person)
    }

    /// An item is registered no more, or nothing is to be known of it; the person whose it is.
    @discardableResult
    public mutating func forget(item: String, at time: Timestamp) -> String? {
        guard let place = placesOfItem[item] else { return nil }
        trackers[place.person].items[place.item] = PersonItem(id: item)
        trackers[place.person].reconsider(at: time)
        note(place.person)
        return trackers[place.person].person.id
    }

    /// What is known of a person is to be forgotten; its items find it anew, without an event.
    public mutating func forget(_ id: String, at time: Timestamp) {
        guard let index = indexOfPerson[id] else { return }
        trackers[index].forget(at: time)
        note(index)
    }

    /// What an earlier run was told of items, and nobody told in this one, is not known any more.
    public mutating func giveUp(at time: Timestamp) {
        for index in trackers.indices {
            trackers[index].giveUp(at: time)
            if trackers[index].isNew { note(index) }
        }
    }

    // MARK: What it makes of it

    /// Weighs what was told since the last time, and gives what has become of persons, in the configuration's order. It
    /// looks at those of whom something was told, or whose time has come, and at no others.
    ///
    /// - Parameter served: the shards for whose persons this fuser speaks.
    public mutating func settle(at time: Timestamp, served: ShardSet) -> [PersonChange] {
        var changes: [PersonChange] = []
        let due = dues.take(at: time)
        changed.formUnion(due)
        for index in waiting.union(due).sorted() {
            looks += 1
            let wasUntold = !trackers[index].isTold
            let change = trackers[index].settle(at: time, speaks: served.contains(trackers[index].shard))
            dues.set(trackers[index].next, of: index)
            guard let change else { continue }
            if change.isElsewhere { changed.insert(index) }
            // Of whom nothing was ever known nothing is said.
            if trackers[index].state == .unknown, !change.isElsewhere, wasUntold {
                trackers[index].isTold = false
                continue
            }
            changes.append(change)
        }
        waiting.removeAll(keepingCapacity: true)
        return changes
    }

    /// The room a person is in; nil where that is none.
    public func room(of id: String) -> String? { indexOfPerson[id].flatMap { trackers[$0].room } }

    /// A person's answer as `fuser` tells it; nil where there is no such person.
    public func location(of id: String, fuser: String, at time: Timestamp) -> Location? {
        indexOfPerson[id].map { trackers[$0].location(fuser: fuser, at: time) }
    }

    /// Why a person is where it is said to be; nil where there is no such person.
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

    /// Takes what another fuser told of a person; whether it counts, so that it belongs to this one's history, too.
    ///
    /// - Parameter speaks: whether this fuser speaks for the person.
    public mutating func hear(_ location: Location, of id: String, speaks: Bool, at time: Timestamp) -> Bool {
        guard let index = indexOfPerson[id] else { return false }
        let before = trackers[index]
        if speaks {
            contested.insert(index)
            trackers[index].overheard.keep(location)
            // What was on its way when this one took over is the last word of the one before.
            guard location.state != .unknown, location.at <= before.tookOver,
                time.microseconds(since: before.tookOver) <= Household.handover
            else { return false }
        }
        let cause = before.items.indices.max { before.items[$0].since < before.items[$1].since }
        trackers[index].overheard.hear(
            location, after: before.state, before.room, since: before.since, cause: cause.map { before.items[$0] })
        trackers[index].adopt(location)
        trackers[index].isTold = false
        if speaks { trackers[index].reconsider() }
        note(index)
        return before.word != location.word
    }

    /// Takes another fuser's event.
    public mutating func hear(_ event: ItemEvent, of id: String) {
        guard let index = indexOfPerson[id], event.kind.isMove else { return }
        trackers[index].overheard.hear(event)
    }

    /// Begins to speak for persons of these shards; the moves that another left untold.
    ///
    /// - Parameter ends: when fusers that have gone gave their last sign of life, by their names; others may live.
    public mutating func takeOver(_ shards: ShardSet, ends: [String: Timestamp], at time: Timestamp) -> [PersonChange] {
        var changes: [PersonChange] = []
        for index in trackers.indices where shards.contains(trackers[index].shard) {
            trackers[index].tookOver = time
            trackers[index].isTold = false
            let end = trackers[index].overheard.word.flatMap { ends[$0.fuser] }
            if var change = trackers[index].overheard.takeUntold(end: end) {
                change.person = trackers[index].person.id
                changes.append(change)
            }
            trackers[index].reconsider()
            note(index)
        }
        return changes
    }

    /// Ceases to speak for persons of these shards: of whom nothing was known, what the other told while this one spoke stands.
    public mutating func handOver(_ shards: ShardSet) {
        for index in trackers.indices where shards.contains(trackers[index].shard) {
            trackers[index].isTold = false
            guard trackers[index].state == .unknown, let word = trackers[index].overheard.word else { continue }
            trackers[index].adopt(word)
            note(index)
        }
    }

    /// The persons of whom others told something since the last time though this one speaks for them.
    public mutating func takeContested() -> [String] {
        defer { contested.removeAll() }
        return contested.sorted().filter { trackers[$0].isTold }.map { trackers[$0].person.id }
    }

    // MARK: What is remembered

    /// What is to be remembered from now on of those of whom that is something new.
    public mutating func takeMemories() -> [PersonMemory] {
        guard !changed.isEmpty else { return [] }
        defer { changed.removeAll(keepingCapacity: true) }
        return changed.sorted().map { PersonMemory(trackers[$0]) }
    }

    /// Gives what is to be remembered of all of them once more.
    public mutating func rememberAll() { changed.formUnion(trackers.indices) }

    private mutating func note(_ index: Int) {
        waiting.insert(index)
        changed.insert(index)
    }
}
