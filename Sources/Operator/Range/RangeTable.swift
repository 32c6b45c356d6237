internal import Bytes
internal import Identity
internal import WireProtocol

/// Every beacon with a recent packet, the nearest first.
///
/// Windows are added with the time of their arrival, on the clock of the reader of the rows. It remembers up to
/// ``capacity`` beacons; the one with the oldest packet is dropped first.
struct RangeTable {
    static let capacity = 4096
    /// Seconds, beyond a window, of silence at the best node after which a beacon passes to another node with a lower
    /// level.
    static let faithful = 3.0
    /// Seconds of silence, or five of its own intervals, after which its distance is unknown.
    static let quietAfter = 10.0
    /// It is left out six times as long after that, and at the latest after this many seconds.
    static let forgottenAfter = 900.0

    private struct Entry {
        var window: Window
        var url: String?
        /// The arrival of the window of the node with the best reception.
        var heard: Timestamp
        /// Seconds between its advertisements, if known.
        var interval: Double?
    }

    /// The names of items, by their ids.
    private var names: NameBook
    /// True if transmitters that are known by their address alone are shown as well.
    private let showsAll: Bool
    private var entries = RecencyTable<String, Entry>(capacity: capacity)

    init(names: NameBook = NameBook(), showsAll: Bool = false) {
        self.names = names
        self.showsAll = showsAll
    }

    /// Adopts the name in an item's topic.
    mutating func receive(_ config: Span<UInt8>, of item: String) {
        names.adoptConfig(config, of: item)
    }

    /// True until the first reception.
    var isEmpty: Bool { entries.count == 0 }

    /// Beacons that were received and are not shown.
    var hidden: Int {
        var entries = entries
        var count = 0
        entries.forEachValue { _, entry in count += isShown(entry) ? 0 : 1 }
        return count
    }

    /// Beacons dropped because the table was full.
    var evicted: UInt64 { entries.evicted }

    /// Adds a window that arrived at `now`. Returns its row; nil for a beacon that is not shown.
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
            guard Self.isPreferred(window, to: entry, at: now) else { return entry }
            entry.heard = now
            // Frames beside the one that gives the id show its presence, and have no level of their own.
            if window.count > 0 || window.node != entry.window.node { entry.window = window }
            return entry
        }
        guard isShown(entry) else { return nil }
        return RangeRow(name: displayName(of: window), window: window, url: entry.url, age: nil)
    }

    /// The rows at a time, the nearest first: recent ones before the others, those with a distance before those with a
    /// level alone. `keepsAll` includes beacons whose last packet is too old, as for the table of a whole recording.
    func rows(at now: Timestamp, keepsAll: Bool = false) -> [RangeRow] {
        var entries = entries
        var rows: [RangeRow] = []
        entries.forEachValue { _, entry in
            let age = max(0, now.seconds(since: entry.heard))
            let quietAfter = max(Self.quietAfter, 5 * (entry.interval ?? 0))
            guard isShown(entry), keepsAll || age <= min(6 * quietAfter, Self.forgottenAfter) else { return }
            rows.append(
                RangeRow(
                    name: displayName(of: entry.window), window: entry.window, url: entry.url, age: age,
                    isStale: age > quietAfter))
        }
        return rows.sorted { Self.isNearer($0, $1) }
    }

    private func displayName(of window: Window) -> String? { window.item.map(names.item) }

    /// True if it is shown: items, and beacons with an identity or a web address of their own.
    private func isShown(_ entry: Entry) -> Bool {
        showsAll || entry.window.item != nil || entry.url != nil || entry.window.id.utf8.contains(UInt8(ascii: ":"))
    }

    private static func isPreferred(_ window: Window, to entry: Entry, at now: Timestamp) -> Bool {
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
