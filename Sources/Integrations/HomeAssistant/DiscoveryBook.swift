public import WireProtocol

/// What a publisher has told Home Assistant of its devices, and what is to be told, taken over and cleared.
///
/// Its ledger is what the broker retains: it is read back on every connection. Documents go out one by one, so that
/// neither broker nor Home Assistant is flooded: all of them after a connection and when Home Assistant has started, else
/// those that are new or have changed. It reads no clock; times are nanoseconds of one that is never set.
///
///     case .connected: book.connected(at: now)
///     case .message(let message): if book.receive(message, at: now) { return }
///     …
///     let steps = book.advance(to: now, owns: { … }, describe: { … })
public struct DiscoveryBook: Sendable {
    /// Devices that are known at once, wanted or standing; those beyond are left out. One that is wanted goes before those
    /// that merely stand: anybody can put any number of documents on the broker.
    public static let capacity = 20_000
    /// Devices that make room at once for such a one, and are found again with the next connection.
    static let evicted = 2000
    /// Entities of the older form that are taken over at once.
    public static let singleBound = 20_000
    /// Nanoseconds after a connection for which nothing is told: what is retained, and who else is there, comes first.
    public static let settling: Int64 = 4_000_000_000
    /// Nanoseconds between two documents: fifty a second.
    public static let pace: Int64 = 20_000_000
    /// Nanoseconds over which the publishers of a house part their beginnings.
    public static let jitter: Int64 = 3_000_000_000
    /// Nanoseconds after which what stands and nobody wants goes, though nobody said that it is gone.
    public static let patience: Int64 = 3_600_000_000_000
    /// Nanoseconds within which birth messages are one start, at whose end all is told once more: a Home Assistant that
    /// connects anew each second, or anybody, could have all told for ever else, and nothing to the end.
    public static let rebirth: Int64 = 10_000_000_000
    /// Documents of one call at most, where it comes late.
    static let burst = 25
    /// Devices that one call looks at, at most: most of them stand as they should, and none is to hold up what else there is
    /// to do.
    static let lookBound = 100

    /// What is to be done.
    public struct Steps: Sendable {
        /// To be published, in this order.
        public var messages: [Message] = []
        /// Devices whose states are to be told again. Home Assistant takes an entity's state from the broker as it makes the
        /// entity, and not when its document changes: a room that was told before it was among the entity's states stays
        /// unknown.
        public var restated: [String] = []
        /// Whether `row` is to be kept anew.
        public var isChanged = false

        /// Nothing.
        public init() {}
    }

    struct Entry {
        var isWanted = false
        /// Whether it is gone for certain: it was wanted, or nobody has wanted it for `patience`.
        var isOver = false
        var standing: StandingDocument?
        /// Topics of the older form, each for an entity.
        var singles: Set<String> = []
        /// Whether Home Assistant was asked to let go of them for the device.
        var isMigrating = false
        /// Whether somebody cleared what this publisher owns, and most often Home Assistant's user, whom nobody contradicts
        /// until that starts anew.
        var isDeleted = false
        var isEmpty: Bool { !isWanted && standing == nil && singles.isEmpty }
    }

    let place: DiscoveryPlace
    /// What the objects begin with that may be this publisher's.
    let kinds: [String]
    private let start: Int64
    var entries: [String: Entry] = [:]
    /// Whether all of them are wanted, as far as is known.
    var isFullyWanted = false
    /// Entities of the older form in all entries.
    var singles = 0
    var graves: Graves
    /// Whether `row` has changed since that was said last.
    var isRowNew = false
    /// Digests of documents that are not to stay, as they come back.
    var passing: Set<UInt64> = []
    /// When it may speak; nil before the first connection.
    var opens: Int64?
    var nextSlot: Int64 = 0
    /// From when on a birth message is heeded at once …
    var heeds: Int64 = .min
    /// … and whether one came before that.
    var isReborn = false
    var urgent = Waiting()
    /// Those that go out even where they stand already.
    var forced = Waiting()
    var all = Waiting()
    var delays = Delays()

    /// A book in which nothing is wanted.
    ///
    /// - Parameters:
    ///   - kinds: what the objects begin with that may be this publisher's, such as `item_`.
    ///   - name: the publisher's, which parts its beginnings from those of others.
    ///   - row: what an earlier run kept; nil where there was none.
    public init(_ place: DiscoveryPlace, kinds: [String], name: String, keeping row: String? = nil) {
        (self.place, self.kinds) = (place, kinds)
        start = Int64(StandingDocument.digest(Array(name.utf8)) % UInt64(Self.jitter))
        graves = Graves(row ?? "", kinds: kinds)
    }

    /// What is to be kept over restarts: what was cleared since Home Assistant started last. It may have been off then, and
    /// still have it.
    public var row: String { graves.row }

    /// Whether nothing of it stands at the broker, or waits to be told; false before the first connection has settled.
    public func isDone(at now: Int64) -> Bool {
        opens.map { now >= $0 } ?? false && entries.isEmpty && all.isEmpty && forced.isEmpty && urgent.isEmpty
    }

    /// When `advance` has something to do; nil where nothing is open.
    public var nextDeadline: Int64? {
        guard let opens else { return nil }
        if isRowNew { return opens }
        let slot = urgent.isEmpty && forced.isEmpty && all.isEmpty ? nil : max(opens, nextSlot)
        return [slot, delays.next, isReborn ? max(opens, heeds) : nil].compactMap { $0 }.min()
    }

    // MARK: What should stand

    /// Whether a device is to stand.
    public func wants(_ object: String) -> Bool { entries[object]?.isWanted == true }

    /// Has a device stand from now on; false where there are too many.
    @discardableResult
    public mutating func want(_ object: String) -> Bool {
        guard entries[object] != nil || entries.count < Self.capacity || makesRoom() else { return false }
        entries[object, default: Entry()].isWanted = true
        entries[object]?.isOver = false
        urgent.add(object)
        return true
    }

    /// Lets go of devices that nobody wants; false where there are none.
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

    /// Has a device stand no longer.
    public mutating func drop(_ object: String) {
        guard var entry = entries[object] else { return }
        isFullyWanted = false
        if entry.isWanted { (entry.isWanted, entry.isOver, entry.isDeleted) = (false, true, false) }
        entries[object] = entry.isEmpty ? nil : entry
        urgent.add(object)
    }

    /// Has these devices stand from now on, and no others.
    public mutating func want(only objects: Set<String>) {
        for (object, entry) in entries where entry.isWanted && !objects.contains(object) { drop(object) }
        for object in objects.filter({ !wants($0) }).sorted() { want(object) }
    }

    /// Looks at a device anew, as where its name or its entities have changed.
    public mutating func change(_ object: String) {
        if entries[object] != nil { urgent.add(object) }
    }

    /// Looks at all of them anew, as where what all are made of has changed.
    public mutating func changeAll() {
        for object in entries.keys.sorted() { all.add(object) }
    }

    /// Looks anew at those whose objects begin so.
    public mutating func changeAll(of kind: String) {
        for object in entries.keys.filter({ $0.hasPrefix(kind) }).sorted() { all.add(object) }
    }

    /// Whether a device may be this publisher's.
    func isOfKind(_ object: String) -> Bool { object.begins(withAnyOf: kinds) }

    /// Has all of them told again from a moment on.
    mutating func begin(at time: Int64) {
        opens = time
        nextSlot = time + start
        for object in entries.keys.sorted() { forced.add(object) }
    }
}
