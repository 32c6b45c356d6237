internal import Alerts
internal import Bytes
internal import Store
internal import WebInterface
internal import WireProtocol

/// Actions with the values before and after them, and the questions about the audit.
extension FuserService {
    /// Carries out an action; what it changes is among the changes of the request.
    func performAudited(_ action: FuserCommand.Action, at now: Timestamp) throws(CommandFault) -> FuserAnswer {
        var change = action.auditedChange(at: pipeline.fuser)
        describeBefore(action, &change)
        let answer = try performAction(action, at: now)
        describeAfter(action, answer, at: now, &change)
        if let change, answer.failure == nil { audit.changes.append(change) }
        return answer
    }

    private func describeBefore(_ action: FuserCommand.Action, _ change: inout AuditChange?) {
        switch action {
        case .learn(.undo(let id)):
            guard let lesson = pipeline.tracking.taught.lessons.first(where: { $0.id == id }) else { return }
            change?.subject = lesson.item
            change?.before = AuditChange.json { json in
                json.field("lesson", id)
                json.field("item", lesson.item)
                json.field("room", lesson.room)
                json.field("taught_at", lesson.taughtAt)
            }
        case .silence(let item, _):
            guard let end = pipeline.silences[.item(item)] else { return }
            change?.before = AuditChange.json { $0.field("until", end) }
        case .set: change?.before = configuration.settings.audited
        case .learn, .why, .history, .journal, .purge, .replay, .audit: break
        }
    }

    /// A purge has no values: what was erased must not live on here.
    private func describeAfter(
        _ action: FuserCommand.Action, _ answer: FuserAnswer, at now: Timestamp, _ change: inout AuditChange?
    ) {
        switch action {
        case .learn(.start(let item, let room, _, _)):
            change?.after = AuditChange.json { json in
                json.field("item", item)
                json.field("room", room)
            }
        case .learn(.stop(let item, let keeps)):
            guard case .lesson(let report) = answer else { return }
            change?.after = AuditChange.json { json in
                json.field("lesson", report.id)
                json.field("item", item)
                json.field("room", report.room)
                json.field("kept", keeps)
            }
        case .silence(_, let duration):
            guard duration > .zero else { return }
            change?.after = AuditChange.json { $0.field("until", pipeline.time(atWall: now).advanced(by: duration)) }
        case .set: change?.after = configuration.settings.audited
        case .learn(.status), .learn(.list), .learn(.undo), .why, .history, .journal, .purge, .replay, .audit: break
        }
    }

    // MARK: Questions

    /// The changes between two moments, from a number on.
    func queryAudit(from: Timestamp?, to: Timestamp?, after: UInt64) throws(CommandFault) -> FuserAnswer {
        do throws(StoreError) {
            return .audit(try auditReport(from: from, to: to, after: after))
        } catch {
            throw .failed("\(error)")
        }
    }

    private func auditReport(from: Timestamp?, to: Timestamp?, after: UInt64) throws(StoreError) -> AuditReport {
        persistAudit()
        var report = AuditReport()
        let rows = try memory.store.audit(after: after, from: from, to: to, limit: AuditReport.limit + 1)
        var bytes = 0
        for row in rows {
            guard report.entries.count < AuditReport.limit, bytes < AuditReport.byteLimit else {
                report.next = report.entries.last?.number
                break
            }
            bytes += (row.before?.utf8.count ?? 0) + (row.after?.utf8.count ?? 0)
            report.entries.append(row.entry)
        }
        return report
    }

    /// The newest changes before a number, for the page.
    func listChanges(before number: UInt64?, limit: Int) -> PageRequest.Answer {
        persistAudit()
        do throws(StoreError) {
            let rows = try memory.store.audit(before: number, limit: limit)
            var json = JSONWriter()
            json.beginObject()
            json.beginArray("changes")
            for row in rows {
                json.beginObject()
                row.entry.writeKeys(to: &json)
                json.endObject()
            }
            json.endArray()
            json.endObject()
            return .report(json.bytes)
        } catch {
            return .conflict("\(error)")
        }
    }

    /// All changes since a moment as a table, the oldest first.
    func tableOfChanges(since: Timestamp?) -> PageRequest.Answer {
        persistAudit()
        var table = AuditTable.header
        do throws(StoreError) {
            var after: UInt64 = 0
            while true {
                let rows = try memory.store.audit(after: after, from: since, to: nil, limit: Self.tableRows)
                for row in rows { table += AuditTable.line(row.entry, fuser: pipeline.fuser) }
                guard rows.count == Self.tableRows, let last = rows.last, table.utf8.count < Self.tableBytes else {
                    break
                }
                after = last.number
            }
        } catch {
            return .conflict("\(error)")
        }
        return .table(Array(table.utf8), name: "audit.csv")
    }

    private static let tableRows = 1000, tableBytes = 64 << 20
}
