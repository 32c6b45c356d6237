internal import BrokerSession
internal import Bytes
internal import HouseTracking
internal import WireProtocol
internal import Store

/// The requests to a fuser's memory.
extension FuserService {
    /// Publishes retained events again, from a number on. Who asks while another's are being published has these as well.
    func replayEvents(epoch: String?, from seq: UInt64) throws(CommandFault) -> FuserAnswer {
        guard backlog.isEmpty, !hasReplayed else {
            throw .failed("messages wait for the broker; ask again in a moment")
        }
        let memory = memory
        let told = try readStore { _ throws(StoreError) in
            try memory.replayEvents(epoch: epoch ?? memory.epoch, from: seq)
        }
        for event in told.events { outbox.append(pipeline.message(event.event, of: event.item)) }
        hasReplayed = !told.events.isEmpty
        return .replayed(told.report)
    }

    /// Requests missing events from nodes and from other fusers.
    func requestMissingEvents() {
        pipeline.peerEvents.advance(to: monotonic, &outbox)
        pipeline.journal.advance(to: monotonic, at: pipeline.time(atWall: wall), &outbox)
        if let node = pipeline.journal.takeStalled() {
            session.renewConnection(for: "the events of node \(node) are published and don't arrive")
        }
    }

    /// What happened at a node between two moments.
    func queryJournal(_ query: JournalQuery) throws(CommandFault) -> FuserAnswer {
        requestMissingEvents()
        storeAndPublish(isAsked: true)
        let memory = memory
        var query = query
        query.limit = JournalReport.limit + 1
        let wanted = query
        var rows = try readStore { _ throws(StoreError) in try memory.queryJournal(wanted) }
        var report = JournalReport(node: query.node)
        if rows.count > JournalReport.limit {
            rows.removeLast()
            report.next = rows.last?.number
        }
        report.entries = rows.map(\.entry)
        return .journal(report)
    }

    /// The places of an item between two moments.
    func queryHistory(
        of item: String, from: Timestamp?, to: Timestamp?, at wall: Timestamp
    ) throws(CommandFault) -> FuserAnswer {
        // What has just happened belongs to it.
        storeAndPublish(isAsked: true)
        var visits = try readStore { store throws(StoreError) in
            try store.visits(
                of: item, from: from ?? Timestamp(microseconds: .min), to: to ?? Timestamp(microseconds: .max),
                limit: HistoryReport.limit + 1)
        }
        if visits.isEmpty, !pipeline.knows(item) {
            // There may be some at another time.
            let any = try readStore { store throws(StoreError) in
                try store.visits(
                    of: item, from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max), limit: 1)
            }
            if any.isEmpty { throw pipeline.unknown(item) }
        }
        var report = HistoryReport(item: item, now: pipeline.time(atWall: wall))
        if visits.count > HistoryReport.limit { report.next = visits.removeLast().from }
        report.visits = visits.map { visit in
            let current = visit.to == nil ? memory.visits.confidence(of: item, at: report.now) : nil
            return .init(
                room: visit.room, from: visit.from, to: visit.to, confidence: current ?? visit.confidence)
        }
        return .history(report)
    }

    /// Purges an item's history from before a moment; all of it if none is given.
    func purgeItem(_ item: String, before: Timestamp?, at wall: Timestamp) throws(CommandFault) -> FuserAnswer {
        storeAndPublish(isAsked: true)
        let now = pipeline.time(atWall: wall)
        let moment = before.flatMap { $0 < now ? $0 : nil }
        let (memory, isGone) = (memory, pipeline.isAll(of: item, before: moment))
        let isKnown = pipeline.knows(item) || pipeline.batteries.hasHistory(of: item)
        let person = pipeline.persons.owner(of: item)
        // Requested first: a crash in between leaves nothing that nobody deletes.
        if let history, !history.purge(item, before: moment, isGone: isGone, at: now) {
            throw .failed("too many purges wait for PostgreSQL; ask again when it is back")
        }
        recordRepetitions(of: item)
        let counts = try readStore { _ throws(StoreError) in
            try memory.purgeItem(item, of: person, before: moment, isGone: isGone, at: now)
        }
        var report = pipeline.purgeItem(item, before: moment, at: wall, &outbox)
        // Batteries and alerts are deleted with the effects, and stand in the log until that is empty.
        storeAndPublish(isErased: true)
        try readStore { store throws(StoreError) in try store.completePurge() }
        (report.visits, report.events) = (counts.visits, counts.events)
        report.waits = history.map { _ in "postgresql" }
        // PostgreSQL may know more than this fuser does.
        if !isKnown, report.isEmpty, counts.rows == 0, history == nil { throw pipeline.unknown(item) }
        return .purged(report)
    }

    /// What the store gives, or why it gives nothing.
    private func readStore<Value>(
        _ body: (StateStore) throws(StoreError) -> Value
    ) throws(CommandFault) -> Value {
        do throws(StoreError) {
            return try body(memory.store)
        } catch {
            throw .failed("\(error)")
        }
    }
}
