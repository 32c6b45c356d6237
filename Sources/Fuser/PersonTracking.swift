internal import Bytes
internal import Configuration
internal import HouseTracking
internal import WireProtocol

/// The persons of the house: published like items, by what is published of their items.
final class PersonTracking: FuserComponent, PersonDirectory {
    private var persons: Persons
    private var unnamed = UnnamedPersons()

    init(_ persons: [Person], remembering memories: [PersonMemory]) {
        self.persons = Persons(persons, remembering: memories)
    }

    /// Restores the stored persons that are not in the configuration.
    func restorePersons(_ memories: [PersonMemory], _ turn: Turn) {
        for memory in memories where !persons.contains(memory.person) { noteFormer(memory.person, turn) }
    }

    /// Records a person with a stored row that is not in the configuration.
    private func noteFormer(_ person: String, _ turn: Turn) {
        // For whom this fuser is not there, for what is no id, or of too many, nobody would ever clear anything.
        let isOwn = turn.identity.covers(person) && Identifier.isValid(person)
        if !isOwn || !unnamed.addPerson(person) { turn.publication.record(gonePerson: person) }
    }

    // MARK: Messages

    /// The confidence of an answer of which only the event was received.
    private static let eventConfidence = 0.5

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .location(.cleared, let item, _): unnamed.clearPublisher(of: item)
        case .location(.other(let location), let item, _):
            if location.isPerson || persons.contains(item) {
                receive(location, of: item, turn)
            } else if !turn.serves(item) {
                persons.receive(location, of: item, heard: nil)
            }
        case .itemEvent(let event, let item):
            guard event.fuser != turn.identity.name, persons.contains(item) else { return }
            // As of an item: the event of a move whose answer was not received stands for that answer.
            if event.kind.isMove, event.itemSeq > turn.tracker.eventCount(of: item) {
                receive(Location(after: event, confidence: Self.eventConfidence), of: item, turn)
            }
            // An alert has no answer that tells its number.
            turn.tracker.adopt(eventCount: event.itemSeq, of: item, at: turn.time)
            persons.receivePeerEvent(event, of: item)
        case .location, .nodeStatus, .nodeInfo, .nodeRemoved, .scan, .window, .nodeEvent, .commandResult, .entry,
            .alerts,
            .room, .telemetry, .battery, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    /// Receives what another fuser, or an earlier run, published of a person.
    private func receive(_ location: Location, of person: String, _ turn: Turn) {
        guard persons.contains(person) else { return recordPerson(unnamed: person, publishedBy: location.fuser, turn) }
        guard location.fuser != turn.identity.name else { return }
        let countsEvent = location.itemSeq > turn.tracker.eventCount(of: person)
        turn.tracker.adopt(eventCount: location.itemSeq, of: person, at: turn.time)
        let isServed = turn.serves(person)
        let isNews = persons.receivePeerAnswer(
            location, countsEvent: countsEvent, of: person, isPublisher: isServed, at: turn.time)
        guard !isServed else { return }
        turn.publication.record(confidence: location.confidence, of: person)
        guard isNews else { return }
        emitRoom(of: person, turn)
        let room = location.state == .unknown ? nil : location.placeText
        turn.publish(.stay(item: person, room: room, from: location.since, confidence: location.confidence))
    }

    private func recordPerson(unnamed person: String, publishedBy publisher: String, _ turn: Turn) {
        if turn.identity.isOwn(publisher) {
            unnamed.noteFormer(person)
        } else if Identifier.isValid(publisher) {
            unnamed.recordPerson(person, publishedBy: publisher)
        }
    }

