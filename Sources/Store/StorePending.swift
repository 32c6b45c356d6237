/// The changes and events that wait in memory while the disk accepts nothing; bounded, and dropped ones are counted.
struct StorePending {
    private(set) var events: [StoredEvent] = []
    private var changesByKey: [StoreChange.Key: StoreChange] = [:]
    private var bytes = 0

    var changes: Dictionary<StoreChange.Key, StoreChange>.Values { changesByKey.values }
    var changeCount: Int { changesByKey.count }

    mutating func add(
        _ added: [StoredEvent], _ changes: [StoreChange], limits: StoreLimits, _ statistics: inout StoreStatistics
    ) {
        events += added
        for event in added { bytes += event.event.payload.count }
        dropOldest(limits, &statistics)
        for change in changes {
            let key = change.key
            if changesByKey[key] == nil, changesByKey.count >= limits.pendingChanges {
                statistics.droppedChanges += 1
            } else {
                changesByKey[key] = change
            }
        }
    }

    private mutating func dropOldest(_ limits: StoreLimits, _ statistics: inout StoreStatistics) {
        let bound = max(1, limits.pendingEvents)
        guard events.count > bound || bytes > limits.pendingBytes else { return }
        // Drops more than necessary, so that not every further event moves all others.
        let count = bound - bound / 64
        let room = limits.pendingBytes - limits.pendingBytes / 64
        var dropped = 0
        while dropped < events.count - 1, events.count - dropped > count || bytes > room {
            bytes -= events[dropped].event.payload.count
            dropped += 1
        }
        events.removeFirst(dropped)
        statistics.droppedEvents += UInt64(dropped)
    }
}
