internal import Bytes

/// The newest value of each topic with the number of its last change, and the order of the changes.
///
/// It holds no history: a change that a newer one of the same topic has replaced is only a number in the log, which is
/// compacted. A reader is a number too, the last change that it has seen. So it may be as slow as it likes.
struct BoardState {
    private struct Slot {
        var topic: String
        /// The value as JSON; nil in a tombstone.
        var value: [UInt8]?
        /// The number of its last change; 0 for a slot without a topic.
        var change: UInt64
    }

    private struct Change {
        var number: UInt64
        var slot: Int32
    }

    /// The most topics; further ones are dropped, and counted.
    let topicBound: Int
    /// The most removed topics that are remembered, so that a reader learns of the removal.
    let tombstoneBound: Int
    /// The number of the last change.
    private(set) var last: UInt64 = 0
    /// The highest number of a forgotten removal: a reader that has seen less must begin anew.
    private(set) var floor: UInt64 = 0
    /// The number of values that were dropped for lack of room.
    private(set) var dropped: UInt64 = 0
    private(set) var tombstones = 0
    private var slots: [Slot] = []
    private var free: [Int32] = []
    private var indexes: [String: Int32] = [:]
    /// All last changes, and some that were replaced, in the order of their numbers.
    private var log: [Change] = []

    init(topicBound: Int = 200_000, tombstoneBound: Int = 4096) {
        self.topicBound = topicBound
        self.tombstoneBound = tombstoneBound
    }

    /// The number of topics with a value.
    var count: Int { indexes.count - tombstones }
    /// The length of the log, for tests.
    var logLength: Int { log.count }

    /// The value of a topic as JSON.
    func value(_ topic: String) -> [UInt8]? { indexes[topic].flatMap { slots[Int($0)].value } }

    /// The topics that have a value.
    var topics: [String] { slots.lazy.filter { $0.value != nil }.map(\.topic) }

    /// Sets a value, or removes it; true if that is a change.
    mutating func set(_ topic: String, _ value: [UInt8]?) -> Bool {
        if let index = indexes[topic] {
            let known = slots[Int(index)].value
            guard known != value else { return false }
            tombstones += (value == nil ? 1 : 0) - (known == nil ? 1 : 0)
            slots[Int(index)].value = value
            record(index)
        } else {
            guard let value else { return false }
            guard indexes.count < topicBound else {
                dropped += 1
                return false
            }
            let slot = Slot(topic: topic, value: value, change: 0)
            let index: Int32
            if let reused = free.popLast() {
                index = reused
                slots[Int(reused)] = slot
            } else {
                index = Int32(slots.count)
                slots.append(slot)
            }
            indexes[topic] = index
            record(index)
        }
        if tombstones > tombstoneBound { forgetTombstones() }
        return true
    }

    private mutating func record(_ slot: Int32) {
        last += 1
        slots[Int(slot)].change = last
        log.append(Change(number: last, slot: slot))
        // Half of a log that is compacted is still valid, so that a change costs a constant time on average.
        if log.count > 2 * indexes.count + 1024 { compact() }
    }

    private mutating func compact() {
        let slots = slots
        log.removeAll { slots[Int($0.slot)].change != $0.number }
    }

    /// Forgets the older half of the removed topics.
    private mutating func forgetTombstones() {
        var left = tombstones / 2
        for change in log where left > 0 {
            let slot = slots[Int(change.slot)]
            guard slot.change == change.number, slot.value == nil else { continue }
            indexes[slot.topic] = nil
            slots[Int(change.slot)] = Slot(topic: "", value: nil, change: 0)
            free.append(change.slot)
            floor = change.number
            tombstones -= 1
            left -= 1
        }
        compact()
    }

    /// The newest values of the topics that changed after a number, as elements of a JSON array with commas between
    /// them.
    ///
    /// - Parameters:
    ///   - bytes: the size from which on no further element is added.
    ///   - steps: the number of changes that are looked at, so that the caller's lock is held for a short time.
    /// - Returns: the elements, and the number up to which the reader has seen everything.
    func changes(
        after number: UInt64, _ selection: TopicSelection, bytes: Int, steps: Int
    ) -> (elements: [UInt8], upTo: UInt64) {
        var elements: [UInt8] = []
        var upTo = number
        let start = log.partitionPoint(where: { $0.number <= number })
        for change in log[start...].prefix(steps) {
            upTo = change.number
            let slot = slots[Int(change.slot)]
            guard slot.change == change.number, selection.includes(slot.topic) else { continue }
            append(slot, to: &elements)
            if elements.count >= bytes { return (elements, upTo) }
        }
        // Changes that were compacted away behind the last element count as seen.
        return (elements, log.count - start <= steps ? last : upTo)
    }

    private func append(_ slot: Slot, to elements: inout [UInt8]) {
        if !elements.isEmpty { elements.append(0x2C) }
        elements += [0x5B, 0x22]
        // Topics hold neither quotes nor control characters: they are checked when they come.
        elements += slot.topic.utf8
        elements += [0x22, 0x2C]
        elements += slot.value ?? Array("null".utf8)
        elements.append(0x5D)
    }
}
