internal import Bytes

/// The deletion of an item.
extension HistorySession {
    /// The rows that are deleted at once.
    private static let longestSlice = 1000

    /// Deletes rows of an item; returns their number. Partition by partition, since one statement over years of them
    /// would need more locks than a server has by default. A slice at a time, since one that takes longer than the server
    /// allows is done in parts. What breaks in between is continued by the same request.
    func purge(_ purge: HistoryPurge) throws(HistoryError) -> Int {
        let values = [
            settings.site, settings.publisher, purge.item, "\(HistoryBatch.microseconds(of: purge.before))",
            purge.isWhole ? "t" : "f",
        ]
        let purpose = "delete rows of an item"
        var count = 0
        var slice = Self.longestSlice
        for (table, partition) in try partitions(purpose) {
            while true {
                let done: [[String?]]
                do throws(HistoryError) {
                    done = try connection.query(
                        Self.deletion(from: partition, of: table), values + ["\(slice)"], purpose)
                } catch {
                    guard error.kind == .statement, slice > 1 else { throw error }
                    slice = max(1, slice / 4)
                    continue
                }
                // Fewer rows than the slice has are not the end: a row that another fuser has just changed is left.
                guard let rows = done.first?.first.flatMap({ $0 }).flatMap({ Int($0) }), rows > 0 else { break }
                count += rows
            }
        }
        return count
    }

    /// The statement that deletes a slice of an item's rows from a partition, and returns their number. A visit that lasts
    /// over the end of what is deleted begins there from then on.
    private static func deletion(from partition: String, of table: String) -> String {
        let end = time("$4::bigint")
        // Of a change that somebody made its values go, and the change stays.
        if table == "audit" {
            return """
                WITH gone AS (UPDATE whereabouts.\(partition) SET before = NULL, after = NULL, erased = now()
                    WHERE ctid = ANY(ARRAY(SELECT ctid FROM whereabouts.\(partition)
                        WHERE site = $1 AND subject = $3
                            AND (coalesce(since, at) < \(end) OR ($5::boolean AND publisher = $2::text))
                        AND (before IS NOT NULL OR after IS NOT NULL) LIMIT $6::bigint)) RETURNING 1)
                SELECT count(*) FROM gone
                """
        }
        guard table == "visits" else {
            return """
                WITH gone AS (DELETE FROM whereabouts.\(partition)
                    WHERE ctid = ANY(ARRAY(SELECT ctid FROM whereabouts.\(partition) WHERE site = $1 AND item = $3
                        AND (at < \(end) OR ($5::boolean AND publisher = $2::text)) LIMIT $6::bigint)) RETURNING 1)
                SELECT count(*) FROM gone
                """
        }
        return """
            WITH gone AS (DELETE FROM whereabouts.\(partition)
                WHERE ctid = ANY(ARRAY(SELECT ctid FROM whereabouts.\(partition) WHERE site = $1 AND item = $3
                    AND (ended <= \(end) OR began < \(end) OR ($5::boolean AND publisher = $2::text)) LIMIT $6::bigint))
                RETURNING *),
            cut AS (INSERT INTO whereabouts.visits
                SELECT site, publisher, item, \(end), ended, room, confidence FROM gone
                WHERE NOT $5::boolean AND (ended IS NULL OR ended > \(end)) ON CONFLICT DO NOTHING)
            SELECT count(*) FROM gone
            """
    }
}
