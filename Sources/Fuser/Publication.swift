internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// The messages and records that go out: what is retained, what waits for its events, and what is to be stored.
///
/// It also takes back an earlier run's answers, which the broker retained and nothing confirms.
final class Publication: FuserComponent {
    private let topics: Topics
    private var retained = RetainedState()
    private var effects = FuserEffects()
    private var json = JSONWriter()
    private var outbox: [Message] = []
    /// The shards of whose items and rooms this fuser publishes.
    private(set) var served = ShardSet.all

    init(topics: Topics) { self.topics = topics }

    // MARK: Messages

    /// Sends a message.
    func sendMessage(_ message: Message) { outbox.append(message) }

    /// Retains a payload at the broker, unless it says nothing new.
    func retain(_ topic: String, _ payload: [UInt8]) {
        if let message = retained.retain(topic, payload) { outbox.append(message) }
    }

    /// Retains a payload that goes out with the next effects, behind their events. Call it before `store`, as from `advance`:
    /// by then the batch has been taken.
    func retain(behindEvents topic: String, _ payload: [UInt8]) { retained.retain(behindEvents: topic, payload) }

    /// Clears a topic of an item or a room that this fuser serves.
    func clear(_ topic: String, of id: String) {
        if serves(id) { outbox.append(retained.clear(topic)) }
    }

    /// Clears a topic of which nothing is published any more, whoever published on it last.
    func clear(leftover topic: String) { outbox.append(retained.clear(topic)) }

    /// Sends the retained message of a topic once more; one that clears the topic if there is none.
    func repeatMessage(_ topic: String) { outbox.append(retained[topic] ?? .clearing(topic)) }

    /// True if this run has published on a topic.
    func hasPublished(_ topic: String) -> Bool { retained[topic] != nil }

    /// True if a message is one of this run's own, as it comes back.
    func isOwn(_ message: Message) -> Bool { retained.isOwn(message) }

    /// True if the broker retains a message on a topic, as far as is known.
    func brokerRetains(_ topic: String) -> Bool { retained.brokerRetains(topic) }

    /// The answer of an item or a person that this fuser published last; nil if there is none.
    func location(of item: String) -> Location? {
        retained[topics.location(item)].flatMap { try? Location(payload: $0.payload.span) }
    }

