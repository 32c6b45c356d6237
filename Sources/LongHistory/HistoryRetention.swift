/// The care of partitions and of old rows: steps of one statement each, so that batches are written in between.
struct HistoryRetention {
    private enum Step {
        /// Makes the partition of a day to come.
        case make(HistoryStream, ahead: Int)
        /// Reads the ends of what this house and all houses keep.
        case readEnds
        /// Drops partitions from before a moment, at most so many at once.
        case drop(before: String, most: Int)
        /// Lists the partitions that begin before a moment.
        case list(before: String)
        /// Looks for old rows in a partition.
        case look(Sweep)
        /// Deletes the old rows of the next pages.
        case sweep(Sweep)
    }

    /// A partition with rows of this house from before a moment.
    private struct Sweep {
        var table: String
        var name: String
        var before: String
        /// The pages whose old rows are yet to be deleted.
        var pages = 0..<0
    }

    /// The steps that are left; the next one is the last.
    private var steps: [Step]
    /// The pages of a partition whose old rows are deleted at once.
    private var slice = longestSlice

    /// The partitions that are made before they are needed.
    private static let daysAhead = 2
    /// The partitions that are dropped at once: each needs locks until the end of the transaction.
    private static let mostDropped = 10
    /// Pages with some 10,000 rows.
    private static let longestSlice = 128

    init() {
        let days = HistoryStream.allCases.flatMap { stream in
            (0...Self.daysAhead).map { Step.make(stream, ahead: $0) }
        }
        steps = Array((days + [Step.readEnds]).reversed())
    }

    /// Takes the next step; true if none is left. After an error the care must begin anew.
    mutating func advance(_ session: HistorySession) throws(HistoryError) -> Bool {
        guard let step = steps.popLast() else { return true }
        let next = try perform(step, session)
        steps += next.reversed()
        return steps.isEmpty
    }

    /// Performs a step; returns those that follow from it, in their order.
    private mutating func perform(_ step: Step, _ session: HistorySession) throws(HistoryError) -> [Step] {
        let connection = session.connection
        switch step {
        case .make(let stream, let ahead):
            try connection.query(
                "SELECT whereabouts.make_day($1, (now() AT TIME ZONE 'UTC')::date + $2::integer)",
                [stream.rawValue, "\(ahead)"], "make a partition")
            return []
        case .readEnds:
            // A house that shares the database may keep its rows for longer, also while it is off. Within this house a
            // fuser that is gone for a month has no say.
            let kept = try connection.query(
                """
                SELECT now() - max(keep) FILTER (WHERE site = $1 AND contact > now() - interval '30 days'),
                    now() - max(keep) FROM whereabouts.fusers
                """, [session.settings.site], "read how long rows are kept")
            guard let row = kept.first, row.count == 2, let own = row[0], let all = row[1] else { return [] }
            return [.drop(before: all, most: Self.mostDropped), .list(before: own)]
        case .drop(let before, let most):
            let dropped: [[String?]]
            do throws(HistoryError) {
                dropped = try connection.query(
                    "SELECT whereabouts.drop_days($1::timestamptz, $2::integer)", [before, "\(most)"],
                    "drop partitions")
            } catch {
                guard error.kind == .statement, most > 1 else { throw error }
                return [.drop(before: before, most: 1)]
            }
            guard let count = dropped.first?.first.flatMap({ $0 }), count != "0" else { return [] }
            session.days.removeAll()
            return [step]
        case .list(let before):
            let partitions = try session.partitions(Self.purpose, beginningBefore: before)
            return partitions.map { Step.look(Sweep(table: $0.table, name: $0.name, before: before)) }
        case .look(var sweep):
            let found = try connection.query(
                """
                SELECT pg_relation_size($3::regclass) / current_setting('block_size')::bigint
                WHERE EXISTS (SELECT FROM whereabouts.\(sweep.name) v WHERE \(Self.condition(for: sweep.table)))
                """, [session.settings.site, sweep.before, "whereabouts.\(sweep.name)"], Self.purpose)
            sweep.pages = 0..<max(0, found.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0)
            return sweep.pages.isEmpty ? [] : [.sweep(sweep)]
        case .sweep(var sweep):
            let end = min(sweep.pages.lowerBound + slice, sweep.pages.upperBound)
            do throws(HistoryError) {
                try connection.query(
                    """
                    DELETE FROM whereabouts.\(sweep.name) v WHERE v.ctid >= $3::tid AND v.ctid < $4::tid
                        AND \(Self.condition(for: sweep.table))
                    """, [session.settings.site, sweep.before, "(\(sweep.pages.lowerBound),0)", "(\(end),0)"],
                    Self.purpose)
            } catch {
                // Pages that took longer than the server allows are tried again a few at a time.
                guard error.kind == .statement, slice > 1 else { throw error }
                slice = max(1, (end - sweep.pages.lowerBound) / 4)
                return [step]
            }
            slice = min(slice * 2, Self.longestSlice)
            sweep.pages = end..<sweep.pages.upperBound
            return sweep.pages.isEmpty ? [] : [.sweep(sweep)]
        }
    }

    private static let purpose = "delete old rows"

    /// The condition for rows `v` of a house ($1) from before a moment ($2). A visit counts from its end, and one that
    /// lasts from the last contact of its fuser.
    private static func condition(for table: String) -> String {
        guard table == HistoryStream.visits.rawValue else { return "v.site = $1 AND v.at < $2::timestamptz" }
        return """
            v.site = $1 AND v.began < $2::timestamptz AND coalesce(v.ended,
                (SELECT f.contact FROM whereabouts.fusers f WHERE f.site = v.site AND f.publisher = v.publisher),
                v.began) < $2::timestamptz
            """
    }
}
