public import WireProtocol

/// A broker without network, threads or clock: messages come out in a fixed order, so that whole programs can run in
/// one process on a virtual clock.
///
/// Each client has a mailbox. A message is in every subscriber's mailbox when `publish` returns. A subscriber whose
/// filters overlap gets one copy, as from mosquitto.
public struct InMemoryBroker: Sendable {
    /// The most messages that a mailbox holds; newer ones are dropped and counted.
    public static let mailboxBound = 1 << 20

    private struct Client {
        var will: Message?
        var filters: [(filter: String, qos: Message.QualityOfService)] = []
        var mailbox: [Message] = []
    }

    private var clients: [(id: String, client: Client)] = []
    private var retained: [String: Message] = [:]

    /// Messages dropped at full mailboxes.
    public private(set) var dropped = 0
    /// Messages published so far.
    public private(set) var published = 0

    /// A broker without clients.
    public init() {}

    /// Connects a client with a clean session. One of the same id is disconnected first, with its will.
    public mutating func connect(_ id: String, will: Message? = nil) {
        vanish(id)
        clients.append((id, Client(will: will)))
    }

    /// Adds a subscription; matching retained messages arrive at once, in the order of their topics, marked as
    /// retained.
    public mutating func subscribe(_ id: String, to filter: String, qos: Message.QualityOfService = .atLeastOnce) {
        guard TopicFilter.isValid(filter), let index = index(of: id) else { return }
        clients[index].client.filters.removeAll { $0.filter == filter }
        clients[index].client.filters.append((filter, qos))
        for topic in retained.keys.sorted() where TopicFilter.matches(filter, topic) {
            guard var message = retained[topic] else { continue }
            message.qos = Self.lower(message.qos, qos)
            put(message, at: index)
        }
    }

    /// Publishes a message. A retained one is stored, or with an empty payload cleared; subscribers see it unmarked.
    public mutating func publish(_ message: Message) {
        guard TopicFilter.isValidTopic(message.topic) else { return }
        published += 1
        if message.retained { retained[message.topic] = message.payload.isEmpty ? nil : message }
        for index in clients.indices {
            let matching = clients[index].client.filters.filter { TopicFilter.matches($0.filter, message.topic) }
            guard let qos = matching.map(\.qos).max(by: { $0.rawValue < $1.rawValue }) else { continue }
            var copy = message
            copy.retained = false
            copy.qos = Self.lower(message.qos, qos)
            put(copy, at: index)
        }
    }

    /// Removes and returns the messages of a client's mailbox.
    public mutating func takeMessages(for id: String) -> [Message] {
        guard let index = index(of: id) else { return [] }
        defer { clients[index].client.mailbox = [] }
        return clients[index].client.mailbox
    }

    /// True if all mailboxes are empty.
    public var isSettled: Bool { clients.allSatisfy { $0.client.mailbox.isEmpty } }

    /// True if a client of that id is connected.
    public func isConnected(_ id: String) -> Bool { index(of: id) != nil }

    /// The message retained for a topic.
    public func retainedMessage(_ topic: String) -> Message? { retained[topic] }

    /// All retained messages, in the order of their topics.
    public var retainedMessages: [Message] { retained.values.sorted { $0.topic < $1.topic } }

    /// A client leaves with DISCONNECT: its will is discarded.
    public mutating func disconnect(_ id: String) {
        clients.removeAll { $0.id == id }
    }

    /// A client leaves without DISCONNECT: its will is published.
    public mutating func vanish(_ id: String) {
        guard let index = index(of: id) else { return }
        let will = clients.remove(at: index).client.will
        if let will { publish(will) }
    }

    /// The broker is killed: all clients are disconnected, wills are not published, and unless its store survives
    /// nothing is retained.
    public mutating func restart(keepingRetained: Bool) {
        clients = []
        if !keepingRetained { retained = [:] }
    }

    private func index(of id: String) -> Int? { clients.firstIndex { $0.id == id } }

    private mutating func put(_ message: Message, at index: Int) {
        guard clients[index].client.mailbox.count < Self.mailboxBound else {
            dropped += 1
            return
        }
        clients[index].client.mailbox.append(message)
    }

    private static func lower(
        _ left: Message.QualityOfService, _ right: Message.QualityOfService
    ) -> Message.QualityOfService {
        left.rawValue < right.rawValue ? left : right
    }
}
