public import Bytes
public import WireProtocol

/// The discovery documents of a publisher: those that are retained, and the changes to publish, take over and clear.
///
/// Its ledger is the broker's retained messages, which are read back on every connection. Documents are published one
/// by one, so that neither broker nor Home Assistant is flooded: all of them after a connection and after a start of
/// Home Assistant, at other times the new and changed ones. It reads no clock.
///
///     case .connected: book.connected(at: now)
///     case .message(let message): if book.receive(message, at: now) { return }
///     …
///     let steps = book.advance(to: now, owns: { … }, describe: { … })
public struct DiscoveryBook: Sendable {
    /// The most devices, wanted or retained; those beyond are left out. A wanted device takes precedence over those
    /// that are only retained: anybody can publish any number of documents.
    public static let capacity = 20_000
    /// The devices that make room at once for a wanted one, and are found again with the next connection.
    static let evicted = 2000
    /// The most entities of the older form that are taken over at once.
    public static let singleBound = 20_000
    /// The time after a connection without publications: the retained messages, and the other publishers, are
    /// received first.
    public static let settling: Duration = .seconds(4)
    /// The time between two documents: fifty a second.
    public static let pace: Duration = .milliseconds(20)
    /// The time over which the publishers of a house distribute their beginnings.
    public static let jitter: Duration = .seconds(3)
    /// The time after which a retained, unwanted device is cleared without a sign that it is gone.
    public static let patience: Duration = .hours(1)
    /// The time within which birth messages count as one start, at whose end all is published once more. Without it
    /// a Home Assistant that reconnects each second, or anybody, could cause endless publications, none of them
    /// complete.
    public static let rebirth: Duration = .seconds(10)
    /// The most documents of one call, if it comes late.
    static let burst = 25
    /// The most devices checked by one call: most of them need no change, and other work must not wait for them.
    static let lookBound = 100

    /// The actions for the caller.
    public struct Steps: Sendable {
        /// The messages to publish, in this order.
        public var messages: [Message] = []
        /// The devices with states to publish again. Home Assistant reads an entity's state from the broker as it
        /// creates the entity, and not after a change of its document: a room that was published before it was among
        /// the entity's states stays unknown.
        public var restated: [String] = []
        /// True if `row` is to be persisted again.
        public var isChanged = false

        /// No actions.
        public init() {}
    }

    struct Entry {
        var isWanted = false
        /// True if it is gone for certain: it was wanted before, or has been unwanted for `patience`.
        var isOver = false
        var standing: StandingDocument?
        /// Topics of the older form, one for each entity.
        var singles: Set<String> = []
        /// True if Home Assistant was asked to release them for the device.
        var isMigrating = false
        /// True if a document of this publisher was cleared by another, most often Home Assistant's user, which is
        /// respected until Home Assistant starts again.
        var isDeleted = false
        var isEmpty: Bool { !isWanted && standing == nil && singles.isEmpty }
    }

    let place: DiscoveryPlace
    /// The prefixes of objects that may belong to this publisher.
    let kinds: [String]
    private let start: Duration
    var entries: [String: Entry] = [:]
    /// True if all of them are wanted, as far as is known.
    var isFullyWanted = false
    /// The number of entities of the older form in all entries.
    var singles = 0
    var graves: RemovedEntities
    /// True if `row` has changed since it was last returned.
    var isRowNew = false
    /// Digests of temporary documents, to recognize their return.
    var passing: Set<UInt64> = []
    /// The time of its first publication; nil before the first connection.
    var opens: MonotonicTime?
    var nextSlot = MonotonicTime.start
    /// The time from which a birth message takes effect at once.
    var heeds = MonotonicTime.distantPast
    /// True if a birth message came before that time.
    var isReborn = false
    var urgent = Waiting()
    /// Devices that are published even if they are retained unchanged.
    var forced = Waiting()
    var all = Waiting()
    var delays = Delays()

