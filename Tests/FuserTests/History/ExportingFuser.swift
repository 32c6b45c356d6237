import BrokerSession
import Bytes
import LongHistory
import Store
import Support
import System

@testable import Fuser

/// A fuser's store that is exported to a PostgreSQL.
final class ExportingFuser {
    let folder: TemporaryFolder
    let name: String
    let memory: FuserMemory
    let export: HistoryExport
    private var number = 0
    /// All events and rows of the audit that were written, as lines: the store deletes what is exported by its usual bounds.
    private(set) var writtenEvents: [String] = []
    private(set) var writtenAudit: [String] = []
    private var seed = SeededGenerator(seed: 35)

    static let log = Log(level: .error, style: .plain, descriptor: 2)
    /// The beginning of today, so that no row is too old.
    static let start = Timestamp(microseconds: WallClock.now().microseconds / 86_400_000_000 * 86_400_000_000)

    static func time(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }

    init(
        _ connection: String, _ name: String = "main", folder: TemporaryFolder? = nil, password: String? = nil,
        keep: Duration = .days(400), log: Log = ExportingFuser.log
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.name = name
        memory = try FuserMemory(
            path: folder.file("\(name).sqlite"), history: .seconds(86400 * 30), at: Self.time(0), log: log,
            isExported: true)
        export = try HistoryExport(
            HistorySettings(
                connection: connection, site: "whereabouts", publisher: name, keep: keep
            ) { () throws(HistoryError) -> String? in password }, memory: memory, log: log,
            at: MonotonicClock.now(),
            wakeUp: {})
    }

    /// Ends it.
    func end() {
        export.stop()
        memory.close(at: Self.time(Double(number)))
    }

    /// Writes rows of all kinds: `count` of them, in batches of ten.
    func write(_ count: Int, item prefix: String = "item") {
        var left = count
        while left > 0 {
            let events = memory.state.commitBatch(at: Self.time(Double(number) / 10)) { batch in
                for _ in 0..<min(10, left) {
                    number += 1
                    addRow(to: &batch, item: "\(prefix)\(Int.random(in: 0..<50, using: &seed))")
                }
            }
            writtenEvents += events.map(line)
            left -= 10
        }
    }

    private func addRow(to batch: inout StoreBatch, item: String) {
        let at = Self.time(Double(number) / 10)
        switch number % 10 {
        case 0..<5:
            batch.append(
                EventDraft(at: at, kind: "moved", payload: Array("\(item)\n{\"id\": \"m\(number)\"}".utf8)))
        case 5, 6:
            batch.set(.visit(VisitRecord(item: item, room: "hall", from: at, to: nil, confidence: 0.5)))
            visited = (item, at)
        case 7:
            guard let (item, from) = visited else { return }
            batch.set(.visit(VisitRecord(item: item, room: "hall", from: from, to: at, confidence: 0.75)))
        case 8:
            batch.set(
                .journal(
                    JournalRecord(
                        number: UInt64(number), node: "hall", epoch: "00000001", seq: UInt64(number),
                        last: UInt64(number),
                        at: at, kind: number % 20 == 8 ? "lost" : "enter", region: "pets", subject: item,
                        payload: Array((number % 20 == 8 ? "fell_out" : "{\"seq\": \(number)}").utf8))))
        default:
            batch.set(.telemetry(TelemetryRecord(item: item, at: at, payload: Array("{\"battery_mv\": 2900}".utf8))))
            var row = AuditRecord(
                number: UInt64(number), at: at, user: "anna", role: "admin", peer: "::1", method: "PUT",
                path: "/api/items/\(item)", status: 200)
            if number % 20 == 9 { (row.times, row.since) = (number, Self.time(Double(number) / 10 - 1)) }
            batch.set(.audit(row))
            writtenAudit.append(line(row))
        }
    }

    private var visited: (String, Timestamp)?

