public import Bytes
public import Identity

/// Follows `items/+/config`: keeps the book of the registry up to date and says what to put back on the broker.
///
/// It must be told of every connection and every config message. Subscribe with QoS 0: of what a broker retains it
/// queues only so many messages of QoS 1 for a new subscriber (mosquitto: 1,000) and drops the rest unsaid.
///
///     case .connected: follower.connected(at: now)
///     case .message(let message): if case .changed = follower.receive(message, at: now) { isStale = true }
///     …
///     if isStale { resolver.use(follower.book.registry(regions: regions)) }      // once for many changes
///     for message in follower.takeRepairs(at: now) ?? [] { session.publish(message) }  // a fuser alone
public struct RegistryFollower: Sendable {
    /// What a message changed.
    public enum Effect: Hashable, Sendable {
        /// Nothing that matters here.
        case nothing
        /// The entry of this item: the registry is to be made anew.
        case changed(String)
        /// The entry is refused; the one before stays.
        case refused(ItemRefusal)
    }

    /// Microseconds without a config message after which all that the broker retains has come: 3 s.
    public static let settling: Int64 = 3_000_000
    /// Refusals kept for `info`; all are counted.
    public static let refusalBound = 1024

    /// What is known.
    public var book: RegistryBook
    /// What the broker retains, by item.
    public private(set) var retained: [String: ItemChange] = [:]
    /// Entries that the broker retains and that are none, by item; at most 1,024.
    public private(set) var refusals: [String: ItemRefusal] = [:]
    /// Entries refused since the start.
    public private(set) var refused: UInt64 = 0
    private let topics: Topics
    /// Whether the items file was compared with what an earlier run made of it.
    private var hasComparedFile = false
    private var settled: Timestamp?

    /// A follower of the registry under a prefix, with what is known already.
    public init(topics: Topics, book: RegistryBook = RegistryBook()) {
        self.topics = topics
        self.book = book
    }

    /// The filter to subscribe to, with QoS 0.
    public var filter: String { topics.allItems("config") }

    /// When `takeRepairs` may have something; nil where nothing is open.
    public var nextDeadline: Timestamp? { settled }

    /// A connection was made: what the broker retains will come anew.
    public mutating func connected(at now: Timestamp) {
        (retained, refusals) = ([:], [:])
        settled = now.advanced(byMicroseconds: Self.settling)
    }

    /// Begins to wait for what is retained: the subscription was granted only now.
    public mutating func expectRetained(at now: Timestamp) {
        settled = now.advanced(byMicroseconds: Self.settling)
    }

    /// Takes a message; one of another topic changes nothing. One whose topic names no id that an item can have is refused.
    @discardableResult
    public mutating func receive(_ message: Message, at now: Timestamp) -> Effect {
        guard case .itemConfig(let id) = topics.kind(of: message.topic) else { return judgeName(message) }
        settled = now.advanced(byMicroseconds: Self.settling)
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
        // The filter's own two levels stand before and behind.
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

    /// What is to be published so that the broker holds the whole registry; nil before it has settled, and when that was
    /// asked since.
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
