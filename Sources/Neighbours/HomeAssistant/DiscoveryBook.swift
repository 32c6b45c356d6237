public import Sightings

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
    /// Devices that are known at once, wanted or standing; those beyond are left out.
    public static let capacity = 20_000
    /// Entities of the older form that are taken over at once.
    public static let singleBound = 20_000
    /// Nanoseconds after a connection for which nothing is told: what is retained, and who else is there, comes first.
    public static let settling: Int64 = 4_000_000_000
    /// Nanoseconds between two documents: fifty a second.
    public static let pace: Int64 = 20_000_000
    /// Nanoseconds over which the publishers of a house part their beginnings.
    public static let jitter: Int64 = 3_000_000_000
    /// Documents of one call at most, where it comes late.
    static let burst = 25

    /// What is to be done.
    public struct Steps: Sendable {
        /// To be published, in this order.
        public var messages: [Message] = []
        /// Devices whose states are to be told again: Home Assistant listens to them only now.
        public var restated: [String] = []
        /// Whether `row` is to be kept anew.
        public var isChanged = false

        /// Nothing.
        public init() {}
    }

    struct Entry {
        var isWanted = false
        var standing: StandingDocument?
        /// Topics of the older form, each for an entity.
        var singles: Set<String> = []
        /// Whether Home Assistant was asked to let go of them for the device.
        var isMigrating = false
        /// Whether somebody cleared it, and most often Home Assistant's user, whom nobody contradicts until that starts anew.
        var isDeleted = false
        var isEmpty: Bool { !isWanted && standing == nil && singles.isEmpty }
    }

    let place: DiscoveryPlace
    /// What the objects begin with that may be this publisher's.
    private let kinds: [String]
    private let start: Int64
    var entries: [String: Entry] = [:]
    private var singles = 0
    var graves: Graves
    private var isRowNew = false
    /// Digests of documents that are not to stay, as they come back.
    private var passing: Set<UInt64> = []
    /// When it may speak; nil before the first connection.
    private var opens: Int64?
    private var nextSlot: Int64 = 0
    private var urgent = Waiting()
    /// Those that go out even where they stand already.
    private var forced = Waiting()
    private var all = Waiting()
    private var delays = Delays()

    /// A book in which nothing is wanted.
    ///
    /// - Parameters:
    ///   - kinds: what the objects begin with that may be this publisher's, such as `item_`.
    ///   - name: the publisher's, which parts its beginnings from those of others.
    ///   - row: what an earlier run kept; nil where there was none.
    public init(_ place: DiscoveryPlace, kinds: [String], name: String, keeping row: String? = nil) {
        (self.place, self.kinds) = (place, kinds)
        start = Int64(StandingDocument.digest(Array(name.utf8)) % UInt64(Self.jitter))
        graves = Graves(row ?? "")
    }

    /// What is to be kept over restarts: what was cleared since Home Assistant started last. It may have been off then, and
    /// still have it.
    public var row: String { graves.row }

    /// What is to be subscribed to by a publisher of many devices.
    public var subscriptions: [String] { [place.all, place.birth] }

    /// Devices that stand at the broker, as far as is known.
    public var standing: Int { entries.values.count { $0.standing != nil } }

    /// Whether nothing of it stands at the broker, or waits to be told; false before the first connection has settled.
    public func isDone(at now: Int64) -> Bool {
        opens.map { now >= $0 } ?? false && entries.isEmpty && all.isEmpty && forced.isEmpty && urgent.isEmpty
    }

    /// When `advance` has something to do; nil where nothing is open.
    public var nextDeadline: Int64? {
        guard let opens, !isRowNew else { return opens }
        let slot = urgent.isEmpty && forced.isEmpty && all.isEmpty ? nil : max(opens, nextSlot)
        return [slot, delays.next].compactMap { $0 }.min()
    }

    // MARK: What should stand

    /// Has a device stand from now on; false where there are too many.
    @discardableResult
    public mutating func want(_ object: String) -> Bool {
        guard entries[object] != nil || entries.count < Self.capacity else { return false }
        entries[object, default: Entry()].isWanted = true
        urgent.add(object)
        return true
    }

    /// Has a device stand no longer.
    public mutating func drop(_ object: String) {
        guard entries[object]?.isWanted == true else { return }
        retire(object)
    }

    private mutating func retire(_ object: String) {
        entries[object]?.isWanted = false
        entries[object]?.isDeleted = false
        if entries[object]?.isEmpty == true { entries[object] = nil }
        urgent.add(object)
    }

    /// Has these devices stand from now on, and no others; looks at all of them.
    public mutating func want(only objects: Set<String>) {
        for (object, entry) in entries where entry.isWanted && !objects.contains(object) { retire(object) }
        for object in objects where entries[object] != nil || entries.count < Self.capacity {
            entries[object, default: Entry()].isWanted = true
        }
        for object in entries.keys.sorted() { all.add(object) }
    }

    /// Looks at a device anew, as where its name or its entities have changed.
    public mutating func change(_ object: String) {
        if entries[object] != nil { urgent.add(object) }
    }

    // MARK: What comes

    /// A connection was made: what is retained will come anew.
    public mutating func connected(at now: Int64) {
        for (object, entry) in entries {
            var entry = entry
            (entry.standing, entry.singles, entry.isMigrating) = (nil, [], false)
            entries[object] = entry.isEmpty ? nil : entry
        }
        singles = 0
        delays.removeAll()
        passing.removeAll()
        begin(at: now + Self.settling)
        // Those that the line took, or the end of an earlier run.
        exhume()
    }

    /// Takes a message; whether it is of one of its topics.
    public mutating func receive(_ message: Message, at now: Int64) -> Bool {
        if place.isBirth(message.topic) {
            switch String(decoding: message.payload, as: UTF8.self) {
            case "online": born(at: now)
            case "offline": ended()
            default: break
            }
            return true
        }
        guard let (platform, object) = place.object(of: message.topic) else { return false }
        guard kinds.contains(where: { object.utf8.starts(with: $0.utf8) }) else { return true }
        if platform == "device" {
            receive(message, of: object)
        } else {
            receive(message, platform: platform, ofSingle: object)
        }
        return true
    }

    private mutating func receive(_ message: Message, of object: String) {
        guard !message.payload.isEmpty else {
            if entries[object]?.isWanted == true, entries[object]?.standing != nil { entries[object]?.isDeleted = true }
            entries[object]?.standing = nil
            if entries[object]?.isEmpty == true { entries[object] = nil }
            return
        }
        let digest = StandingDocument.digest(message.payload)
        guard entries[object]?.standing?.digest != digest, !passing.contains(digest) else { return }
        guard entries[object] != nil || entries.count < Self.capacity, StandingDocument.isKey(object) else { return }
        entries[object, default: Entry()].standing = StandingDocument(message.payload)
        entries[object]?.isDeleted = false
        if entries[object]?.isWanted == false { urgent.add(object) }
    }

    /// An entity of the older form: it is its device's, and whoever owns that hands it over, or clears it.
    private mutating func receive(_ message: Message, platform: String, ofSingle level: String) {
        let object = DiscoveryDocument.entity(ofSingle: level)?.object ?? level
        guard !message.payload.isEmpty else {
            if entries[object]?.singles.remove(message.topic) != nil { singles -= 1 }
            if entries[object]?.isEmpty == true { entries[object] = nil }
            return
        }
        guard entries[object] != nil || entries.count < Self.capacity, singles < Self.singleBound else { return }
        guard entries[object, default: Entry()].singles.insert(message.topic).inserted else { return }
        singles += 1
        urgent.add(object)
    }

    /// Home Assistant has started.
    private mutating func born(at now: Int64) {
        for object in entries.keys { entries[object]?.isDeleted = false }
        if graves.open() { isRowNew = true }
        // One that is retained comes with the connection, as may another: all is told when the book opens.
        if let opens, now >= opens { begin(at: now) }
        exhume()
    }

    /// Home Assistant has ended: nobody sees what is shown now.
    private mutating func ended() {
        if graves.close() { isRowNew = true }
        delays.exhume.removeAll()
        delays.rebury.removeAll()
    }

    /// Has all that is open shown from the next beginning on.
    private mutating func exhume() {
        delays.exhume.removeAll()
        for object in graves.opened { delays.exhume.add(object, at: nextSlot) }
    }

    private mutating func begin(at time: Int64) {
        opens = time
        nextSlot = time + start
        for object in entries.keys.sorted() { forced.add(object) }
    }

    // MARK: What is told

    /// Lets time pass.
    ///
    /// - Parameters:
    ///   - owns: whether a device is this publisher's to tell, and to clear.
    ///   - describe: the document of a wanted device.
    public mutating func advance(
        to now: Int64, owns: (String) -> Bool, describe: (String) -> DiscoveryDocument?
    ) -> Steps {
        var steps = Steps()
        guard let opens, now >= opens else { return steps }
        (steps.isChanged, isRowNew) = (isRowNew, false)
        advanceDelays(to: now, owns, describe, &steps)
        var left = Self.burst
        while left > 0, now >= nextSlot {
            let next = urgent.take()
            let again = next == nil ? forced.take() : nil
            guard let object = next ?? again ?? all.take() else { break }
            guard tell(object, again != nil, at: now, owns, describe, &steps) else { continue }
            // What was told just now needn't be told with all others.
            forced.remove(object)
            all.remove(object)
            left -= 1
            nextSlot = max(nextSlot + Self.pace, now - Self.pace * Int64(Self.burst))
        }
        return steps
    }

    /// Tells what is to be told of a device; whether that was anything.
    private mutating func tell(
        _ object: String, _ isForced: Bool, at now: Int64, _ owns: (String) -> Bool,
        _ describe: (String) -> DiscoveryDocument?, _ steps: inout Steps
    ) -> Bool {
        guard let entry = entries[object], owns(object) else { return false }
        guard entry.isWanted, let document = describe(object) else { return clear(object, entry, &steps) }
        guard !entry.isDeleted else { return false }
        guard entry.singles.isEmpty || entry.isMigrating else {
            for topic in entry.singles.sorted() {
                steps.messages.append(
                    Message(topic: topic, text: #"{"migrate_discovery":true}"#, qos: .atLeastOnce, retained: true))
            }
            entries[object]?.isMigrating = true
            delays.migrate.add(object, at: now)
            return true
        }
        let platforms = document.platforms
        let gone = (entry.standing?.components ?? [:]).filter { platforms[$0.key] == nil }
        let payload = document.payload(at: place, object, removing: gone)
        let digest = StandingDocument.digest(payload)
        guard isForced || entry.standing?.digest != digest else { return false }
        steps.messages.append(
            Message(topic: place.device(object), payload: payload, qos: .atLeastOnce, retained: true))
        entries[object]?.standing = StandingDocument(digest: digest, components: platforms)
        if graves.recover(object, platforms) { steps.isChanged = true }
        if !gone.isEmpty {
            if graves.bury(object, gone) { steps.isChanged = true }
            // Without what is gone, where Home Assistant has taken that away.
            delays.clean.add(object, at: now)
        }
        delays.soon.add(object, at: now)
        delays.late.add(object, at: now)
        return true
    }

    private mutating func clear(_ object: String, _ entry: Entry, _ steps: inout Steps) -> Bool {
        for topic in entry.singles.sorted() {
            steps.messages.append(.clearing(topic))
            guard let (platform, level) = place.object(of: topic),
                let (object, key) = DiscoveryDocument.entity(ofSingle: level),
                [object, key, platform].allSatisfy(StandingDocument.isKey)
            else { continue }
            if graves.bury(object, [key: platform]) { steps.isChanged = true }
        }
        if let standing = entry.standing {
            steps.messages.append(.clearing(place.device(object)))
            if graves.bury(object, standing.components) { steps.isChanged = true }
        }
        singles -= entry.singles.count
        entries[object] = nil
        return entry.standing != nil || !entry.singles.isEmpty
    }

    private mutating func advanceDelays(
        to now: Int64, _ owns: (String) -> Bool, _ describe: (String) -> DiscoveryDocument?, _ steps: inout Steps
    ) {
        steps.restated += delays.soon.take(now) + delays.late.take(now)
        for object in delays.clean.take(now) { urgent.add(object) }
        for object in delays.migrate.take(now) {
            // The device takes over what the entities have let go of.
            entries[object]?.standing = nil
            urgent.add(object)
            delays.leave.add(object, at: now)
        }
        for object in delays.leave.take(now) {
            guard let entry = entries[object], entry.isMigrating else { continue }
            for topic in entry.singles.sorted() { steps.messages.append(.clearing(topic)) }
            singles -= entry.singles.count
            entries[object]?.singles = []
            entries[object]?.isMigrating = false
        }
        for object in delays.exhume.take(now) where owns(object) {
            guard let buried = graves.components(of: object) else { continue }
            let document = entries[object]?.isWanted == true ? describe(object) : nil
            pass(document, object, showing: buried, &steps)
            delays.rebury.add(object, at: now)
        }
        for object in delays.rebury.take(now) {
            guard let buried = graves.components(of: object) else { continue }
            let document = entries[object]?.isWanted == true ? describe(object) : nil
            if let document {
                pass(document, object, removing: buried, &steps)
            } else {
                steps.messages.append(Message(topic: place.device(object), payload: [], qos: .atLeastOnce))
            }
            graves.forget(object)
            steps.isChanged = true
        }
    }

    /// A document that Home Assistant is to see once, and the broker is not to keep.
    private mutating func pass(
        _ document: DiscoveryDocument?, _ object: String, showing: [String: String] = [:],
        removing: [String: String] = [:], _ steps: inout Steps
    ) {
        let document = document ?? DiscoveryDocument(name: object, model: "", availability: [], components: [])
        let payload = document.payload(at: place, object, removing: removing, showing: showing)
        if passing.count >= Graves.capacity { passing.removeAll() }
        passing.insert(StandingDocument.digest(payload))
        steps.messages.append(Message(topic: place.device(object), payload: payload, qos: .atLeastOnce))
    }
}

extension DiscoveryDocument {
    /// The platforms of its entities, by key.
    var platforms: [String: String] {
        Dictionary(components.map { ($0.key, $0.platform.rawValue) }) { first, _ in first }
    }
}
