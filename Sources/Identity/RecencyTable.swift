/// A table of bounded size that evicts the least recently touched entry.
///
/// Memory is allocated as needed, up to `capacity` entries; after that each new key evicts an entry, which is counted.
/// All of it is inlinable: unspecialised, a look-up costs a microsecond instead of fifty nanoseconds.
public struct RecencyTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var newer: Int32
        @usableFromInline var older: Int32

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
            newer = -1
            older = -1
        }
    }

    /// The maximum number of entries.
    public let capacity: Int
    /// Entries lost to newer ones since the start.
    @inlinable
    public var evicted: UInt64 { losses }
    @usableFromInline var losses: UInt64 = 0
    @usableFromInline var index: [Key: Int32] = [:]
    @usableFromInline var slots: [Slot] = []
    @usableFromInline var newest: Int32 = -1
    @usableFromInline var oldest: Int32 = -1

    /// An empty table for up to `capacity` (at least 1) entries.
    @inlinable
    public init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    /// The number of entries.
    @inlinable
    public var count: Int { slots.count }

    /// The value of a key, which isn't touched by looking.
    @inlinable
    public subscript(key: Key) -> Value? {
        index[key].map { slots[Int($0)].value }
    }

    /// Touches a key and lends its value, which `initial` creates if the key is new.
    @inlinable
    public mutating func withValue<Result>(
        forKey key: Key, initial: () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        let slot = index[key].map { Int($0) } ?? insert(key, initial())
        touch(Int32(slot))
        return body(&slots[slot].value)
    }

    /// Lends the value of a present key without touching it; nil if it is absent.
    @inlinable
    public mutating func withValue<Result>(ifPresent key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let slot = index[key] else { return nil }
        return body(&slots[Int(slot)].value)
    }

    /// Lends every value, in no stated order.
    @inlinable
    public mutating func forEachValue(_ body: (Key, inout Value) -> Void) {
        for slot in slots.indices { body(slots[slot].key, &slots[slot].value) }
    }

    /// Removes the entries for which `condition` holds.
    @inlinable
    public mutating func removeAll(where condition: (Key, Value) -> Bool) {
        var slot = 0
        while slot < slots.count {
            if condition(slots[slot].key, slots[slot].value) { remove(slot) } else { slot += 1 }
        }
    }

    // MARK: The chain from newest to oldest

    @inlinable
    mutating func insert(_ key: Key, _ value: Value) -> Int {
        if slots.count < capacity {
            slots.append(Slot(key: key, value: value))
            let slot = slots.count - 1
            index[key] = Int32(slot)
            link(Int32(slot))
            return slot
        }
        losses += 1
        let slot = Int(oldest)
        index[slots[slot].key] = nil
        index[key] = Int32(slot)
        slots[slot].key = key
        slots[slot].value = value
        return slot
    }

    @inlinable
    mutating func touch(_ slot: Int32) {
        guard slot != newest else { return }
        unlink(slot)
        link(slot)
    }

    @inlinable
    mutating func link(_ slot: Int32) {
        slots[Int(slot)].newer = -1
        slots[Int(slot)].older = newest
        if newest >= 0 { slots[Int(newest)].newer = slot }
        newest = slot
        if oldest < 0 { oldest = slot }
    }

    @inlinable
    mutating func unlink(_ slot: Int32) {
        let (newer, older) = (slots[Int(slot)].newer, slots[Int(slot)].older)
        if newer >= 0 { slots[Int(newer)].older = older } else { newest = older }
        if older >= 0 { slots[Int(older)].newer = newer } else { oldest = newer }
    }

    /// Removes an entry; the last slot moves into its place.
    @inlinable
    mutating func remove(_ slot: Int) {
        unlink(Int32(slot))
        index[slots[slot].key] = nil
        let last = slots.count - 1
        if slot != last {
            slots[slot] = slots[last]
            index[slots[slot].key] = Int32(slot)
            let (newer, older) = (slots[slot].newer, slots[slot].older)
            if newer >= 0 { slots[Int(newer)].older = Int32(slot) } else { newest = Int32(slot) }
            if older >= 0 { slots[Int(older)].newer = Int32(slot) } else { oldest = Int32(slot) }
        }
        slots.removeLast()
    }
}
