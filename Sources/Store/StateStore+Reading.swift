/// What was kept, as of the last write, whether the disk has it or memory only. Each call reads the disk, and throws where
/// that fails.
extension StateStore {
    /// Events of an epoch (default: the current) from number `seq` on, in order, at most `limit` (1...10,000).
    ///
    /// Where the first has a higher number than asked for, the ledger's bounds let the ones before go.
    public func events(epoch: String? = nil, from seq: UInt64, limit: Int) throws(StoreError) -> [StoredEvent] {
        let epoch = epoch ?? self.epoch
        let limit = min(max(limit, 1), 10_000)
        var events = try opened().events(epoch: epoch, from: seq, limit: limit)
        for event in pending.events where events.count < limit && event.epoch == epoch && event.seq >= seq {
            events.append(event)
        }
        return events
    }

    /// What the ledger holds, epoch by epoch, the oldest first and the current one last.
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

    /// Settings that were set at run time.
    public func settings() throws(StoreError) -> [String: String] {
        let pairs: [(String, String)] = try records(.settings) {
            if case .setting(let key, let value) = $0 { (key, value) } else { nil }
        }
        return Dictionary(pairs) { _, last in last }
    }

    /// Registry entries and tombstones, by id.
    public func items() throws(StoreError) -> [ItemRecord] {
        try records(.items) { if case .item(let record) = $0 { record } else { nil } }
    }

    /// Retained topics that were published, by topic.
    public func topics() throws(StoreError) -> [TopicRecord] {
        try records(.topics) { if case .topic(let record) = $0 { record } else { nil } }
    }

    /// How far the events of others were taken, by source.
    public func positions() throws(StoreError) -> [PositionRecord] {
        try records(.positions) { if case .position(let record) = $0 { record } else { nil } }
    }

    func opened() throws(StoreError) -> StoreDatabase {
        guard let database else { throw problem ?? StoreDatabase.closed(nil) }
        return database
    }

    /// The records of a table: the disk's, and over them what waits in memory.
    func records<Record>(
        _ table: StoreChange.Table, _ take: (StoreChange) -> Record?
    ) throws(StoreError) -> [Record] {
        var kept: [String: StoreChange] = [:]
        for change in try opened().connection.records(table) { kept[change.key.id] = change }
        for change in pending.changes where change.key.table == table { kept[change.key.id] = change }
        return kept.sorted { $0.key < $1.key }.compactMap { take($0.value) }
    }
}
