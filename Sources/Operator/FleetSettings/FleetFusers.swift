internal import Bytes
internal import WireProtocol

/// The fusers of a house, as their statuses and claims describe them.
struct FleetFusers {
    /// One fuser.
    struct Fuser: Hashable {
        /// Its last claim; nil if none was heard.
        var claim: Claim?
        /// The time of that claim.
        var heard = MonotonicTime.distantPast
        /// True if its status is `offline`.
        var isOffline = false

        /// True if it publishes claims, and so takes commands.
        func isAlive(at time: MonotonicTime) -> Bool {
            claim != nil && !isOffline && time - heard <= .seconds(HealthVerdict.fuserSilenceLimit)
        }
    }

    /// The topics that are read.
    static func filters(_ topics: Topics) -> [String] { [topics.allFusers("status"), topics.allFusers("claim")] }

    /// All fusers that published a status or a claim, by name.
    private(set) var fusers: [String: Fuser] = [:]
    private let topics: Topics

    init(_ topics: Topics) {
        self.topics = topics
    }

    subscript(name: String) -> Fuser { fusers[name] ?? Fuser() }

    /// Reads a status or a claim. A retained claim has no effect, since fusers retain none.
    mutating func receive(_ message: Message, at time: MonotonicTime) {
        let kind = topics.kind(of: message.topic)
        if case .fuserStatus(let name) = kind {
            var fuser = self[name]
            fuser.isOffline = message.payload != Array("online".utf8)
            fusers[name] = message.payload.isEmpty ? nil : fuser
        }
        if case .fuserClaim(let name) = kind, !message.retained, let claim = try? Claim(payload: message.payload.span) {
            var fuser = self[name]
            (fuser.claim, fuser.heard) = (claim, time)
            fusers[name] = fuser
        }
    }

    /// The number of shards that are served, by the claims since a time.
    func servedShards(since time: MonotonicTime) -> Int {
        var served = ShardSet()
        for fuser in fusers.values where fuser.heard >= time {
            if let claim = fuser.claim { served.formUnion(claim.served) }
        }
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
    var claim: Claim?
    var usualVersion: String?
    var isManaged: Bool
    var differences: [SettingLine]

    /// The rows of all fusers, by name.
    static func rows(_ fusers: FleetFusers, _ desired: FuserChanges, usualVersion: String?) -> [FleetFuserRow] {
        fusers.fusers.sorted { $0.key < $1.key }.map { name, fuser in
            FleetFuserRow(
                name: name, claim: fuser.claim, usualVersion: usualVersion, isManaged: !desired.isEmpty,
                differences: fuser.claim?.settings.map { desired.missing(in: $0).lines(in: $0) } ?? [])
        }
    }

    /// The rows as a table.
    static func table(_ rows: [FleetFuserRow]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return Columns.lines(
            [["FUSER", "STATE", "VERSION", "SETTINGS", "SHARDS", "PROBLEMS"]]
                + rows.map { row in
                    [
                        row.name, row.state, row.version,
                        FleetRow.text(row.settings, row.differences),
                        row.claim.map { "\($0.served.count) of 256" } ?? "",
                        (row.claim?.problems ?? []).joined(separator: "; "),
                    ]
                })
    }

    /// Its role; `silent` for one whose status alone is known.
    private var state: String { claim?.state.rawValue ?? "silent" }

    private var version: String { FleetRow.version(claim?.version, usual: usualVersion) }

    /// `desired`, `other`, `not managed`, or `unknown` of one that is silent or of an earlier version.
    private var settings: String {
        guard claim?.settings != nil else { return "unknown" }
        return !isManaged ? "not managed" : differences.isEmpty ? "desired" : "other"
    }

    /// The row as JSON.
    var json: String {
        JSONLine.text { json in
            json.field("fuser", name)
            json.field("state", state)
            json.field("version", claim?.version)
            json.field("usual_version", usualVersion)
            json.field("settings", settings)
            FleetRow.write(differences, to: &json)
            json.field("shards", claim?.served.count ?? 0)
            JSONLine.list("problems", claim?.problems ?? [], to: &json)
        }
    }
}
