/// The steps towards the newest version.
extension HistorySchema {
    /// Brings the schema of a database forward; throws if it belongs to another program, or to a newer version.
    static func migrate(_ connection: PostgresConnection) throws(HistoryError) {
        // Others wait until the schema is there.
        try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(lock), 1)", "lock the schema")
        do throws(HistoryError) {
            let version = try readVersion(connection)
            guard version <= HistorySchema.version else {
                throw HistoryError(
                    .newerSchema(version), purpose: "open the schema",
                    words: "it has version \(version), and this program knows \(HistorySchema.version)")
            }
            for step in steps[version...] { try connection.execute(step, "make the schema") }
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
    private static func readVersion(_ connection: PostgresConnection) throws(HistoryError) -> Int {
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
                    mark text NOT NULL CHECK (mark = '\(mark)'), version integer NOT NULL);
                INSERT INTO whereabouts.version VALUES ('\(mark)', 0)
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
        guard rows.count == 1, rows[0].count == 2, rows[0][0] == mark,
            let version = rows[0][1].flatMap({ Int($0) })
        else { throw foreign }
        return version
    }
}
