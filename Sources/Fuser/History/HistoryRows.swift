internal import Bytes
internal import LongHistory
internal import Store
internal import WireProtocol

/// Rows of the store as a batch for PostgreSQL.
struct HistoryRows {
    private let stream: HistoryStream, epoch: String, from: UInt64, connection: UInt64
    private var to: UInt64
    private var count = 0
    private var days: Set<Int> = []
    private var json = JSONWriter()
    private var hasRows = false

    private static let day: Int64 = 86_400_000_000

    init(_ stream: HistoryStream, epoch: String, from: UInt64, connection: UInt64) {
        (self.stream, self.epoch, self.from, self.connection) = (stream, epoch, from, connection)
        to = from
        json.beginArray()
    }

    /// The batch; nil without any row.
    var batch: HistoryBatch? {
        guard hasRows else { return nil }
        var json = json
        json.endArray()
        return HistoryBatch(
            stream, epoch: epoch, from: from, to: to, count: count, rows: json.bytes, days: days, connection: connection
        )
    }

    // A row that comes when the batch is full is left out, with all behind it.

    /// Adds an event: an item, a line feed, and the event as it is published. A purged one is passed over.
    mutating func add(_ stored: StoredEvent) {
        let payload = stored.event.payload
        guard advance(to: stored.seq), let end = payload.firstIndex(of: 0x0A) else { return }
        row(at: stored.event.at) { json in
            json.field("seq", stored.seq)
            json.field("item", String(decoding: payload[..<end], as: UTF8.self))
            json.field("kind", stored.event.kind)
            json.field("payload", json: Array(payload[(end + 1)...]))
        }
    }

    mutating func add(_ visit: VisitRecord, _ change: UInt64) {
        guard advance(to: change) else { return }
        row(at: visit.from, "began") { json in
            json.field("item", visit.item)
            json.field("ended", visit.to.map(HistoryBatch.microseconds))
            json.field("room", visit.room)
            json.field("confidence", visit.confidence, decimals: 3)
        }
    }

    mutating func add(_ entry: JournalRecord) {
        guard advance(to: entry.number) else { return }
        row(at: entry.at) { json in
            json.field("node", entry.node)
            json.field("epoch", entry.epoch)
            json.field("seq", entry.seq)
            json.field("last", entry.last)
            json.field("kind", entry.kind)
            json.field("region", entry.region)
            json.field("item", entry.subject)
            if entry.kind == JournalReport.Entry.lost {
                json.beginObject("payload")
                json.field("reason", String(decoding: entry.payload, as: UTF8.self))
                json.endObject()
            } else {
                json.field("payload", json: entry.payload)
            }
        }
    }

    mutating func add(_ entry: AuditRecord) {
        guard advance(to: entry.number) else { return }
        row(at: entry.at) { json in
            json.field("number", entry.number)
            json.field("username", entry.user)
            json.field("role", entry.role)
            json.field("address", entry.peer)
            json.field("method", entry.method)
            json.field("path", entry.path)
            json.field("status", entry.status)
            json.field("change", entry.change)
            json.field("proof", entry.proof)
            json.field("action", entry.action)
            json.field("subject", entry.subject)
            if let value = entry.before { json.field("before", json: Array(value.utf8)) }
            if let value = entry.after { json.field("after", json: Array(value.utf8)) }
            json.field("erased", entry.erased.map(HistoryBatch.microseconds))
            json.field("times", entry.times)
            json.field("since", entry.since.map(HistoryBatch.microseconds))
        }
    }

    mutating func add(_ readings: TelemetryRecord) {
        guard advance(to: readings.number) else { return }
        row(at: readings.at) { json in
            json.field("item", readings.item)
            json.field("readings", json: readings.payload)
        }
    }

    // MARK: Pieces

    private var isOpen: Bool { json.bytes.count < HistoryExport.batchBytes }

    /// Reaches a row; false if there is no room for it.
    private mutating func advance(to number: UInt64) -> Bool {
        guard isOpen else { return false }
        (to, hasRows) = (number, true)
        return true
    }

    private mutating func row(at time: Timestamp, _ key: String = "at", _ write: (inout JSONWriter) -> Void) {
        let moment = HistoryBatch.microseconds(of: time)
        count += 1
        days.insert(Int(moment / Self.day))
        json.beginObject()
        json.field(key, moment)
        write(&json)
        json.endObject()
    }
}
