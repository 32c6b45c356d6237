import Bytes
import Glibc
import LongHistory
import Support

/// A program that writes a long history, as a fuser does: from the cursors on, a batch at a time.
final class HistoryClient {
    let history: LongHistory
    private var reports: [HistoryReport] = []

    init(
        _ connection: String, site: String = "whereabouts", publisher: String = "main", password: String? = nil,
        keep: Duration = .seconds(3600 * 24 * 400), timeout: Duration = .seconds(60)
    ) throws {
        history = try LongHistory(
            HistorySettings(
                connection: connection, site: site, publisher: publisher, keep: keep, statementTimeout: timeout
            ) { () throws(HistoryError) -> String? in password }, wake: {})
    }

    deinit { history.stop() }

    /// Waits for a report; nil if it does not come.
    func wait<Value>(_ seconds: Double = 30, for read: (HistoryReport) -> Value?) -> Value? {
        var found: Value?
        _ = waitUntil(seconds) {
            reports += history.takeReports()
            while found == nil, !reports.isEmpty { found = read(reports.removeFirst()) }
            return found != nil
        }
        return found
    }

    /// Waits for a connection; its number and cursors.
    func connected() -> (number: UInt64, cursors: [HistoryStream: [String: UInt64]])? {
        wait { if case .connected(let number, let cursors) = $0 { (number, cursors) } else { nil } }
    }

    /// Waits until partitions are made and old rows are deleted; false if that does not come.
    func maintained() -> Bool {
        wait { report -> Bool? in if case .maintained = report { true } else { nil } } ?? false
    }

    func failure() -> HistoryError? { wait { if case .failed(let error) = $0 { error } else { nil } } }

    func written() -> UInt64? { wait { if case .written(_, _, let to, _) = $0 { to } else { nil } } }

    /// Events `from`+1 ... `to` of an epoch, of an item, a second each from a time on.
    static func events(
        _ from: UInt64, _ to: UInt64, item: String = "keys", epoch: String = "0000000a", connection: UInt64,
        start: Timestamp = start
    ) -> HistoryBatch {
        var json = JSONWriter()
        var days: Set<Int> = []
        json.beginArray()
        for seq in (from + 1)...to {
            let at = start.advanced(bySeconds: Double(seq)).microseconds
            days.insert(Int(at / 86_400_000_000))
            json.beginObject()
            json.field("seq", seq)
            json.field("at", at)
            json.field("item", item)
            json.field("kind", "moved")
            json.field("payload", json: Array(#"{"id":"m\#(seq)","room":"hall","note":"\u0000\\u0000"}"#.utf8))
            json.endObject()
        }
        json.endArray()
        return HistoryBatch(
            .events, epoch: epoch, from: from, to: to, count: Int(to - from), rows: json.bytes, days: days,
            connection: connection)
    }

    /// A visit, which ends or lasts.
    static func visit(
        _ item: String, _ room: String, _ began: Double, _ ended: Double?, from: UInt64, epoch: String = "0000000a",
        connection: UInt64
    ) -> HistoryBatch {
        var json = JSONWriter()
        json.beginArray()
        json.beginObject()
        json.field("item", item)
        json.field("room", room)
        json.field("began", start.advanced(bySeconds: began).microseconds)
        json.field("ended", ended.map { start.advanced(bySeconds: $0).microseconds })
        json.field("confidence", 0.875, decimals: 3)
        json.endObject()
        json.endArray()
        let day = Int(start.advanced(bySeconds: began).microseconds / 86_400_000_000)
        return HistoryBatch(
            .visits, epoch: epoch, from: from, to: from + 1, count: 1, rows: json.bytes, days: [day],
            connection: connection)
    }

    /// Noon of a day that the tests' rows are of: today, so that nothing is too old.
    static let start: Timestamp = {
        let now = Timestamp(microseconds: Int64(time(nil)) * 1_000_000)
        return Timestamp(microseconds: now.microseconds / 86_400_000_000 * 86_400_000_000)
    }()
}
