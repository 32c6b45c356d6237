internal import Bytes
internal import BrokerSession
internal import Configuration
internal import EventLedger
internal import HouseTracking
internal import RoomEstimation
internal import WireProtocol
internal import Store
internal import System
internal import WebInterface

/// The state of a fuser over restarts: its events with their numbers, the places of items and their history, the events of nodes,
/// the audit, lessons and batteries.
///
/// Times are those of the house, so that a replayed recording ages on its own clock.
final class FuserMemory {
    /// The prefix of the nodes' rooms among the settings.
    private static let nodeRow = "room of "
    /// The setting that holds the state of the alerts.
    private static let alertsRow = "alerts"
    /// The setting that lists undone lessons, each as key and time, with blanks between them …
    private static let undoneRow = "undone lessons at"
    /// … and that of an earlier version, without times.
    private static let olderUndoneRow = "undone lessons"
    /// The prefix of the histories of batteries among the settings.
    private static let batteryRow = "battery of "
    /// The setting that holds the plan of the house.
    private static let planRow = "house plan"
    /// The time between two writes, except for events, which are written at once …
    private static let pause: Duration = .seconds(1)
    /// … and after which a sign of life is written in any case.
    private static let heartbeat: Duration = .seconds(10)

    let state: PersistentState
    private(set) var visits = VisitBook()
    private var written: MonotonicTime?
    /// The number of the audit's last row.
    var auditEnd: UInt64 = 0
    var waitingAudit = WaitingAudit()
    /// The number of the journal's last row.
    private var journalEnd: UInt64 = 0
    /// Persons that an earlier version stored in one row, until each has its own; nil if there are none.
    var olderPersons: [PersonMemory]?

    /// Opens the database, or goes on without if there is none.
    ///
    /// - Parameter isExported: true if rows wait in it until another database has them.
    init(
        path: String?, history: Duration, audit: Duration = StoreLimits().auditAge, at now: Timestamp, log: Log,
        isExported: Bool = false
    ) throws(StoreError) {
        var limits = StoreLimits()
        (limits.visitAge, limits.auditAge) = (history, audit)
        state = try PersistentState(path: path, holding: .house, at: now, limits: limits, log: log)
        // Before the first write, which deletes what is too old.
        if isExported { state.store.exported = ExportMarks() }
        visits = VisitBook(
            state.read("visits that last are lost") { store throws(StoreError) in try store.openVisits() } ?? [])
        journalEnd =
            state.read("the nodes' events begin anew") { store throws(StoreError) in try store.journalEnd() } ?? 0
        auditEnd =
            state.read("the audit begins anew") { store throws(StoreError) in try store.auditEnd() } ?? 0
    }

    /// True if it outlives the program.
    var isLasting: Bool { state.isLasting }
    /// The store, for other state.
    var store: StateStore { state.store }
    /// The epoch in which events are numbered.
    var epoch: String { state.store.epoch }
    /// The last sign of life of the run before; nil if there was none.
    var formerEnd: Timestamp? { state.store.opening.previous?.lastAlive }
    /// The number of the last event.
    var lastEvent: UInt64 { state.store.lastSeq }

    /// The state of an earlier run.
    func remembered() -> HouseholdRecord {
        var record = HouseholdRecord()
        guard
            let rows = state.read(
                "where everything is must be found out anew",
                { store throws(StoreError) in (try store.trackers(), try store.settings(withPrefix: Self.nodeRow)) })
        else { return record }
        record.at = state.store.opening.previous?.lastAlive
        record.items = rows.0.compactMap { row in
            Location.State(rawValue: row.state).map { state in
                HouseholdRecord.Item(
                    id: row.item, at: row.at, state: state, room: row.room, since: row.since, previous: row.previous,
                    heard: row.heard, silence: row.silence, events: row.itemSeq, belief: row.belief)
            }
        }
        record.nodes = rows.1.sorted { $0.key < $1.key }.map { key, room in
            HouseholdRecord.Node(id: String(key.dropFirst(Self.nodeRow.count)), room: room)
        }
        return record
    }

    /// The state of the alerts of an earlier run; nil if there is none.
    func alerts() -> String? { state.readSetting(Self.alertsRow, "alerts begin anew") }

    /// The plan of the house of earlier runs; nil if there is none.
    func plan() -> HousePlan? {
        guard let text = state.readSetting(Self.planRow, "the plan of the house is not known") else { return nil }
        do throws(PayloadFault) {
            return try HousePlan(payload: Array(text.utf8).span)
        } catch {
            state.logFault("the stored plan of the house can't be read, and is left out: \(error)")
            return nil
        }
    }

    /// The histories of batteries of earlier runs, by their items.
    func batteries() -> [String: String] {
        state.readSettings(withPrefix: Self.batteryRow, "batteries are watched anew")
    }

