import Bytes

/// Advertising data of incomplete advertisements, one entry for each advertising set.
///
/// Bounds: 16 sets at a time, 1650 bytes a set (the most that the specification allows, Core Vol 4 Part E 7.8.57), one
/// second after a set's latest fragment. Buffers are reused for the next set, so that a steady state allocates nothing.
struct FragmentTable: Sendable {
    static let maximumSets = 16
    static let maximumBytes = 1650
    static let maximumAge: Duration = .seconds(1)

    /// The fields that fragments of one advertisement have in common.
    struct Key: Hashable, Sendable {
        var address: DeviceAddress
        var sid: UInt8
        var eventType: AdvertisingEventType
    }

    /// The result of adding a fragment.
    enum Outcome {
        /// No fragment precedes or follows it: its data is complete by itself.
        case whole
        /// It is retained until the remainder is received.
        case held
        /// It was the last: the whole data is in this entry, until `release`.
        case joined(entry: Int)
        /// It was dropped.
        case dropped
    }

    private struct Entry: Sendable {
        var key: Key
        var bytes: [UInt8] = []
        var fragments: UInt64 = 0
        var latest: Timestamp
        var isOpen = true
        /// Already too long: further fragments are dropped up to the last one.
        var overflowed = false
    }

    private var entries: [Entry] = []
    /// The number of incomplete sets.
    private(set) var open = 0
    /// The number of fragments dropped.
    private(set) var dropped: UInt64 = 0

    mutating func receive(_ data: Span<UInt8>, of key: Key, at time: Timestamp, isLast: Bool) -> Outcome {
        sweep(at: time)
        guard let entry = entries.firstIndex(where: { $0.isOpen && $0.key == key }) else {
            if isLast { return .whole }
            begin(data, of: key, at: time)
            return .held
        }
        entries[entry].fragments += 1
        entries[entry].latest = time
        if entries[entry].bytes.count + data.count > Self.maximumBytes { entries[entry].overflowed = true }
        if entries[entry].overflowed {
            dropped += entries[entry].fragments
            entries[entry].fragments = 0
            entries[entry].bytes.removeAll(keepingCapacity: true)
            if isLast { release(entry) }
            return .dropped
        }
        entries[entry].bytes.append(contentsOf: data)
        return isLast ? .joined(entry: entry) : .held
    }

    /// The number of fragments from which an entry was joined.
    func fragments(of entry: Int) -> UInt64 { entries[entry].fragments }

    /// The joined data of an entry. It shares the entry's buffer: release it before the entry is used again.
    func data(of entry: Int) -> [UInt8] { entries[entry].bytes }

    /// Frees an entry for another set.
    mutating func release(_ entry: Int) {
        entries[entry].isOpen = false
        open -= 1
    }

    /// Drops the incomplete sets.
    mutating func removeAll() {
        for entry in entries.indices where entries[entry].isOpen { abandon(entry) }
    }

    private mutating func abandon(_ entry: Int) {
        dropped += entries[entry].fragments
        release(entry)
    }

    private mutating func sweep(at time: Timestamp) {
        guard open > 0 else { return }
        for entry in entries.indices
        where entries[entry].isOpen && time.duration(since: entries[entry].latest) > Self.maximumAge {
            abandon(entry)
        }
    }

    private mutating func begin(_ data: Span<UInt8>, of key: Key, at time: Timestamp) {
        let entry = free()
        if entry == entries.count {
            entries.append(Entry(key: key, latest: time))
            entries[entry].bytes.reserveCapacity(Self.maximumBytes)
        } else {
            entries[entry].key = key
            entries[entry].latest = time
            entries[entry].isOpen = true
            entries[entry].overflowed = false
            entries[entry].bytes.removeAll(keepingCapacity: true)
        }
        entries[entry].bytes.append(contentsOf: data)
        entries[entry].fragments = 1
        open += 1
    }

    /// A free entry. If all are in use, the one with the oldest fragment is replaced.
    private mutating func free() -> Int {
        if let entry = entries.firstIndex(where: { !$0.isOpen }) { return entry }
        if entries.count < Self.maximumSets { return entries.count }
        var oldest = 0
        for entry in entries.indices where entries[entry].latest < entries[oldest].latest { oldest = entry }
        abandon(oldest)
        return oldest
    }
}