    // MARK: Facts

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        guard case .location(let item, let location) = outcome else { return }
        persons.receive(location, of: item, heard: lastHeard(of: item, turn))
    }

    func entryChanged(of item: String, _ turn: Turn) {
        guard persons.contains(item), turn.items.isRegistered(item) else { return }
        turn.diagnostics.warn(
            "person \(item)",
            "an item is registered as '\(item)', which is a person's id here: the item is left out; give one another id",
            about: [item])
    }

    func shardsReleased(_ handover: Handover, _ turn: Turn) {
        if !handover.lost.isEmpty { persons.handOver(handover.lost) }
    }

    /// Begins to publish of persons, and publishes what the fuser before left unpublished.
    func shardsTakenOver(_ handover: Handover, _ turn: Turn) {
        for change in persons.takeOver(handover.new, ends: handover.ends, at: turn.time) { publishChange(change, turn) }
        advance(turn)
        clearFormer(turn)
    }

    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn) {
        for person in persons.takeOverwritten() { publishPerson(person, turn) }
    }

    func confirmationEnded(_ turn: Turn) {
        persons.giveUp(at: turn.time)
        advance(turn)
        warnOfUnknownItems(turn)
    }

    func retainedMessagesKnown(_ turn: Turn) { clearFormer(turn) }

    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        guard old.persons != new.persons else { return }
        for person in persons.use(new.persons) {
            turn.emit { $0.personMoved(person, to: nil, turn) }
            noteFormer(person, turn)
        }
        clearFormer(turn)
        for person in new.persons {
            for item in person.items {
                guard let location = turn.publication.location(of: item) else { continue }
                persons.receive(location, of: item, heard: lastHeard(of: item, turn))
            }
            // The name may be another one.
            if turn.publication.location(of: person.id) != nil { publishPerson(person.id, turn) }
            turn.emit { $0.entitiesChanged(of: person.id, turn) }
        }
        warnOfUnknownItems(turn)
    }

    /// Another fuser is gone for good: nobody stands any more for whom it alone named.
    func fuserRemoved(_ name: String, _ turn: Turn) {
        unnamed.removeFuser(name)
        clearFormer(turn)
    }

    // MARK: Calls of the pipeline

    /// True if `advance` decides where a person is.
    func isDue(_ turn: Turn) -> Bool {
        // Until nodes are heard again what an earlier run remembered of items stands unpublished.
        !persons.isEmpty && !turn.tracker.isWaiting && persons.isDue(at: turn.time)
    }

    func advance(_ turn: Turn) {
        guard isDue(turn) else { return }
        for change in persons.takeChanges(at: turn.time, served: turn.publication.served) {
            publishChange(change, turn)
        }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        persons.nextDeadline.flatMap { house.time.wallTime(at: $0) }
    }

    /// Erases a person's data, or what is known of a person's item: nor does the person's answer rest on it any more.
    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        guard erasure.isWhole else { return PurgeReport() }
        let item = erasure.item
        if erasure.isPurge { persons.clearPlace(of: item, at: turn.time) }
        if let person = persons.removeAnswer(of: item, at: turn.time), turn.serves(person),
            turn.publication.hasPublished(turn.identity.topics.location(person))
        {
            publishPerson(person, turn)
        }
        if erasure.isPurge, turn.serves(item), isUnnamed(item, turn) {
            unnamed.noteFormer(item)
            if unnamed.recordClearing(item) { turn.publication.record(gonePerson: item) }
            turn.emit { $0.entitiesChanged(of: item, turn) }
        }
        return PurgeReport()
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        guard request.remembers else { return }
        // What is only surer or later than what was stored is worth a write at the end.
        if request.isLast { persons.rememberAll() }
        effects.persons = persons.takeMemories()
    }

    func storeEverything(_ turn: Turn) { persons.rememberAll() }

    // MARK: Publishing

    private func publishChange(_ change: PersonChange, _ turn: Turn) {
        let (person, identity) = (change.person, turn.identity)
        let event = change.kind.map { kind in
            let (seq, itemSeq) = turn.tracker.countEvent(of: person, isCounted: change.isCounted, at: change.at)
            return ItemEvent(
                fuser: identity.name, epoch: identity.epoch, seq: seq, itemSeq: itemSeq,
                id: ItemEvent.id(item: person, kind: kind, room: change.room, ending: change.ending), at: change.at,
                notBefore: change.notBefore, kind: kind, room: change.room, previous: change.previous)
        }
        publishPerson(person, turn)
        emitRoom(of: person, turn)
        if change.isElsewhere, let location = persons.location(of: person, fuser: identity.name, at: turn.time) {
            let room = location.state == .unknown ? nil : location.placeText
            // It was in its room until the last packet, as far as anybody knows.
            let from = location.room == nil ? change.notBefore : change.at
            turn.publish(.stay(item: person, room: room, from: from, confidence: location.confidence))
        }
        if let event { turn.publish(.event(item: person, event)) }
    }

    /// Publishes a person's answer.
    private func publishPerson(_ person: String, _ turn: Turn) {
        guard var location = persons.location(of: person, fuser: turn.identity.name, at: turn.time) else { return }
        location.itemSeq = turn.tracker.eventCount(of: person)
        turn.publish(.location(item: person, location))
    }

    private func emitRoom(of person: String, _ turn: Turn) {
        let room = persons.room(of: person)
        turn.emit { $0.personMoved(person, to: room, turn) }
    }

    // MARK: Persons that the configuration does not name

    /// Clears what stands of persons that were taken out of the configuration, as far as this fuser serves them, and names
    /// those that only another one's names. Nothing is done before the broker has sent what it retains: an item may have such
    /// an id now, and another fuser may serve.
    private func clearFormer(_ turn: Turn) {
        guard turn.publication.isComplete else { return }
        let topics = turn.identity.topics
        for person in unnamed.uncleared.sorted() where turn.serves(person) {
            if isFree(person, turn) {
                for topic in [topics.location(person), topics.room(person), topics.itemAlert(person)] {
                    turn.publication.clear(leftover: topic)
                }
            }
            if unnamed.recordClearing(person) { turn.publication.record(gonePerson: person) }
            turn.emit { $0.entitiesChanged(of: person, turn) }
        }
        warnOfOthersPersons(turn)
    }

    private func warnOfOthersPersons(_ turn: Turn) {
        let others = unnamed.publishers.filter { isOthers($0.key, turn) && turn.serves($0.key) }
        for (publisher, persons) in Dictionary(grouping: others.keys.sorted(), by: { others[$0] ?? "" }) {
            turn.diagnostics.warn(
                "persons of \(publisher)",
                "fuser '\(publisher)' told of persons that this one's configuration doesn't name: "
                    + "\(FuserPipeline.list(persons)). While this one serves nobody tells where they are: give both the same "
                    + "`persons`; of one who is no more `whereabouts purge \(persons[0])` clears what stands",
                about: persons)
        }
    }

    /// Names items of persons that nobody registered.
    private func warnOfUnknownItems(_ turn: Turn) {
        for person in persons.persons {
            let unknown = person.items.filter { !turn.items.isRegistered($0) && turn.tracker.lastHeard(of: $0) == nil }
            guard !unknown.isEmpty else { continue }
            turn.diagnostics.warn(
                "items of \(person.id)",
                "person '\(person.id)' has items that nobody registered: \(unknown.joined(separator: ", "))",
                about: [person.id] + unknown)
        }
    }

    // MARK: Answers

    var all: [Person] { persons.persons }
    func person(_ id: String) -> Person? { persons.person(id) }
    func isPerson(_ id: String) -> Bool { persons.contains(id) }
    func owner(of item: String) -> String? { persons.owner(of: item) }
    func isUnnamed(_ id: String, _ turn: Turn) -> Bool { isFormer(id, turn) || isOthers(id, turn) }

    /// True if an id is of a person that was taken out of the configuration.
    func isFormer(_ id: String, _ turn: Turn) -> Bool { unnamed.former.contains(id) && isFree(id, turn) }

    /// True if an id is of a person that only another fuser names.
    func isOthers(_ id: String, _ turn: Turn) -> Bool {
        unnamed.publishers[id] != nil && !unnamed.former.contains(id) && isFree(id, turn)
    }

    /// The other fuser that published a person last, whom this one's configuration does not name.
    func publisher(ofUnnamed person: String) -> String? { unnamed.publishers[person] }

    func lastHeard(of id: String, _ turn: Turn) -> Timestamp? {
        guard let person = persons.person(id) else { return turn.tracker.lastHeard(of: id) }
        return person.items.compactMap { turn.tracker.lastHeard(of: $0) }.max() ?? persons.lastHeard(of: id)
    }

    /// An explanation of a person's answer; nil if the configuration names no such person.
    func explain(_ id: String, _ turn: Turn) -> Explanation? {
        guard var explanation = persons.explain(id, at: turn.time) else { return nil }
        explanation.lastHeard = lastHeard(of: id, turn)
        return explanation
    }

    /// True if nothing else has an id: neither a person here nor an item.
    private func isFree(_ id: String, _ turn: Turn) -> Bool {
        !persons.contains(id) && !turn.items.isRegistered(id) && !turn.tracker.hasHeard(of: id)
    }
}