    /// Lets the export go on until a condition holds; true if it came.
    func run(_ seconds: Double = 60, until condition: () -> Bool) -> Bool {
        waitUntil(seconds) {
            export.advance(to: MonotonicClock.now(), at: Self.time(Double(number) / 10))
            return condition()
        }
    }

    /// True once PostgreSQL has all that the store has.
    func catchUp(_ seconds: Double = 120) -> Bool {
        run(seconds) { isCaughtUp }
    }

    var isCaughtUp: Bool {
        guard export.isConnected, let marks = memory.store.exported, let ends = try? memory.store.exportEnds() else {
            return false
        }
        return marks.epoch == memory.epoch && marks.events == memory.lastEvent && marks.visits == ends.visits
            && marks.journal == ends.journal && marks.audit == ends.audit && marks.telemetry == ends.telemetry
    }

    // MARK: The ledgers, as lines

    func events() throws -> [String] {
        var lines: [String] = []
        for extent in try memory.store.extents() {
            var from: UInt64 = 1
            while true {
                let events = try memory.store.events(epoch: extent.epoch, from: from, limit: 10_000)
                guard let last = events.last else { break }
                lines += events.filter { !$0.event.payload.isEmpty }.map(line)
                from = last.seq + 1
            }
        }
        return lines.sorted()
    }

    private func line(_ stored: StoredEvent) -> String {
        let parts = stored.event.payload.split(separator: 0x0A, maxSplits: 1)
        return "\(name)|\(stored.epoch)|\(stored.seq)|\(stored.event.at.microseconds)|"
            + "\(String(decoding: parts[0], as: UTF8.self))|\(stored.event.kind)|"
            + String(decoding: parts[1], as: UTF8.self)
    }

    private func line(_ row: AuditRecord) -> String {
        "\(name)|\(row.number)|\(row.at.microseconds)|\(row.user)|\(row.path)|\(row.status)|"
            + "\(row.times)|\(row.since.map { "\($0.microseconds)" } ?? "")"
    }

    func visits() throws -> [String] {
        try memory.store.visits(changedAfter: 0, limit: .max).map { row in
            "\(name)|\(row.visit.item)|\(row.visit.from.microseconds)|\(row.visit.to.map { "\($0.microseconds)" } ?? "")|"
                + "\(row.visit.room)|\(row.visit.confidence)"
        }.sorted()
    }

    func journal() throws -> [String] {
        try memory.store.journal(after: 0, limit: .max).map { row in
            let payload = String(decoding: row.payload, as: UTF8.self)
            return "\(row.node)|\(row.epoch)|\(row.seq)|\(row.at.microseconds)|\(row.kind)|\(row.region ?? "")|"
                + "\(row.subject ?? "")|" + (row.kind == "lost" ? "{\"reason\": \"\(payload)\"}" : payload)
        }.sorted()
    }

    func audit() throws -> [String] { try memory.store.audit(after: 0, limit: .max).map(line).sorted() }
}

/// The rows of a PostgreSQL, as the same lines.
extension PostgresServer {
    private static func micro(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000000)::bigint" }

    func events() throws -> [String] {
        try rows(
            "SELECT publisher, epoch, seq, \(Self.micro("at")), item, kind, payload FROM whereabouts.events"
        ).sorted()
    }

    func visits() throws -> [String] {
        try rows(
            "SELECT publisher, item, \(Self.micro("began")), \(Self.micro("ended")), room, confidence "
                + "FROM whereabouts.visits"
        ).sorted()
    }

    func journal() throws -> [String] {
        try rows(
            "SELECT node, epoch, seq, \(Self.micro("at")), kind, region, item, payload FROM whereabouts.node_events"
        ).sorted()
    }

    func audit() throws -> [String] {
        try rows(
            "SELECT publisher, number, \(Self.micro("at")), username, path, status, times, \(Self.micro("since")) "
                + "FROM whereabouts.audit"
        ).sorted()
    }
}
