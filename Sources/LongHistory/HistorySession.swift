internal import Bytes

/// A connection with the schema in force.
final class HistorySession {
    let connection: PostgresConnection
    let settings: HistorySettings
    /// The partitions that are known to be there, by table and day.
    var days: Set<String> = []

    /// The oldest version that has ranges of several parts.
    private static let oldestServer = 140_000

    /// Connects, and brings the schema forward; blocks.
    init(_ settings: HistorySettings, ending: Int32) throws(HistoryError) {
        self.settings = settings
        let options = try ConnectionOptions.complete(
            settings.connection, password: settings.password(), program: "whereabouts-fuser \(settings.publisher)")
        connection = try PostgresConnection.open(options, ending: ending)
        guard connection.serverVersion >= Self.oldestServer else {
            throw HistoryError(
                .unfit, purpose: "connect", words: "the server has version \(connection.serverVersion / 10_000)")
        }
        guard connection.parameter("server_encoding") == "UTF8" else {
            throw HistoryError(
                .unfit, purpose: "connect",
                words: "the database has the encoding \(connection.parameter("server_encoding") ?? "of another kind")")
        }
        // A server that is cut off ends by itself what this side has given up.
        try connection.execute(
            """
            SET statement_timeout = \(Int64(settings.statementTimeout / .milliseconds(1)));
            SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s';
            SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
            SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET client_min_messages = 'warning'; SET search_path = pg_catalog
            """, "set the connection up")
        try HistorySchema.migrate(connection)
    }

    /// The descriptor to wait for, in a pause.
    var descriptor: Int32 { connection.descriptor }

    /// Throws if the connection is broken.
    func checkAlive() throws(HistoryError) { try connection.checkAlive() }

    /// Shows that this publisher is there, at a time of its house.
    func sign(at time: Timestamp?) throws(HistoryError) {
        try connection.query(
            """
            INSERT INTO whereabouts.fusers (site, publisher, seen, contact, keep)
            VALUES ($1, $2, coalesce(\(Self.time("nullif($4, '')::bigint")), now()), now(), $3::interval)
            ON CONFLICT (site, publisher) DO UPDATE
            SET seen = excluded.seen, contact = excluded.contact, keep = excluded.keep
            """,
            [settings.site, settings.publisher, interval, time.map { "\(HistoryBatch.microseconds(of: $0))" } ?? ""],
            "sign")
    }

    /// The cursors of this publisher.
    func cursors() throws(HistoryError) -> [HistoryStream: [String: UInt64]] {
        var cursors: [HistoryStream: [String: UInt64]] = [:]
        let rows = try connection.query(
            "SELECT stream, epoch, position FROM whereabouts.cursors WHERE site = $1 AND publisher = $2",
            [settings.site, settings.publisher], "read the cursors")
        for row in rows {
            guard row.count == 3, let stream = row[0].flatMap(HistoryStream.init(rawValue:)), let epoch = row[1],
                let position = row[2].flatMap({ UInt64($0) })
            else { continue }
            cursors[stream, default: [:]][epoch] = position
        }
        return cursors
    }

    /// Writes a batch and its cursor in one transaction.
    func write(_ batch: HistoryBatch) throws(HistoryError) {
        for day in batch.days.sorted() where (0...Self.lastDay).contains(day) {
            let name = "\(batch.stream.rawValue) \(day)"
            guard !days.contains(name) else { continue }
            try connection.query(
                "SELECT whereabouts.make_day($1, date '1970-01-01' + $2::integer)", [batch.stream.rawValue, "\(day)"],
                "make a partition")
            days.insert(name)
        }
        if batch.stream == .visits, batch.from == 0 { try endLeftVisits(for: batch.epoch) }
        let rows = String(decoding: Self.withoutZeros(batch.rows), as: UTF8.self)
        let done = try connection.query(
            """
            WITH moved AS (
                INSERT INTO whereabouts.cursors (site, publisher, stream, epoch, position, written, at)
                SELECT $1, $2, $3, $4, $6::bigint, $7::bigint, now() WHERE $5::bigint = 0 OR EXISTS (
                    SELECT FROM whereabouts.cursors WHERE site = $1 AND publisher = $2 AND stream = $3 AND epoch = $4)
                ON CONFLICT (site, publisher, stream, epoch) DO UPDATE
                SET position = excluded.position, written = cursors.written + excluded.written, at = excluded.at
                WHERE cursors.position = $5::bigint RETURNING 1), added AS (\(Self.insertion(batch.stream)))
            SELECT count(*) FROM moved
            """,
            [
                settings.site, settings.publisher, batch.stream.rawValue, batch.epoch, "\(batch.from)", "\(batch.to)",
                "\(batch.count)", rows,
            ], "write \(batch.stream.rawValue)")
        guard done.first?.first == "1" else {
            throw HistoryError(
                .otherWriter, purpose: "write \(batch.stream.rawValue)",
                words: "the cursor of \(settings.site), \(settings.publisher) was moved by another process")
        }
    }

    /// Ends the visits that an earlier state of this publisher has left open, with the time of its last batch. A lost
    /// state ends none of them. The new epoch writes those that last again.
    private func endLeftVisits(for epoch: String) throws(HistoryError) {
        let purpose = "end visits of an earlier state"
        let found = try connection.query(
            """
            SELECT max(at) FROM whereabouts.cursors
            WHERE site = $1 AND publisher = $2 AND stream = 'visits' AND epoch <> $3
            """, [settings.site, settings.publisher, epoch], purpose)
        guard let end = found.first?.first.flatMap({ $0 }) else { return }
        for (table, partition) in try partitions(purpose) where table == HistoryStream.visits.rawValue {
            try connection.query(
                """
                UPDATE whereabouts.\(partition) SET ended = greatest(began, $3::timestamptz)
                WHERE site = $1 AND publisher = $2 AND ended IS NULL
                """, [settings.site, settings.publisher, end], purpose)
        }
    }

    /// The partitions of all tables, each with its table: those of days that begin before a moment, and those beside all
    /// days.
    func partitions(
        _ purpose: String, beginningBefore end: String = "infinity"
    ) throws(HistoryError) -> [(table: String, name: String)] {
        let rows = try connection.query(
            """
            SELECT p.relname, quote_ident(c.relname) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace n ON n.oid = p.relnamespace
            WHERE n.nspname = 'whereabouts' AND c.relkind = 'r'
            AND p.relname IN ('audit', 'events', 'node_events', 'telemetry', 'visits')
            AND CASE WHEN c.relname ~ '_[0-9]{8}$'
                THEN right(c.relname, 8)::date::timestamp AT TIME ZONE 'UTC' < $1::timestamptz ELSE true END
            ORDER BY 1, 2
            """, [end], purpose)
        return rows.compactMap { row in
            guard row.count == 2, let table = row[0], let name = row[1] else { return nil }
            return (table, name)
        }
    }

    private var interval: String { "\(settings.keep / .seconds(1)) seconds" }

    /// The last day with a partition of its own: the end of the year 2199. A clock that is wrong by more has its rows beside
    /// all days.
    private static let lastDay = 84_005
}
