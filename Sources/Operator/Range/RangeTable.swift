internal import Bytes
internal import Identity
internal import WireProtocol

/// Every beacon that was heard of late, the nearest first.
///
/// Windows come in with the time at which they did, on the clock of whoever asks for the rows. It remembers up to
/// ``capacity`` beacons; the one heard longest ago goes first.
struct RangeTable {
    static let capacity = 4096
    /// A beacon that is heard less well by another node stays with its own, until that hasn't heard it for so many
    /// seconds longer than a window.
    static let faithful = 3.0
    /// After so many seconds of silence, or five of its own intervals, nobody knows how near it is.
    static let quietAfter = 10.0
    /// Six times as long after, and at the latest after this many seconds, it is left out.
    static let forgottenAfter = 900.0

    private struct Entry {
        var window: Window
        var url: String?
        /// When the window of the node that hears it best came in.
        var heard: Timestamp
        /// Seconds between its advertisements, where that is known.
        var interval: Double?
    }

    /// What people call items, by their ids.
    private var names: NameBook
    /// Whether transmitters that are known by their address alone are shown as well.
    private let showsAll: Bool
    private var entries = RecencyTable<String, Entry>(capacity: capacity)

    init(names: NameBook = NameBook(), showsAll: Bool = false) {
        self.names = names
        self.showsAll = showsAll
    }

    /// Takes what a topic says of an item, for its name.
    mutating func receive(_ config: Span<UInt8>, of item: String) {
        names.learn(config, of: item)
    }

    /// Whether nothing was heard yet.
    var isEmpty: Bool { entries.count == 0 }

    /// Beacons that were heard and are not shown.
    var hidden: Int {
        var entries = entries
        var count = 0
        entries.forEachValue { _, entry in count += isShown(entry) ? 0 : 1 }
        return count
    }

    /// Beacons that gave way for want of room.
    var evicted: UInt64 { entries.evicted }

    /// Takes a window that came in at `now`. Gives the row that it is worth by itself; nil for one that isn't shown.
    @discardableResult
    mutating func receive(_ window: Window, at now: Timestamp) -> RangeRow? {
        let key = window.item ?? window.id
        let entry = entries.withValue(
            forKey: key, initial: { Entry(window: window, url: window.url, heard: now) }
        ) { entry in
            if let url = window.url { entry.url = url }
            if let expected = window.expected, expected > 0 {
                entry.interval = window.to.seconds(since: window.from) / expected
            }
            guard Self.prefers(window, to: entry, at: now) else { return entry }
            entry.heard = now
            // Frames beside the one that gives the id show that it is there, and have no level of their own.
            if window.count > 0 || window.node != entry.window.node { entry.window = window }
            return entry
        }
        guard isShown(entry) else { return nil }
        return RangeRow(name: name(of: window), window: window, url: entry.url, age: nil)
    }

    /// The rows at a time, the nearest first: those heard of late before the others, those with a distance before those
    /// with a level alone. `keepsAll` leaves in what was heard too long ago, as for the table of a whole recording.
    func rows(at now: Timestamp, keepsAll: Bool = false) -> [RangeRow] {
        var entries = entries
        var rows: [RangeRow] = []
        entries.forEachValue { _, entry in
            let age = max(0, now.seconds(since: entry.heard))
            let quietAfter = max(Self.quietAfter, 5 * (entry.interval ?? 0))
            guard isShown(entry), keepsAll || age <= min(6 * quietAfter, Self.forgottenAfter) else { return }
            rows.append(
                RangeRow(
                    name: name(of: entry.window), window: entry.window, url: entry.url, age: age,
                    isStale: age > quietAfter))
        }
        return rows.sorted { Self.isNearer($0, $1) }
    }

    private func name(of window: Window) -> String? { window.item.map(names.item) }

    /// Whether people are shown it: items, and what has an identity or a web address of its own.
    private func isShown(_ entry: Entry) -> Bool {
        showsAll || entry.window.item != nil || entry.url != nil || entry.window.id.utf8.contains(UInt8(ascii: ":"))
    }

    private static func prefers(_ window: Window, to entry: Entry, at now: Timestamp) -> Bool {
        if window.node == entry.window.node { return true }
        let patience = faithful + window.to.seconds(since: window.from)
        if now.seconds(since: entry.heard) > patience { return true }
        guard let level = window.rssi?.mean else { return false }
        return entry.window.rssi.map { level > $0.mean } ?? true
    }

    private static func isNearer(_ left: RangeRow, _ right: RangeRow) -> Bool {
        if left.isStale != right.isStale { return right.isStale }
        let metres = (left.window.distance?.metres ?? .infinity, right.window.distance?.metres ?? .infinity)
        if metres.0 != metres.1 { return metres.0 < metres.1 }
        let levels = (left.window.rssi?.mean ?? -.infinity, right.window.rssi?.mean ?? -.infinity)
        if levels.0 != levels.1 { return levels.0 > levels.1 }
        return (left.window.item ?? left.window.id) < (right.window.item ?? right.window.id)
    }
}
