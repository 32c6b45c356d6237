internal import Bytes

/// A connection with the schema in force.
final class HistorySession {
    private let connection: PostgresConnection
    private let settings: HistorySettings
    /// The partitions that are known to be there, by table and day.
    private var days: Set<String> = []

    /// The oldest version that has ranges of several parts.
    private static let oldestServer = 140_000
    /// The partitions that are made before they are needed.
    private static let daysAhead = 2

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
            SET statement_timeout = '60s'; SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s';
            SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
            SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET client_min_messages = 'warning'; SET search_path = pg_catalog
            """, "set the connection up")
        try migrate()
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

    /// Makes the partitions of the next days, and drops those that nobody keeps; deletes older rows of this house.
    func care() throws(HistoryError) {
        for stream in HistoryStream.allCases {
            for ahead in 0...Self.daysAhead {
                try connection.query(
                    "SELECT whereabouts.make_day($1, (now() AT TIME ZONE 'UTC')::date + $2::integer)",
                    [stream.rawValue, "\(ahead)"], "make a partition")
            }
        }
        // A house that shares the database may keep its rows for longer, also while it is off. Within this house a
        // fuser that is gone for a month has no say.
        let kept = try connection.query(
            """
            SELECT now() - max(keep) FILTER (WHERE site = $1 AND contact > now() - interval '30 days'),
                now() - max(keep) FROM whereabouts.fusers
            """, [settings.site], "read how long rows are kept")
        guard let row = kept.first, row.count == 2, let own = row[0], let all = row[1] else { return }
        // A few at a time: each needs locks until the end of the transaction.
        while true {
            let dropped = try connection.query(
                "SELECT whereabouts.drop_days($1::timestamptz, 10)", [all], "drop partitions")
            guard let count = dropped.first?.first.flatMap({ $0 }), count != "0" else { break }
            days.removeAll()
        }
        for stream in HistoryStream.allCases {
            try connection.query(Self.deletion(ofOld: stream), [settings.site, own], "delete old rows")
        }
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

    /// Deletes rows of an item; returns their number. Partition by partition, since one statement over years of them would
    /// need more locks than a server has by default. What breaks in between is begun anew.
    func purge(_ purge: HistoryPurge) throws(HistoryError) -> Int {
        let values = [
            settings.site, settings.publisher, purge.item, "\(HistoryBatch.microseconds(of: purge.before))",
            purge.isWhole ? "t" : "f",
        ]
        let purpose = "delete rows of an item"
        var count = 0
        for (table, partition) in try partitions(purpose) {
            let done = try connection.query(Self.deletion(from: partition, of: table), values, purpose)
            count += done.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
        }
        return count
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

    /// The partitions of all tables, each with its table.
    private func partitions(_ purpose: String) throws(HistoryError) -> [(table: String, name: String)] {
        let rows = try connection.query(
            """
            SELECT p.relname, quote_ident(c.relname) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace n ON n.oid = p.relnamespace
            WHERE n.nspname = 'whereabouts' AND c.relkind = 'r'
            AND p.relname IN ('audit', 'events', 'node_events', 'telemetry', 'visits') ORDER BY 1, 2
            """, [], purpose)
        return rows.compactMap { row in
            guard row.count == 2, let table = row[0], let name = row[1] else { return nil }
            return (table, name)
        }
    }

    /// The statement that deletes rows of a house from before a moment. A visit counts from its end, and one that lasts
    /// from the last contact of its fuser. The condition on its beginning names the partitions to look into.
    private static func deletion(ofOld stream: HistoryStream) -> String {
        guard stream == .visits else {
            return "DELETE FROM whereabouts.\(stream.rawValue) WHERE site = $1 AND at < $2::timestamptz"
        }
        return """
            DELETE FROM whereabouts.visits v WHERE v.site = $1 AND v.began < $2::timestamptz AND coalesce(v.ended,
                (SELECT f.contact FROM whereabouts.fusers f WHERE f.site = v.site AND f.publisher = v.publisher),
                v.began) < $2::timestamptz
            """
    }

    /// The statement that deletes an item's rows from a partition, and returns their number. A visit that lasts over the end
    /// of what is deleted begins there from then on.
    private static func deletion(from partition: String, of table: String) -> String {
        let end = time("$4::bigint")
        // Of a change that somebody made its values go, and the change stays.
        if table == "audit" {
            return """
                WITH gone AS (UPDATE whereabouts.\(partition) SET before = NULL, after = NULL, erased = now()
                    WHERE site = $1 AND subject = $3 AND (at < \(end) OR ($5::boolean AND publisher = $2::text))
                    AND (before IS NOT NULL OR after IS NOT NULL) RETURNING 1)
                SELECT count(*) FROM gone
                """
        }
        guard table == "visits" else {
            return """
                WITH gone AS (DELETE FROM whereabouts.\(partition) WHERE site = $1 AND item = $3
                    AND (at < \(end) OR ($5::boolean AND publisher = $2::text)) RETURNING 1)
                SELECT count(*) FROM gone
                """
        }
        return """
            WITH gone AS (DELETE FROM whereabouts.\(partition) WHERE site = $1 AND item = $3
                AND (ended <= \(end) OR began < \(end) OR ($5::boolean AND publisher = $2::text)) RETURNING *),
            cut AS (INSERT INTO whereabouts.visits
                SELECT site, publisher, item, \(end), ended, room, confidence FROM gone
                WHERE NOT $5::boolean AND (ended IS NULL OR ended > \(end)) ON CONFLICT DO NOTHING)
            SELECT count(*) FROM gone
            """
    }

    // MARK: Pieces

    private var interval: String { "\(settings.keep / .seconds(1)) seconds" }

    /// The last day with a partition of its own: the end of the year 2199. A clock that is wrong by more has its rows beside
    /// all days.
    private static let lastDay = 84_005

    /// An expression for a number of microseconds as a time.
    private static func time(_ expression: String) -> String {
        "(timestamptz 'epoch' + \(expression) * interval '1 microsecond')"
    }

    private static func insertion(_ stream: HistoryStream) -> String {
        switch stream {
        case .events:
            """
            INSERT INTO whereabouts.events (site, publisher, epoch, seq, at, item, kind, payload)
            SELECT $1, $2, $4, r.seq, \(time("r.at")), r.item, r.kind, CASE WHEN r.payload ? 'seq'
                THEN r.payload || jsonb_build_object('epoch', $4::text, 'seq', r.seq) ELSE r.payload END
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(seq bigint, at bigint, item text, kind text, payload jsonb)
            ON CONFLICT DO NOTHING
            """
        case .visits:
            """
            INSERT INTO whereabouts.visits (site, publisher, item, began, ended, room, confidence)
            SELECT $1, $2, r.item, \(time("r.began")), \(time("r.ended")), r.room, r.confidence
            FROM moved, jsonb_to_recordset($8::jsonb)
                AS r(item text, began bigint, ended bigint, room text, confidence real)
            ON CONFLICT (site, item, began, publisher) DO UPDATE
            SET ended = excluded.ended, room = excluded.room, confidence = excluded.confidence
            """
        case .nodeEvents:
            """
            INSERT INTO whereabouts.node_events
                (site, node, epoch, seq, last, at, kind, region, item, payload, publisher)
            SELECT $1, r.node, r.epoch, r.seq, r.last, \(time("r.at")), r.kind, r.region, r.item, r.payload, $2
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(node text, epoch text, seq bigint, last bigint, at bigint,
                kind text, region text, item text, payload jsonb)
            ON CONFLICT DO NOTHING
            """
        case .audit:
            """
            INSERT INTO whereabouts.audit
                (site, publisher, number, at, username, role, address, method, path, status, change, proof, action,
                subject, before, after, erased)
            SELECT $1, $2, r.number, \(time("r.at")), r.username, r.role, r.address, r.method, r.path, r.status,
                r.change, r.proof, r.action, r.subject, r.before, r.after, \(time("r.erased"))
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(number bigint, at bigint, username text, role text,
                address text, method text, path text, status integer, change text, proof text, action text,
                subject text, before jsonb, after jsonb, erased bigint)
            ON CONFLICT DO NOTHING
            """
        case .telemetry:
            """
            INSERT INTO whereabouts.telemetry (site, publisher, item, at, readings)
            SELECT $1, $2, r.item, \(time("r.at")), r.readings
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(item text, at bigint, readings jsonb)
            ON CONFLICT DO NOTHING
            """
        }
    }

    /// JSON without `\\u0000`, which jsonb can't hold: U+FFFD takes its place.
    static func withoutZeros(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(0x5C) else { return json }
        var json = json
        var index = 0
        let zero = Array("u0000".utf8)
        while index < json.count {
            guard json[index] == 0x5C else {
                index += 1
                continue
            }
            if json[(index + 1)...].starts(with: zero) {
                json.replaceSubrange((index + 2)..<(index + 6), with: "fffd".utf8)
            }
            index += 2
        }
        return json
    }

    // MARK: The schema

    private func migrate() throws(HistoryError) {
        // Others wait until the schema is there.
        try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(HistorySchema.lock), 1)", "lock the schema")
        do throws(HistoryError) {
            let version = try readVersion()
            guard version <= HistorySchema.version else {
                throw HistoryError(
                    .newerSchema(version), purpose: "open the schema",
                    words: "it has version \(version), and this program knows \(HistorySchema.version)")
            }
            for step in HistorySchema.steps[version...] { try connection.execute(step, "make the schema") }
            if version < HistorySchema.version {
                try connection.execute(
                    "UPDATE whereabouts.version SET version = \(HistorySchema.version)", "make the schema")
            }
            try connection.execute("COMMIT", "make the schema")
        } catch {
            try? connection.execute("ROLLBACK", "make the schema")
            throw error
        }
    }

    /// The version of the schema, which is made empty if it isn't there.
    private func readVersion() throws(HistoryError) -> Int {
        let found = try connection.query(
            """
            SELECT n.oid IS NOT NULL, count(c.oid), to_regclass('whereabouts.version') IS NOT NULL
            FROM (SELECT 1) AS one LEFT JOIN pg_namespace n ON n.nspname = 'whereabouts'
            LEFT JOIN pg_class c ON c.relnamespace = n.oid GROUP BY n.oid
            """, [], "look at the schema")
        guard let row = found.first, row.count == 3 else { return 0 }
        let (isThere, isEmpty, hasVersion) = (row[0] == "t", row[1] == "0", row[2] == "t")
        if !isThere { try connection.execute("CREATE SCHEMA whereabouts", "make the schema") }
        if !isThere || isEmpty {
            try connection.execute(
                """
                CREATE TABLE whereabouts.version (
                    mark text NOT NULL CHECK (mark = '\(HistorySchema.mark)'), version integer NOT NULL);
                INSERT INTO whereabouts.version VALUES ('\(HistorySchema.mark)', 0)
                """, "make the schema")
            return 0
        }
        let foreign = HistoryError(
            .foreignSchema, purpose: "open the schema", words: "the schema 'whereabouts' belongs to another program")
        guard hasVersion else { throw foreign }
        let rows: [[String?]]
        do throws(HistoryError) {
            rows = try connection.query("SELECT mark, version FROM whereabouts.version", [], "look at the schema")
        } catch {
            guard error.kind == .statement else { throw error }
            throw foreign
        }
        guard rows.count == 1, rows[0].count == 2, rows[0][0] == HistorySchema.mark,
            let version = rows[0][1].flatMap({ Int($0) })
        else { throw foreign }
        return version
    }
}