    /// A book without wanted devices.
    ///
    /// - Parameters:
    ///   - kinds: the prefixes of objects that may belong to this publisher, such as `item_`.
    ///   - name: the publisher's, which separates its beginnings from those of others.
    ///   - row: the row persisted by an earlier run; nil if there was none.
    public init(_ place: DiscoveryPlace, kinds: [String], name: String, keeping row: String? = nil) {
        (self.place, self.kinds) = (place, kinds)
        start = .nanoseconds(StandingDocument.digest(Array(name.utf8)) % UInt64(Self.jitter.nanoseconds))
        graves = RemovedEntities(row ?? "", kinds: kinds)
    }

    /// The row to persist: the removals since Home Assistant's last start. It may have been off then, and still have
    /// the entities.
    public var row: String { graves.row }

    /// True if none of its documents is retained, or waits to be published; false before the first connection has
    /// settled.
    public func isDone(at now: MonotonicTime) -> Bool {
        opens.map { now >= $0 } ?? false && entries.isEmpty && all.isEmpty && forced.isEmpty && urgent.isEmpty
    }

    /// The time of the next work for `advance`; nil if there is none.
    public var nextDeadline: MonotonicTime? {
        guard let opens else { return nil }
        if isRowNew { return opens }
        let slot = urgent.isEmpty && forced.isEmpty && all.isEmpty ? nil : max(opens, nextSlot)
        return [slot, delays.next, isReborn ? max(opens, heeds) : nil].compactMap { $0 }.min()
    }

    // MARK: Wanted devices

    /// True if a device is wanted.
    public func wants(_ object: String) -> Bool { entries[object]?.isWanted == true }

    /// Marks a device as wanted from now on; returns false if there are too many.
    @discardableResult
    public mutating func markWanted(_ object: String) -> Bool {
        guard entries[object] != nil || entries.count < Self.capacity || makesRoom() else { return false }
        entries[object, default: Entry()].isWanted = true
        entries[object]?.isOver = false
        urgent.add(object)
        return true
    }

    /// Drops unwanted devices; returns false if there are none.
    private mutating func makesRoom() -> Bool {
        guard !isFullyWanted else { return false }
        let strays = entries.lazy.filter { !$0.value.isWanted }.prefix(Self.evicted).map { $0.key }
        for object in Array(strays) {
            guard let entry = entries.removeValue(forKey: object) else { continue }
            singles -= entry.singles.count
        }
        isFullyWanted = entries.count >= Self.capacity
        return !isFullyWanted
    }

    /// Marks a device as unwanted.
    public mutating func drop(_ object: String) {
        guard var entry = entries[object] else { return }
        isFullyWanted = false
        if entry.isWanted { (entry.isWanted, entry.isOver, entry.isDeleted) = (false, true, false) }
        entries[object] = entry.isEmpty ? nil : entry
        urgent.add(object)
    }

    /// Marks these devices as wanted from now on, and no others.
    public mutating func markWanted(only objects: Set<String>) {
        for (object, entry) in entries where entry.isWanted && !objects.contains(object) { drop(object) }
        for object in objects.filter({ !wants($0) }).sorted() { markWanted(object) }
    }

    /// Checks a device again, for example after a change of its name or its entities.
    public mutating func recheckDevice(_ object: String) {
        if entries[object] != nil { urgent.add(object) }
    }

    /// Checks all of them again, for example after a change of their common part.
    public mutating func changeAll() {
        for object in entries.keys.sorted() { all.add(object) }
    }

    /// Checks all devices with objects of this kind again.
    public mutating func changeAll(of kind: String) {
        for object in entries.keys.filter({ $0.hasPrefix(kind) }).sorted() { all.add(object) }
    }

    /// True if a device may belong to this publisher.
    func isOfKind(_ object: String) -> Bool { object.begins(withAnyOf: kinds) }

    /// Publishes all of them again from `time` on.
    mutating func begin(at time: MonotonicTime) {
        opens = time
        nextSlot = time + start
        for object in entries.keys.sorted() { forced.add(object) }
    }
}
