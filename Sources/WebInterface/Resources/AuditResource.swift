internal import Bytes
internal import Configuration
internal import Web

/// `/api/audit`: who changed what.
enum AuditResource {
    static let routes = [
        Route(
            method: .get, path: ["api", "audit"], role: .admin,
            summary: "Lists the changes that were made, the newest first.",
            parameters: [
                .init(
                    name: "before", kind: .integer(1...Int(Int32.max)),
                    meaning: "Begin before the change of this number."),
                .init(name: "limit", kind: .integer(1...bound), meaning: "The most entries, 1 to \(bound)."),
            ], refusals: [400, 409, 503]
        ) { call throws(Problem) in
            let before = try call.integer("before", 1...Int(Int32.max)).map { UInt64($0) }
            return try call.ask(.audit(before: before, limit: try call.integer("limit", 1...bound) ?? 100))
        },
        Route(
            method: .get, path: ["api", "audit", "audit.csv"], role: .admin,
            summary: "Shows all changes since a time as a table, the oldest first.",
            parameters: [
                .init(
                    name: "since", kind: .integer(0...Int(Int32.max)), meaning: "Begin at this time, in Unix seconds.")
            ], success: (200, "text/csv"), refusals: [400, 409, 503]
        ) { call throws(Problem) in
            let since = try call.integer("since", 0...Int(Int32.max)).map {
                Timestamp(microseconds: Int64($0) * 1_000_000)
            }
            return try call.ask(.auditTable(since: since))
        },
    ]

    private static let bound = 1000
}