    /// The lessons of earlier runs.
    func lessons() -> [Lesson] {
        let rows = state.read("what was taught is not known") { store throws(StoreError) in try store.lessons() } ?? []
        return rows.compactMap { row in
            let lesson = Lesson(bytes: row.detail.span)
            if lesson == nil { state.logFault("lesson \(row.id) can't be read, and is left out") }
            return lesson
        }
    }

    /// The positions of nodes' events in earlier runs.
    func positions() -> [LedgerPosition] {
        let rows = state.read("nodes' events are asked for anew") { store throws(StoreError) in try store.positions() }
        return (rows ?? []).compactMap { row in
            let parts = row.source.split(separator: "/", maxSplits: 1)
            guard let node = parts.first else { return nil }
            return LedgerPosition(
                publisher: String(node), epoch: row.epoch, seq: row.seq, isClosed: parts.count > 1)
        }
    }

    /// The stored events of a node.
    func queryJournal(_ query: JournalQuery) throws(StoreError) -> [(number: UInt64, entry: JournalReport.Entry)] {
        try store.journal(query).compactMap { row in
            let reason = row.kind == JournalReport.Entry.lost ? String(decoding: row.payload, as: UTF8.self) : nil
            if let reason = reason.flatMap({ LedgerLoss.Reason(rawValue: $0) }) {
                let loss = LedgerLoss(epoch: row.epoch, first: row.seq, last: row.last, reason: reason)
                return (row.number, .lost(loss, at: row.at))
            }
            return (try? NodeEvent(payload: row.payload.span)).map { (row.number, .event($0)) }
        }
    }

    /// The lessons that were undone in earlier runs.
    func undoneLessons() -> [UndoneLesson] {
        let words = { [state] (row: String) in
            state.readSetting(row, "what was undone may come back")?.split(separator: " ").map { String($0) } ?? []
        }
        let (pairs, older) = (words(Self.undoneRow), words(Self.olderUndoneRow))
        let dated = stride(from: 0, to: pairs.count - 1, by: 2).map { place in
            UndoneLesson(key: pairs[place], at: Int64(pairs[place + 1]).map { Timestamp(microseconds: $0) })
        }
        let keys = Set(dated.map(\.key))
        return older.filter { !keys.contains($0) }.map { UndoneLesson(key: $0, at: nil) } + dated
    }

    /// True if a write is due.
    var isDue: Bool { written.map { MonotonicClock.now() - $0 >= Self.pause } ?? true }

    /// Stores the effects of a period in one transaction, and returns its events with their numbers.
    func persistEffects(_ effects: FuserEffects, at now: Timestamp) -> [FuserEffects.Event] {
        let monotonic = MonotonicClock.now()
        defer {
            for (item, confidence) in effects.confidences { visits.updateVisit(item, confidence: confidence, at: now) }
        }
        guard !effects.isEmpty || written.map({ monotonic - $0 >= Self.heartbeat }) ?? true else { return [] }
        written = monotonic
        let stored = state.commitBatch(at: now) { batch in
            for event in effects.events {
                batch.append(event.isKept ? makeDraft(event) : EventDraft(at: event.event.at, kind: "", payload: []))
            }
            for stay in effects.stays {
                for row in visits.beginVisit(stay.item, in: stay.room, from: stay.from, confidence: stay.confidence) {
                    batch.set(.visit(row))
                }
            }
            for person in effects.gonePersons {
                for row in visits.beginVisit(person, in: nil, from: now, confidence: 0) { batch.set(.visit(row)) }
            }
            for change in effects.lessons { batch.set(Self.makeRow(change)) }
            if let undone = effects.undone {
                let words = undone.flatMap { lesson in [lesson.key, lesson.at.map { "\($0.microseconds)" } ?? "-"] }
                batch.set(.setting(key: Self.undoneRow, value: words.joined(separator: " ")))
                batch.set(.forgetSetting(Self.olderUndoneRow))
            }
            // In one transaction with the positions that they reach.
            for entry in effects.journal { batch.set(.journal(makeRow(entry))) }
            for change in effects.positions { batch.set(Self.makeRow(change)) }
            if let alerts = effects.alerts { batch.set(.setting(key: Self.alertsRow, value: alerts)) }
            if let plan = effects.plan { batch.set(.setting(key: Self.planRow, value: plan)) }
            if store.exported != nil {
                for row in effects.readings {
                    batch.set(.telemetry(TelemetryRecord(item: row.item, at: row.at, payload: row.payload)))
                }
            }
            // A store that does not last needs no rows to continue from.
            guard state.isLasting else { return }
            moveOlderPersons(to: &batch)
            for person in effects.persons { batch.set(Self.row(person)) }
            for person in effects.gonePersons { batch.set(.forgetPerson(person)) }
            for item in effects.record.items { batch.set(.tracker(Self.makeRow(item))) }
            for item in effects.goneBatteries { batch.set(.forgetSetting(Self.batteryRow + item)) }
            for (item, text) in effects.batteries { batch.set(.setting(key: Self.batteryRow + item, value: text)) }
            for node in effects.record.goneNodes { batch.set(.forgetSetting(Self.nodeRow + node)) }
            for node in effects.record.nodes { batch.set(.setting(key: Self.nodeRow + node.id, value: node.room)) }
        }
        return zip(stored, effects.events).compactMap { stored, event in
            guard !event.isKept else { return readEvent(stored) }
            var event = event
            (event.event.epoch, event.event.seq) = (stored.epoch, stored.seq)
            return event
        }
    }

