internal import Bytes
internal import WireProtocol

/// The retained messages of this run, and those of an earlier run that the broker still has.
struct RetainedState: Sendable {
    /// Topics of an earlier run that are remembered at once.
    static let capacity = 65_536
    /// The time after a connection for which answers of an earlier run may stand unconfirmed.
    static let confirmation: Duration = .seconds(10)

    /// The latest message of this run, by topic.
    private var own: [String: Message] = [:]
    /// Topics whose message goes out behind the events that wait.
    private var behindEvents: Set<String> = []
    /// Topics of an earlier run's answers that are neither confirmed nor cleared.
    private var inherited: Set<String> = []
    /// Items of which the broker has an answer, whosever it is, until then.
    private var answered: Set<String> = []
    /// The wall time at which unconfirmed answers are cleared; nil if that is done, or nobody has connected yet.
    private(set) var confirmedAt: Timestamp?
    /// True while the broker has yet to grant a subscription: a message that does not come is not absent.
    private(set) var isAwaited = false
    /// True once that has been done: the broker's messages are known.
    private(set) var isComplete = false

    // MARK: This run's messages

    /// The message of this run on a topic.
    subscript(topic: String) -> Message? { own[topic] }

    /// All messages of this run, in the order of their topics.
    var messages: [Message] { own.sorted { $0.key < $1.key }.map(\.value) }

    /// True if a message is one of this run's own, as it comes back.
    func isOwn(_ message: Message) -> Bool { own[message.topic]?.payload == message.payload }

    /// Retains a payload; nil if it says nothing new.
    mutating func retain(_ topic: String, _ payload: [UInt8]) -> Message? {
        guard own[topic]?.payload != payload else { return nil }
        let message = Message(topic: topic, payload: payload, qos: .atLeastOnce, retained: true)
        own[topic] = message
        return message
    }

    /// Retains a payload that goes out with the next effects, behind their events, unless it says nothing new.
    mutating func retain(behindEvents topic: String, _ payload: [UInt8]) {
        if retain(topic, payload) != nil { behindEvents.insert(topic) }
    }

    /// True if messages wait for events.
    var hasMessagesBehindEvents: Bool { !behindEvents.isEmpty }

    /// The messages that waited for events, in the order of their topics.
    mutating func takeBehindEvents() -> [Message] {
        defer { behindEvents.removeAll() }
        return behindEvents.sorted().compactMap { own[$0] }
    }

    /// Retains the messages of this run that this fuser still publishes.
    mutating func retainServed(where isServed: (String) -> Bool) { own = own.filter { isServed($0.key) } }

    /// Removes a topic, and returns the message that clears it.
    mutating func clear(_ topic: String) -> Message {
        own[topic] = nil
        inherited.remove(topic)
        return .clearing(topic)
    }

    /// True if the broker has a message on a topic, as far as is known: this run's, or else an earlier one's.
    func brokerRetains(_ topic: String) -> Bool { own[topic].map { !$0.payload.isEmpty } ?? inherited.contains(topic) }

    // MARK: An earlier run's messages

    /// True if a topic has an earlier run's message that is not confirmed.
    func isInherited(_ topic: String) -> Bool { inherited.contains(topic) }

    /// Records a retained answer of this fuser that this run does not know yet.
    mutating func adoptMessage(_ message: Message) {
        guard !message.payload.isEmpty else { return }
        adoptTopic(message.topic)
    }

    /// Records the topic of such an answer, which may be empty.
    mutating func adoptTopic(_ topic: String) {
        guard own[topic] == nil, inherited.count < Self.capacity else { return }
        inherited.insert(topic)
    }

    /// Records that the broker retains an answer of an item.
    mutating func noteAnswer(_ message: Message, of item: String) {
        guard message.retained, !message.payload.isEmpty, answered.count < Self.capacity else { return }
        answered.insert(item)
    }

    /// True if the broker has an answer of an item.
    func hasAnswer(of item: String) -> Bool { answered.contains(item) }

    /// The topics of an earlier run that this one has not confirmed, in order.
    var unconfirmed: [String] { inherited.filter { own[$0] == nil }.sorted() }

    /// Ends the wait for confirmations; false if it is not over.
    mutating func endConfirmation(at wall: Timestamp) -> Bool {
        guard let due = confirmedAt, wall >= due else { return false }
        (confirmedAt, isComplete) = (nil, true)
        return true
    }

    /// Removes all records of the earlier run.
    mutating func forgetEarlierRun() {
        inherited.removeAll()
        answered.removeAll()
    }

    // MARK: Connections

    /// Waits for confirmations from a wall time on, for ten seconds.
    mutating func awaitConfirmation(from wall: Timestamp) {
        confirmedAt = wall.advanced(by: Self.confirmation)
    }

    /// Treats no message as absent until the broker has granted all subscriptions.
    mutating func awaitSubscriptions() { isAwaited = true }

    /// Records that the broker has granted all subscriptions, at a wall time.
    mutating func subscriptionsGranted(at wall: Timestamp) {
        isAwaited = false
        awaitConfirmation(from: wall)
    }
}
