public import Bytes
public import Identity

/// Follows `items/+/config`: updates the book of the registry and returns the changes to publish on the broker.
///
/// It must receive every connection and every config message. Subscribe with QoS 0: a broker queues only a limited
/// number of retained messages of QoS 1 for a new subscriber (mosquitto: 1,000) and silently drops the others.
///
///     case .connected: follower.connected(at: now)
///     case .message(let message): if case .changed = follower.receive(message, at: now) { isStale = true }
///     …
///     if isStale { resolver.use(follower.book.registry(regions: regions)) }      // once for many changes
///     for message in follower.takeRepairs(at: now) ?? [] { session.publish(message) }  // a fuser alone
public struct RegistryFollower: Sendable {
    /// The effect of a message.
    public enum Effect: Hashable, Sendable {
        /// No relevant change.
        case nothing
        /// The entry of this item changed: the registry is to be rebuilt.
        case changed(String)
        /// The entry is rejected; the one before remains.
        case refused(ItemRefusal)
    }

    /// The time without a config message after which all retained messages were received: 3 s.
    public static let settling: Duration = .seconds(3)
    /// The maximum number of rejections retained for `info`; all are counted.
    public static let refusalBound = 1024

    /// The registry's book.
    public var book: RegistryBook
    /// The broker's retained entries, by item.
    public private(set) var retained: [String: ItemChange] = [:]
    /// Retained entries that are invalid, by item; at most 1,024.
    public private(set) var refusals: [String: ItemRefusal] = [:]
    /// Entries rejected since the start.
    public private(set) var refused: UInt64 = 0
    private let topics: Topics
    /// True after the items file was compared with the result of an earlier run.
    private var hasComparedFile = false
    private var settled: Timestamp?

    /// A follower of the registry under a prefix, with an initial book.
    public init(topics: Topics, book: RegistryBook = RegistryBook()) {
        self.topics = topics
        self.book = book
    }

    /// Replaces the items file: what it seeds is among the next repairs.
    public mutating func use(file items: [Item], at now: Timestamp) {
        book.apply(file: items)
        hasComparedFile = false
        settled = settled ?? now
    }

    /// The filter to subscribe to, with QoS 0.
    public var filter: String { topics.allItems("config") }

    /// The time at which `takeRepairs` may return changes; nil if nothing is pending.
    public var nextDeadline: Timestamp? { settled }

    /// Records a connection: retained messages will be received again.
    public mutating func connected(at now: Timestamp) {
        (retained, refusals) = ([:], [:])
        settled = now.advanced(by: Self.settling)
    }

    /// Begins to wait for retained messages, since the subscription was granted only now.
    public mutating func expectRetained(at now: Timestamp) {
        settled = now.advanced(by: Self.settling)
    }

    /// Receives a message; one of another topic changes nothing. A topic with an invalid id of an item is rejected.
    @discardableResult
    public mutating func receive(_ message: Message, at now: Timestamp) -> Effect {
        guard case .itemConfig(let id) = topics.kind(of: message.topic) else { return judgeName(message) }
        settled = now.advanced(by: Self.settling)
        refusals[id] = nil
        do throws(ItemRefusal) {
            guard let change = try ItemChange.read(message.payload.span, item: id) else {
                retained[id] = nil
                return .nothing
            }
            let outcome = book.apply(change, retained: message.retained, at: now)
            if outcome == .full { return .nothing }
            retained[id] = change
            return outcome == .taken ? .changed(id) : .nothing
        } catch {
            retained[id] = nil
            return refuse(error)
        }
    }

    private mutating func judgeName(_ message: Message) -> Effect {
        guard TopicFilter.matches(filter, message.topic) else { return .nothing }
        // The filter's own two levels precede and follow.
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
        let name = String(levels[levels.count - 2])
        guard let complaint = ItemReader.complaint(id: name) else { return .nothing }
        let id = ItemReader.short(name)
        refusals[id] = nil
        guard !message.payload.isEmpty else { return .nothing }
        return refuse(ItemRefusal(id: id, faults: [ItemFault("", complaint, at: 0)]))
    }

    private mutating func refuse(_ refusal: ItemRefusal) -> Effect {
        refused += 1
        if refusals.count < Self.refusalBound { refusals[refusal.id] = refusal }
        return .refused(refusal)
    }

    /// The changes to publish so that the broker holds the whole registry; nil before it has settled, and after a call
    /// since.
    public mutating func takeRepairs(at now: Timestamp) -> [Message]? {
        guard let due = settled, now >= due else { return nil }
        settled = nil
        book.prune(at: now)
        let changes = hasComparedFile ? [] : book.fileChanges(broker: retained)
        hasComparedFile = true
        return messages(of: book.repairs(broker: retained, at: now)) + changes.map(message)
    }

    /// Repairs as messages, all to be retained.
    public func messages(of repairs: RegistryBook.Repairs) -> [Message] {
        repairs.put.map(message)
            + repairs.clear.map {
                Message.clearing(topics.itemConfig($0))
            }
    }

    /// An entry as a message, to be retained.
    public func message(_ entry: ItemEntry) -> Message {
        Message(
            topic: topics.itemConfig(entry.id), payload: ItemChange(entry).payload, qos: .atLeastOnce, retained: true)
    }
}
