internal import Alerts
public import Bytes
internal import HouseTracking
public import WireProtocol

/// What is told, and what is kept before it is.
extension FuserPipeline {
    /// Whether something has happened that is to be kept at once, and told when it is.
    ///
    /// What nodes tell can wait for ten seconds until one confirms what is remembered: the end of the run before stays on
    /// record until then.
    public var hasEvents: Bool {
        !effects.events.isEmpty || retained.hasMessagesBehindEvents || !effects.lessons.isEmpty || effects.undone != nil
            || (journal.hasEntries && (!isWaiting || journal.isUrgent))
    }

    /// Whether answers are remembered that no node has confirmed yet.
    public var isWaiting: Bool { household.isWaiting }

    /// What has come of the time since it was asked last, at a wall time.
    ///
    /// - Parameters:
    ///   - remembers: whether rows of items and nodes are wanted, as where they outlast the program.
    ///   - isLast: whether all that differs from what was kept is wanted, as at the program's end.
    public mutating func takeEffects(
        at wall: Timestamp, remembers: Bool = true, isLast: Bool = false
    ) -> FuserEffects {
        var taken = FuserEffects()
        swap(&taken, &effects)
        (taken.journal, taken.positions) = journal.take()
        // What another fuser serves by now is that one's to publish.
        taken.states = retained.takeBehindEvents().filter { isServed($0.topic) }
        taken.alerts = alerts.takeMemory()
        guard remembers else { return taken }
        // What is only surer or later than what was kept is worth a write at the end.
        if isLast { persons.rememberAll() }
        taken.persons = persons.takeMemories()
        taken.record = household.takeRecord(at: clock.time(atWall: wall), isLast: isLast)
        return taken
    }

    /// The message that tells an event which was kept.
    public mutating func message(_ event: ItemEvent, of item: String) -> Message {
        Message(topic: topics.itemEvents(item), payload: payload { event.write(to: &$0) }, qos: .atLeastOnce)
    }

    /// The time in the house at a wall time.
    public func time(atWall wall: Timestamp) -> Timestamp { clock.time(atWall: wall) }

    /// Gives all that is to be remembered with the next effects: what was kept is lost.
    public mutating func rememberAll() {
        household.rememberAll()
        alerts.rememberAll()
        persons.rememberAll()
        journal.rememberAll()
        effects.lessons = household.lessons.map { .added($0) }
        effects.undone = household.undoneLessons
    }

    mutating func tell(_ outcome: Household.Outcome, _ outbox: inout [Message]) {
        switch outcome {
        case .location(let item, let location):
            keep(topics.location(item), payload { location.write(to: &$0) }, &outbox)
            keep(topics.room(item), Array(location.word.utf8), &outbox)
            noteRoom(location.word, of: item)
            effects.confidences[item] = location.confidence
            tellRoom(location, of: item, &outbox)
            let heard = lastHeard(of: item)
            alerts.receive(location, of: item, heard: heard ?? location.at)
            persons.receive(location, of: item, heard: heard)
        case .occupancy(let room, let occupancy):
            keep(topics.occupancy(room), payload { occupancy.write(to: &$0) }, &outbox)
        case .event(let item, let event):
            effects.events.append(.init(item: item, event: event))
            alerts.receive(event, of: item)
        case .stay(let item, let room, let from, let confidence):
            effects.stays.append(.init(item: item, room: room, from: from, confidence: confidence))
        case .lessonAdded(let lesson):
            effects.lessons.append(.added(lesson))
            share(lesson, &outbox)
        case .lessonUndone(let id, let key):
            if let id { effects.lessons.append(.undone(id)) }
            effects.undone = household.undoneLessons
            shareUndone(key, &outbox)
        }
    }

    /// A message that stays at the broker; one that says nothing new isn't sent again.
    mutating func keep(_ topic: String, _ payload: [UInt8], _ outbox: inout [Message]) {
        if let message = retained.retain(topic, payload) { outbox.append(message) }
    }

    mutating func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }
}
