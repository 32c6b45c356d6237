/// Partitions ahead, and the end of old rows.
extension HistorySession {
    /// The partitions that are made before they are needed.
    private static let daysAhead = 2

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
}
