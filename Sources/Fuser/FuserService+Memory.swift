internal import Bytes
internal import Sightings
internal import Store

/// What is asked of a fuser's memory.
extension FuserService {
    /// Events of one `replay` answer; a subscriber asks again from `next_seq` on.
    static let replayLimit = 1000

    /// Tells kept events again, from a number on.
    func replay(epoch: String?, from seq: UInt64) throws(CommandFault) -> FuserAnswer {
        guard backlog.isEmpty else { throw .failed("messages wait for the broker; ask again in a moment") }
        let epoch = epoch ?? memory.epoch
        let extents = try reading { store throws(StoreError) in try store.extents() }
        guard let extent = extents.last(where: { $0.epoch == epoch }) else {
            throw .failed("epoch '\(epoch)' is not kept; the epoch now is \(memory.epoch)")
        }
        let memory = memory
        let told = try reading { _ throws(StoreError) in
            try memory.events(epoch: epoch, from: seq, limit: Self.replayLimit)
        }
        for event in told.events { outbox.append(pipeline.message(event.event, of: event.item)) }
        let next = told.last.flatMap { $0 < extent.lastSeq ? $0 + 1 : nil }
        return .replayed(ReplayReport(epoch: epoch, first: extent.firstSeq, last: extent.lastSeq, next: next))
    }

    /// Where an item was between two moments.
    func history(
        of item: String, from: Timestamp?, to: Timestamp?, at wall: Timestamp
    ) throws(CommandFault) -> FuserAnswer {
        // What has just happened belongs to it.
        settle(isAsked: true)
        var visits = try reading { store throws(StoreError) in
            try store.visits(
                of: item, from: from ?? Timestamp(microseconds: .min), to: to ?? Timestamp(microseconds: .max),
                limit: HistoryReport.limit + 1)
        }
        if visits.isEmpty, !pipeline.knows(item) {
            // There may be some at another time.
            let any = try reading { store throws(StoreError) in
                try store.visits(
                    of: item, from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max), limit: 1)
            }
            if any.isEmpty { throw pipeline.unknown(item) }
        }
        var report = HistoryReport(item: item, now: pipeline.time(atWall: wall))
        if visits.count > HistoryReport.limit { report.next = visits.removeLast().from }
        report.visits = visits.map { visit in
            .init(room: visit.room, from: visit.from, to: visit.to, confidence: visit.confidence)
        }
        return .history(report)
    }

    /// Forgets what is known of an item from before a moment; all of it where none is given.
    func purge(_ item: String, before: Timestamp?, at wall: Timestamp) throws(CommandFault) -> FuserAnswer {
        settle(isAsked: true)
        let now = pipeline.time(atWall: wall)
        let moment = before.flatMap { $0 < now ? $0 : nil }
        let (memory, isGone) = (memory, pipeline.isAll(of: item, before: moment))
        let isKnown = pipeline.knows(item)
        let counts = try reading { _ throws(StoreError) in
            try memory.purge(item, before: moment, isGone: isGone, at: now)
        }
        var report = pipeline.purge(item, before: moment, at: wall, &outbox)
        (report.visits, report.events) = counts
        if !isKnown, report == PurgeReport() { throw pipeline.unknown(item) }
        return .purged(report)
    }

    /// What the store gives, or why it gives nothing.
    private func reading<Value>(
        _ body: (StateStore) throws(StoreError) -> Value
    ) throws(CommandFault) -> Value {
        do throws(StoreError) {
            return try body(memory.store)
        } catch {
            throw .failed("\(error)")
        }
    }
}