    /// True, once, if all state must be stored again. The open visits are stored by this call.
    func takeLoss(at now: Timestamp) -> Bool {
        guard state.takeLoss() else { return false }
        state.commitBatch(at: now) { batch in for visit in visits.visits(at: now) { batch.set(.visit(visit)) } }
        return true
    }

    /// Closes the state with a clean end.
    func close(at now: Timestamp) {
        persistAudit(at: now)
        state.close(at: now)
    }

    // MARK: Requests

    /// Stored events from a number on, as repetitions, and the extent of their epoch; purged ones are left out.
    func replayEvents(
        epoch: String, from seq: UInt64
    ) throws(StoreError) -> (events: [FuserEffects.Event], report: ReplayReport) {
        let told = try state.replayEvents(epoch: epoch, from: seq)
        let events = told.events.compactMap { stored in
            var event = readEvent(stored)
            event?.event.isReplayed = true
            return event
        }
        return (events, told.report)
    }

    /// Deletes an item's lessons and history before a moment or, without one, all; and its state, if that is older, too.
    /// Returns the numbers of deleted visits and events, and of all rows that it changed.
    ///
    /// - Parameter person: the item's owner, whose stored state names the item and is replaced.
    func purgeItem(
        _ item: String, of person: String?, before moment: Timestamp?, isGone: Bool, at now: Timestamp
    ) throws(StoreError) -> (visits: Int, events: Int, rows: Int) {
        let counts = try store.purge(item, of: person, before: moment, isGone: isGone, at: now)
        visits.purgeVisits(item, before: moment ?? now, isGone: isGone)
        return counts
    }

    // MARK: Pieces

    private func makeRow(_ entry: NodeJournal.Entry) -> JournalRecord {
        journalEnd += 1
        switch entry.row {
        case .event(let event):
            var json = JSONWriter()
            event.write(to: &json)
            return JournalRecord(
                number: journalEnd, node: entry.node, epoch: event.epoch, seq: event.seq, last: event.seq,
                at: event.at, kind: event.kind.rawValue, region: event.region, subject: event.item ?? event.beacon,
                payload: json.bytes)
        case .lost(let loss, let time):
            return JournalRecord(
                number: journalEnd, node: entry.node, epoch: loss.epoch, seq: loss.first, last: loss.last, at: time,
                kind: JournalReport.Entry.lost, payload: Array(loss.reason.rawValue.utf8))
        }
    }

    /// An open position has the node's id as its key, a closed one that and the epoch.
    private static func makeRow(_ change: NodeJournal.Change) -> StoreChange {
        let position = change.position
        let source = position.isClosed ? "\(position.publisher)/\(position.epoch)" : position.publisher
        guard !change.isForgotten else { return .forgetPosition(source) }
        return .position(PositionRecord(source: source, epoch: position.epoch, seq: position.seq))
    }

    private static func makeRow(_ change: LessonChange) -> StoreChange {
        switch change {
        case .added(let lesson):
            .lesson(
                LessonRecord(
                    id: lesson.id, item: lesson.item, room: lesson.room, taughtAt: lesson.taughtAt, from: lesson.from,
                    to: lesson.to, detail: lesson.bytes))
        case .undone(let id): .forgetLesson(id)
        }
    }

    private static func makeRow(_ item: HouseholdRecord.Item) -> TrackerRecord {
        var row = TrackerRecord(
            item: item.id, at: item.at, state: item.state.rawValue, since: item.since, heard: item.heard)
        (row.room, row.previous, row.silence) = (item.room, item.previous, item.silence)
        (row.itemSeq, row.belief) = (item.events, item.belief)
        return row
    }

    /// The item, a line feed, and the event as it is published. Its epoch and number have no meaning: the ledger's count.
    private func makeDraft(_ event: FuserEffects.Event) -> EventDraft {
        var json = JSONWriter()
        event.event.write(to: &json)
        return EventDraft(
            at: event.event.at, kind: event.event.kind.rawValue, payload: Array(event.item.utf8) + [0x0A] + json.bytes)
    }

    private func readEvent(_ stored: StoredEvent) -> FuserEffects.Event? {
        let payload = stored.event.payload
        guard let end = payload.firstIndex(of: 0x0A),
            var event = try? ItemEvent(payload: Array(payload[(end + 1)...]).span)
        else { return nil }
        (event.epoch, event.seq) = (stored.epoch, stored.seq)
        return FuserEffects.Event(item: String(decoding: payload[..<end], as: UTF8.self), event: event)
    }
}
