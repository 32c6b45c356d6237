internal import Bytes
internal import Identity
internal import Presence
internal import BrokerSession
internal import WireProtocol
internal import Store
internal import System

/// The persistent state of a node: its events with their numbers, its regions and beacons, and its registry.
///
/// Times are those of the node's source, so that a replayed recording ages by its own clock.
final class NodeMemory {
    /// The id of a row of beacons that holds the time until which the node listened.
    private static let clockRow = ""
    /// The key of a setting that holds the state of alerts and offers.
    private static let alertsKey = "alerts"
    /// The key of the radio's alert.
    private static let radioRow = "radio"
    /// The key of the number of the latest interval.
    private static let intervalRow = "interval"
    /// More intervals than can have passed since the last write.
    private static let intervalSlack: UInt64 = 1000
    /// The interval between writes, by which the next start determines the beginning of an outage.
    static let heartbeat: Duration = .seconds(1)

    let state: PersistentState
    private let node: String
    let log: Log
    private var written: Timestamp?
    /// The stored adapter, as far as it is known.
    var persistedAdapter: String?

    /// Opens the database; without a path or after a failure the state is in memory.
    init(
        path: String?, node: String, at now: Timestamp, limits: StoreLimits = StoreLimits(), log: Log
    ) throws(StoreError) {
        self.node = node
        self.log = log
        state = try PersistentState(path: path, holding: .node, at: now, limits: limits, log: log)
    }

    var store: StateStore { state.store }
    /// The epoch in which events are numbered.
    var epoch: String { store.epoch }
    /// The number of the last event.
    var lastEvent: UInt64 { store.lastSeq }

    /// The regions and beacons of an earlier run; nil if there was none.
    func remembered() -> PresenceRecord? {
        do throws(StoreError) {
            let rows = try store.cadences()
            guard let clock = rows.first(where: { $0.beacon == Self.clockRow }),
                let at = clock.bytes.span.bigEndian(UInt64.self, at: 0),
                let listened = clock.bytes.span.bigEndian(UInt64.self, at: 8)
            else { return nil }
            var record = PresenceRecord(
                at: Timestamp(microseconds: Int64(bitPattern: at)),
                listened: ListeningTime(microseconds: Int64(bitPattern: listened)))
            record.beacons = rows.compactMap { row in
                BeaconID(row.beacon).flatMap { PresenceRecord.Beacon(id: $0, bytes: row.bytes.span) }
            }
            record.regions = try store.regions().compactMap { .init(id: $0.id, bytes: $0.detail.span) }
            return record
        } catch {
            log.error("\(error); regions are determined anew")
            return nil
        }
    }

    /// The state of alerts and offers of an earlier run; nil if there was none.
    func alerts() -> String? { state.readSetting(Self.alertsKey, "alerts and offers begin anew") }

    /// The open radio alert of an earlier run; nil if there is none.
    func radioAlert() -> String? { state.readSetting(Self.radioRow, "what stands of the radio is published anew") }

    /// The stored entries of the registry.
    func entries() -> [ItemEntry] {
        do throws(StoreError) {
            return try store.items().compactMap { row in
                guard let change = try? ItemChange.read(row.config.span, item: row.id) else { return nil }
                return change.entry(at: change.at ?? row.at)
            }
        } catch {
            log.error("\(error); the registry begins with its file")
            return []
        }
    }

    /// A number above those of all intervals of this epoch: a window is identified by node, epoch and number.
    func lastInterval() -> UInt64 {
        let last = state.readSetting(Self.intervalRow, "intervals are numbered anew").flatMap { UInt64($0) }
        return last.map { $0 &+ Self.intervalSlack } ?? 0
    }

    /// True if a write is due, even without events.
    func isDue(at now: Timestamp) -> Bool {
        written.map { now.duration(since: $0).magnitude >= Self.heartbeat } ?? true
    }

    /// Stores the results of a period of time in one transaction, and returns its events with their numbers.
    func persist(_ effects: NodeEffects, at now: Timestamp) -> [NodeEvent] {
        written = now
        let stored = state.commitBatch(at: now) { batch in
            for event in effects.events { batch.append(makeDraft(event)) }
            if let memory = effects.memory { batch.set(.setting(key: Self.alertsKey, value: memory)) }
            if let radio = effects.radio {
                batch.set(
                    radio.isEmpty ? .forgetSetting(Self.radioRow) : .setting(key: Self.radioRow, value: radio))
            }
            for (item, memory) in effects.keys {
                batch.set(.setting(key: Self.row(ofKeyOf: item), value: memory.text))
            }
            let record = effects.record
            for row in record.regions {
                batch.set(
                    .region(
                        RegionRecord(
                            id: row.id, state: row.state.rawValue, since: row.since ?? record.at,
                            determinedAt: row.determinedAt, detail: row.bytes)))
            }
            for row in record.beacons {
                batch.set(.cadence(CadenceRecord(beacon: row.id.text, bytes: row.bytes, at: row.lastHeard)))
            }
            for id in record.removedRegions { batch.set(.forgetRegion(id)) }
            for id in record.removedBeacons { batch.set(.forgetCadence(id.text)) }
            var clock: [UInt8] = []
            clock.append(bigEndian: UInt64(bitPattern: record.at.microseconds))
            clock.append(bigEndian: UInt64(bitPattern: record.listened.microseconds))
            batch.set(.cadence(CadenceRecord(beacon: Self.clockRow, bytes: clock, at: now)))
            batch.set(.setting(key: Self.intervalRow, value: "\(effects.interval)"))
        }
        return stored.compactMap(readEvent)
    }

    /// Stores an entry of the registry.
    func persist(_ entry: ItemEntry, at now: Timestamp) {
        var removedAt: Timestamp?
        if entry.isTombstone { removedAt = entry.at }
        let row = ItemRecord(
            id: entry.id, config: ItemChange(entry).payload, source: "topic", at: entry.at, removedAt: removedAt)
        persist(.item(row), at: now)
    }

    /// Stores one change.
    func persist(_ change: StoreChange, at now: Timestamp) { state.commitBatch(at: now) { $0.set(change) } }

    /// Returns true once if all remembered state must be stored again.
    func takeLoss() -> Bool {
        guard state.takeLoss() else { return false }
        persistedAdapter = nil
        return true
    }

    /// The retained events from a number on, as repetitions, with the extent of their epoch.
    func replayEvents(epoch: String, from seq: UInt64) throws(StoreError) -> (events: [NodeEvent], report: ReplayReport)
    {
        let replay = try state.replayEvents(epoch: epoch, from: seq)
        let events = replay.events.compactMap { stored in
            var event = readEvent(stored)
            event?.isReplayed = true
            return event
        }
        return (events, replay.report)
    }

    /// Closes the state with a clean end.
    func close(at now: Timestamp) { state.close(at: now) }

    // MARK: Pieces

    /// The draft of an event; the epoch and number in its payload have no meaning, as the ledger assigns them.
    private func makeDraft(_ event: NodeEvent) -> EventDraft {
        var event = event
        (event.epoch, event.seq) = ("draft", 1)
        var json = JSONWriter()
        event.write(to: &json)
        return EventDraft(at: event.at, kind: event.kind.rawValue, payload: json.bytes)
    }

    private func readEvent(_ stored: StoredEvent) -> NodeEvent? {
        var event = try? NodeEvent(payload: stored.event.payload.span)
        event?.epoch = stored.epoch
        event?.seq = stored.seq
        // After a change of its name a node publishes its earlier events under the new one.
        event?.node = node
        return event
    }
}
