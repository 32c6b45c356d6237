/// The stored state, as of the last write, on the disk or only in memory. Each call reads the disk, and throws if that
/// fails.
extension StateStore {
    /// The events of an epoch (default: the current) from number `seq` on, in order, at most `limit` (1...10,000).
    ///
    /// A first event with a higher number than requested means that the ledger's bounds removed those before it.
    public func events(epoch: String? = nil, from seq: UInt64, limit: Int) throws(StoreError) -> [StoredEvent] {
        let epoch = epoch ?? self.epoch
        let limit = min(max(limit, 1), 10_000)
        var events = try opened().events(epoch: epoch, from: seq, limit: limit)
        for event in pending.events where events.count < limit && event.epoch == epoch && event.seq >= seq {
            events.append(event)
        }
        return events
    }

    /// The content of the ledger, epoch by epoch, the oldest first and the current one last.
    public func extents() throws(StoreError) -> [LedgerExtent] {
        var extents = try opened().extents()
        if extents.last?.epoch != epoch {
            if extents.last?.firstSeq == nil { extents.removeLast() }
            extents.append(LedgerExtent(epoch: epoch, firstSeq: pending.events.first?.seq, lastSeq: lastSeq))
        } else if let first = pending.events.first, let last = extents.indices.last {
            extents[last].firstSeq = extents[last].firstSeq ?? first.seq
            extents[last].lastSeq = lastSeq
        }
        return extents
    }

    /// Regions, by id.
    public func regions() throws(StoreError) -> [RegionRecord] {
        try records(.regions) { if case .region(let record) = $0 { record } else { nil } }
    }

    /// Cadences, by beacon.
    public func cadences() throws(StoreError) -> [CadenceRecord] {
        try records(.cadences) { if case .cadence(let record) = $0 { record } else { nil } }
    }

    /// Open alerts, by id.
    public func alerts() throws(StoreError) -> [AlertRecord] {
        try records(.alerts) { if case .alert(let record) = $0 { record } else { nil } }
    }

    /// Offers that were made, by region.
    public func offers() throws(StoreError) -> [OfferRecord] {
        try records(.offers) { if case .offer(let record) = $0 { record } else { nil } }
    }

    /// Settings changed at run time, by their keys; those whose keys begin with a prefix alone.
    public func settings(withPrefix prefix: String = "") throws(StoreError) -> [String: String] {
        let pairs = try opened().connection.rows(.readSettings, [.text(prefix)]) { ($0.text(0), $0.text(1)) }
        var settings = Dictionary(pairs) { _, last in last }
        for change in pending.changes where change.key.table == .settings && change.key.id.hasPrefix(prefix) {
            if case .setting(let key, let value) = change {
                settings[key] = value
            } else {
                settings[change.key.id] = nil
            }
        }
        return settings
    }

    /// The value of a setting; nil if there is none.
    public func setting(_ key: String) throws(StoreError) -> String? {
        for change in pending.changes where change.key == StoreChange.forgetSetting(key).key {
            if case .setting(_, let value) = change { return value } else { return nil }
        }
        return try opened().connection.rows(.readSetting, [.text(key)]) { $0.text(0) }.first
    }

    /// Registry entries and tombstones, by id.
    public func items() throws(StoreError) -> [ItemRecord] {
        try records(.items) { if case .item(let record) = $0 { record } else { nil } }
    }

    /// Retained topics that were published, by topic.
    public func topics() throws(StoreError) -> [TopicRecord] {
        try records(.topics) { if case .topic(let record) = $0 { record } else { nil } }
    }

    /// The positions in other ledgers, by source.
    public func positions() throws(StoreError) -> [PositionRecord] {
        try records(.positions) { if case .position(let record) = $0 { record } else { nil } }
    }

    func opened() throws(StoreError) -> StoreDatabase {
        guard let database else { throw problem ?? StoreDatabase.closed(nil) }
        return database
    }

    /// The records of a table: the disk's, replaced by those that wait in memory.
    func records<Record>(
        _ table: StoreChange.Table, _ take: (StoreChange) -> Record?
    ) throws(StoreError) -> [Record] {
        var kept: [String: StoreChange] = [:]
        for change in try opened().connection.records(table) { kept[change.key.id] = change }
        for change in pending.changes where change.key.table == table { kept[change.key.id] = change }
        return kept.sorted { $0.key < $1.key }.compactMap { take($0.value) }
    }
}