    /// Writes a payload.
    func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        write(&json)
        return json.bytes
    }

    /// Returns the messages that were sent since the last call.
    func takeMessages(_ messages: inout [Message]) {
        guard !outbox.isEmpty else { return }
        messages += outbox
        outbox.removeAll(keepingCapacity: true)
    }

    // MARK: Outcomes

    /// Publishes an outcome, and notes what is to be stored of it.
    func publish(_ outcome: Household.Outcome) {
        switch outcome {
        case .location(let item, let location):
            retain(topics.location(item), payload { location.write(to: &$0) })
            retain(topics.room(item), Array(location.placeText.utf8))
            effects.confidences[item] = location.confidence
        case .occupancy(let room, let occupancy):
            retain(topics.occupancy(room), payload { occupancy.write(to: &$0) })
        case .event(let item, let event): addEvent(event, of: item)
        case .stay(let item, let room, let from, let confidence):
            effects.stays.append(.init(item: item, room: room, from: from, confidence: confidence))
        case .lessonAdded(let lesson): effects.lessons.append(.added(lesson))
        case .lessonUndone(let id, _):
            if let id { effects.lessons.append(.undone(id)) }
        }
    }

    /// Adds an event, which is published once it is stored; of a purged item its number alone is.
    func addEvent(_ event: ItemEvent, of item: String, isKept: Bool = true) {
        effects.events.append(.init(item: item, event: event, isKept: isKept))
    }

    /// Records the confidence of another fuser's answer.
    func record(confidence: Double, of item: String) { effects.confidences[item] = confidence }

    /// Records readings for a long history.
    func record(readings payload: [UInt8], of item: String, at time: Timestamp) {
        effects.readings.append(.init(item: item, at: time, payload: payload))
    }

    /// Records all lessons that were undone.
    func record(undoneLessons lessons: [UndoneLesson]) { effects.undone = lessons }

    /// Records a person whose stored state is to be deleted.
    func record(gonePerson person: String) { effects.gonePersons.append(person) }

    /// True if something has happened that is to be stored at once.
    var hasEvents: Bool {
        !effects.events.isEmpty || retained.hasMessagesBehindEvents || !effects.lessons.isEmpty || effects.undone != nil
    }

    // MARK: Shards

    /// True if this fuser publishes of an item or a room.
    func serves(_ id: String) -> Bool { served.contains(level: id) }

    /// True if this fuser publishes on a topic.
    func isServed(_ topic: String) -> Bool { topics.kind(of: topic)?.servedID.map(serves) ?? true }

    // MARK: What the broker retains

    /// True while the broker has yet to grant a subscription: a message that does not come is not absent.
    var isAwaited: Bool { retained.isAwaited }
    /// True once all that the broker retains has come.
    var isComplete: Bool { retained.isComplete && retained.confirmedAt == nil }

    /// Treats no message as absent until the broker has granted all subscriptions.
    func awaitSubscriptions() { retained.awaitSubscriptions() }

    // MARK: Calls of the pipeline

    func connected(_ turn: Turn) {
        retained.awaitConfirmation(from: turn.wall)
        outbox += retained.messages
    }

    func subscriptionsGranted(_ turn: Turn) { retained.subscriptionsGranted(at: turn.wall) }

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .location(let answer, let item, let message):
            retained.noteAnswer(message, of: item)
            guard case .other(let location) = answer, message.retained, location.state != .unknown, serves(item) else {
                return
            }
            retained.adoptMessage(message)
        case .alerts(let alerts, _, let message):
            if message.retained, let publisher = alerts?.fuser, turn.identity.isOwn(publisher) {
                retained.adoptTopic(message.topic)
            }
        case .room(_, let message), .telemetry(_, let message), .battery(_, _, let message), .occupancy(let message):
            if message.retained { retained.adoptMessage(message) }
        case .nodeStatus, .nodeInfo, .nodeRemoved, .scan, .window, .nodeEvent, .commandResult, .entry, .itemEvent,
            .lesson, .plan,
            .external:
            break
        }
    }

    func shardsReleased(_ handover: Handover, _ turn: Turn) {
        served = handover.served
        // What another fuser writes from now on is not this one's to repeat.
        if !handover.lost.isEmpty { retained.retainServed { isServed($0) } }
    }

    func deviceAdded(ofItem item: String, _ turn: Turn) {
        if let message = retained[topics.room(item)] { outbox.append(message) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? { retained.isAwaited ? nil : retained.confirmedAt }

    /// Takes back what an earlier run published and this one could not confirm: nobody stands for it.
    func advance(_ turn: Turn) {
        guard !retained.isAwaited, retained.endConfirmation(at: turn.wall) else { return }
        turn.emit { $0.confirmationEnded(turn) }
        for topic in retained.unconfirmed where isServed(topic) { takeBack(topic, turn) }
        retained.forgetEarlierRun()
        turn.emit { $0.retainedMessagesKnown(turn) }
    }

    private func takeBack(_ topic: String, _ turn: Turn) {
        guard let kind = topics.kind(of: topic) else { return }
        // Of such a person nothing is published, or another fuser does.
        if let item = kind.describedItem, turn.persons.isUnnamed(item, turn) { return }
        switch kind {
        case .location(let item):
            let now = turn.time
            let location = Location(
                fuser: turn.identity.name, state: .unknown, room: nil, confidence: 0, since: now, previous: nil, at: now
            )
            turn.publish(.location(item: item, location))
        case .itemAlert(let item): retain(topics.itemAlert(item), [])
        case .occupancy(let room): turn.emit { $0.occupancyUnconfirmed(ofRoom: room, turn) }
        // The other half of an answer that is gone.
        case .room(let item): if !retained.hasAnswer(of: item) { outbox.append(.clearing(topic)) }
        case .itemTelemetry, .itemBattery, .nodeStatus, .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity,
            .window,
            .fuserStatus,
            .fuserClaim, .itemEvents, .itemConfig, .lesson, .housePlan, .floorPicture, .rollout, .nodeCommand,
            .commandResult,
            .fuserCommand,
            .fuserCommandResult,
            .replies:
            break
        }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        var report = PurgeReport()
        effects.readings.removeAll { $0.item == erasure.item }
        guard erasure.isWhole else { return report }
        effects.confidences[erasure.item] = nil
        for topic in [topics.location(erasure.item), topics.room(erasure.item)] {
            report.messages += clear(answer: topic, in: erasure, turn)
        }
        return report
    }

    /// Clears an answer of an item whose data is erased; the number of messages that this removed, as far as is known.
    func clear(answer topic: String, in erasure: Erasure, _ turn: Turn) -> Int {
        guard serves(erasure.item) else { return 0 }
        let isThere = brokerRetains(topic)
        // After a purge an earlier run's message may be there as well, unknown to this one.
        guard erasure.isPurge || isThere else { return 0 }
        let count = isThere || retained.isInherited(topic) || turn.persons.isUnnamed(erasure.item, turn) ? 1 : 0
        outbox.append(retained.clear(topic))
        return count
    }

    /// The effects since the last call.
    func takeEffects() -> FuserEffects {
        var taken = FuserEffects()
        swap(&taken, &effects)
        // What another fuser serves by now is that one's to publish.
        taken.states = retained.takeBehindEvents().filter { isServed($0.topic) }
        return taken
    }

    func storeEverything(_ turn: Turn) {
        effects.lessons = turn.tracker.lessons.map { .added($0) }
    }
}
