internal import Alerts
internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// Persons: told of like items, by what is told of their items, this fuser's and others'.
extension FuserPipeline {
    /// Tells what has become of persons.
    mutating func settlePersons(at wall: Timestamp, _ outbox: inout [Message]) {
        // Until nodes are heard again what an earlier run remembered of items stands untold.
        guard !persons.isEmpty, !household.isWaiting else { return }
        let time = clock.time(atWall: wall)
        guard persons.isDue(at: time) else { return }
        for change in persons.settle(at: time, served: household.served) { tell(change, at: time, &outbox) }
    }

    /// Begins to speak for persons of shards, and tells what the one before left untold.
    mutating func takeOverPersons(
        of shards: ShardSet, ends: [String: Timestamp], at wall: Timestamp, _ outbox: inout [Message]
    ) {
        let time = clock.time(atWall: wall)
        for change in persons.takeOver(shards, ends: ends, at: time) { tell(change, at: time, &outbox) }
        settlePersons(at: wall, &outbox)
    }

    /// Tells a person's answer.
    mutating func publish(_ person: String, at time: Timestamp, _ outbox: inout [Message]) {
        guard var location = persons.location(of: person, fuser: fuser, at: time) else { return }
        location.itemSeq = household.eventCount(of: person)
        tell(.location(item: person, location), &outbox)
    }

    /// Forgets what is known of a person's item: nor does the person's answer speak of it any more.
    mutating func forget(itemOfPerson item: String, at time: Timestamp, _ outbox: inout [Message]) {
        guard let person = persons.forget(item: item, at: time), serves(person),
            retained[topics.location(person)] != nil
        else { return }
        publish(person, at: time, &outbox)
    }

    private mutating func tell(_ change: PersonChange, at time: Timestamp, _ outbox: inout [Message]) {
        let person = change.person
        let event = change.kind.map { self.event($0, change) }
        publish(person, at: time, &outbox)
        seat(person, &outbox)
        if change.isElsewhere, let location = persons.location(of: person, fuser: fuser, at: time) {
            let room = location.state == .unknown ? nil : location.word
            // It was in its room until the last packet, as far as anybody knows.
            let from = location.room == nil ? change.notBefore : change.at
            tell(.stay(item: person, room: room, from: from, confidence: location.confidence), &outbox)
        }
        if let event { tell(.event(item: person, event), &outbox) }
    }

    private mutating func seat(_ person: String, _ outbox: inout [Message]) {
        let room = persons.room(of: person)
        var outcomes: [Household.Outcome] = []
        household.seat(person: person, in: room) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
    }

    private mutating func event(_ kind: ItemEvent.Kind, _ change: PersonChange) -> ItemEvent {
        let (seq, itemSeq) = household.countEvent(of: change.person, at: change.at)
        let id = ItemEvent.id(item: change.person, kind: kind, room: change.room, ending: change.ending)
        return ItemEvent(
            fuser: fuser, epoch: household.settings.epoch, seq: seq, itemSeq: itemSeq, id: id, at: change.at,
            notBefore: change.notBefore, kind: kind, room: change.room, previous: change.previous)
    }

    /// Takes what another fuser, or an earlier run, told of a person.
    mutating func hear(_ location: Location, ofPerson person: String, at time: Timestamp, _ outbox: inout [Message]) {
        guard persons.contains(person) else { return note(unnamed: person, toldBy: location.fuser) }
        guard location.fuser != fuser else { return }
        household.follow(eventCount: location.itemSeq, of: person, at: time)
        let isSpeaking = serves(person)
        let isNews = persons.hear(location, of: person, speaks: isSpeaking, at: time)
        guard !isSpeaking else { return }
        effects.confidences[person] = location.confidence
        alerts.receive(location, of: person, heard: lastHeard(of: person) ?? location.at)
        guard isNews else { return }
        seat(person, &outbox)
        let room = location.state == .unknown ? nil : location.word
        tell(.stay(item: person, room: room, from: location.since, confidence: location.confidence), &outbox)
    }

    /// An item's last packet, or that of any item of a person.
    func lastHeard(of item: String) -> Timestamp? {
        guard let person = persons.person(item) else { return household.lastHeard(of: item) }
        return person.items.compactMap { household.lastHeard(of: $0) }.max() ?? persons.lastHeard(of: item)
    }

    // MARK: What is odd

    mutating func judgeEntry(ofPerson person: String) {
        guard hasEntry(person) else { return }
        diagnostics.warn(
            "person \(person)",
            "an item is registered as '\(person)', which is a person's id here: the item is left out; give one another id"
        )
    }

    /// Names items of persons that nobody registered.
    mutating func judgePersons() {
        for person in persons.persons {
            let unknown = person.items.filter { isNowhere($0) }
            guard !unknown.isEmpty else { continue }
            diagnostics.warn(
                "items of \(person.id)",
                "person '\(person.id)' has items that nobody registered: \(unknown.joined(separator: ", "))")
        }
    }
}

extension Household.Settings {
    /// These, where items belong to persons.
    func with(_ persons: [Person]) -> Self {
        var settings = self
        for person in persons {
            for item in person.items { settings.personOfItem[item] = person.id }
        }
        return settings
    }
}
