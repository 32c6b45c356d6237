internal import Bytes
internal import Store

/// The changes that a user repeats so often that they would push other rows out of the audit: they are counted, and each kind of them
/// is one row a day.
struct AuditedRepetitions {
    /// The kind of a change. A user is a kind without an action.
    private struct Kind: Hashable {
        var user = "", proof = "", action = ""
        var subject: String?
        var status = 0

        var limit: Int { action.isEmpty ? AuditedRepetitions.limitOfUser : AuditedRepetitions.limit }
    }

    /// The most rows a day of one kind, and of one user; further changes are counted.
    static let limit = 100, limitOfUser = 10_000
    /// The most kinds that are counted at once. Further ones are one row for each user and action, and beyond as many again
    /// one for each action.
    static let capacity = 1000
    /// The actions that have a row of their own each time: what is erased is known by it.
    private static let listed: Set = ["purge", "upgrade"]
    /// The most kinds whose rows are known; the changes of further ones are counted.
    private static let kindLimit = 50_000
    /// The most names of changes that are known, so that one that comes back from the broker is not counted again.
    private static let nameLimit = 256

    private var day: Int64 = 0
    /// The rows of this day.
    private var rows: [Kind: Int] = [:]
    /// The kinds that had more rows than their limit the day before: they are counted from the first change on.
    private var former: Set<Kind> = []
    /// The rows that count changes of this day, and those of days that are over.
    private var open: [Kind: AuditRecord] = [:], closed: [AuditRecord] = []
    private var names: [String] = []

    /// True while changes are counted.
    var isCounting: Bool { !open.isEmpty }

    /// True if a change is to be a row of its own; else it is counted.
    mutating func admit(_ row: AuditRecord, at wall: Timestamp) -> Bool {
        beginDay(at: wall)
        guard !Self.listed.contains(row.action) else { return true }
        let kind = Kind(user: row.user, proof: row.proof, action: row.action, subject: row.subject, status: row.status)
        // All that may write as anybody are one user.
        let isProven = row.proof != "sender" && row.proof != ""
        let user = isProven ? Kind(user: row.user, proof: row.proof) : Kind()
        // A user that has too many rows takes no places for kinds from the others.
        if (rows[user] ?? 0) < Self.limitOfUser, addRow(of: kind) {
            rows[user, default: 0] += 1
            return true
        }
        count(row, as: kind, of: user)
        return false
    }

    /// True if a change of this name was counted lately.
    func hasName(_ name: String) -> Bool { names.contains(name) }

    /// The subjects whose changes are counted, and not in a row yet.
    var subjects: Set<String> { Set(open.keys.compactMap(\.subject)) }

    /// Takes the rows of days that are over.
    mutating func takeClosed(at wall: Timestamp) -> [AuditRecord] {
        beginDay(at: wall)
        defer { closed.removeAll() }
        return closed
    }

    /// Takes the rows of a subject, or all.
    mutating func takeRows(of subject: String? = nil) -> [AuditRecord] {
        let taken = subject == nil ? open : open.filter { $0.value.subject == subject }
        for kind in taken.keys { open[kind] = nil }
        let past = closed.filter { subject == nil || $0.subject == subject }
        closed.removeAll { subject == nil || $0.subject == subject }
        return past + taken.values.sorted { $0.at < $1.at }
    }

    private mutating func beginDay(at wall: Timestamp) {
        let day = wall.microseconds / 86_400_000_000
        guard day != self.day else { return }
        self.day = day
        closed += open.values.sorted { $0.at < $1.at }
        open.removeAll()
        former = Set(rows.filter { $0.value > $0.key.limit }.keys)
        rows.removeAll()
    }

    /// Counts a row; false if it is one too many.
    private mutating func addRow(of kind: Kind) -> Bool {
        let count = rows[kind] ?? 0
        guard count > 0 || rows.count < Self.kindLimit else { return false }
        rows[kind] = count + 1
        return count < kind.limit && !former.contains(kind)
    }

    private mutating func count(_ row: AuditRecord, as kind: Kind, of user: Kind) {
        if names.count == Self.nameLimit { names.removeFirst() }
        names.append(row.change)
        var (row, kind) = (row, kind)
        if open[kind] == nil, open.count >= Self.capacity {
            let user = open.count < 2 * Self.capacity ? user : Kind()
            kind = Kind(user: user.user, proof: user.proof, action: row.action, status: row.status)
            row = AuditRecord(
                number: 0, at: row.at, user: kind.user, role: "", peer: "", method: "", path: "", status: row.status)
            (row.proof, row.action) = (kind.proof, kind.action)
        }
        if let first = open[kind] {
            (row.before, row.times, row.change) = (first.before, first.times + 1, "")
            (row.since, row.at) = (min(first.since ?? first.at, row.at), max(first.at, row.at))
        }
        open[kind] = row
    }
}
