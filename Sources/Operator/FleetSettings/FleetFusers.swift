internal import Bytes
internal import WireProtocol

/// The fusers of a house, as their claims describe them.
struct FleetFusers {
    /// One fuser.
    struct Fuser: Hashable {
        var claim: Claim
        /// The time of that claim.
        var heard: MonotonicTime
    }

    /// The topics that are read.
    static func filters(_ topics: Topics) -> [String] { [topics.allFusers("claim")] }

    /// All fusers that published a claim, by name.
    private(set) var fusers: [String: Fuser] = [:]
    private let topics: Topics

    init(_ topics: Topics) {
        self.topics = topics
    }

    /// Reads a claim; what a broker retained is of nobody's making.
    mutating func receive(_ message: Message, at time: MonotonicTime) {
        guard case .fuserClaim(let fuser) = topics.kind(of: message.topic), !message.retained,
            let claim = try? Claim(payload: message.payload.span)
        else { return }
        fusers[fuser] = Fuser(claim: claim, heard: time)
    }

    /// The number of shards that are served, by the claims since a time.
    func servedShards(since time: MonotonicTime) -> Int {
        var served = ShardSet()
        for fuser in fusers.values where fuser.heard >= time { served.formUnion(fuser.claim.served) }
        return served.count
    }
}

extension Claim {
    /// The shards that the fuser serves.
    var served: ShardSet { serves ?? (state == .serving ? ShardSet(shards) : ShardSet()) }
}

/// A fuser in `whereabouts fleet status`.
struct FleetFuserRow {
    var name: String
    var claim: Claim
    var usualVersion: String?

    /// The rows of all fusers that published a claim, by name.
    static func rows(_ fusers: FleetFusers, usualVersion: String?) -> [FleetFuserRow] {
        fusers.fusers.sorted { $0.key < $1.key }.map {
            FleetFuserRow(name: $0.key, claim: $0.value.claim, usualVersion: usualVersion)
        }
    }

    /// The rows as a table.
    static func table(_ rows: [FleetFuserRow]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return Columns.lines(
            [["FUSER", "STATE", "VERSION", "SHARDS", "PROBLEMS"]]
                + rows.map { row in
                    [
                        row.name, row.claim.state.rawValue, row.version, "\(row.claim.served.count) of 256",
                        row.claim.problems.joined(separator: "; "),
                    ]
                })
    }

    private var version: String { FleetRow.version(claim.version, usual: usualVersion) }

    /// The row as JSON.
    var json: String {
        JSONLine.text { json in
            json.field("fuser", name)
            json.field("state", claim.state.rawValue)
            json.field("version", claim.version)
            json.field("usual_version", usualVersion)
            json.field("shards", claim.served.count)
            JSONLine.list("problems", claim.problems, to: &json)
        }
    }
}
