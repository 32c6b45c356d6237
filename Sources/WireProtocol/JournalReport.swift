public import Bytes

/// The journal of a node in a fuser: its events in their order, and the losses between them.
public struct JournalReport: Hashable, Sendable {
    /// A row.
    public enum Entry: Hashable, Sendable {
        /// An event of the node.
        case event(NodeEvent)
        /// Events that are lost, and the time at which that was detected.
        case lost(LedgerLoss, at: Timestamp)
    }

    /// The maximum number of rows in one answer; a client continues from `next`.
    public static let limit = 200

    /// The node.
    public var node: String
    /// The rows.
    public var entries: [Entry]
    /// The row after which a client continues; nil if this is all.
    public var next: UInt64?

    /// A report by all its values.
    public init(node: String, entries: [Entry] = [], next: UInt64? = nil) {
        self.node = node
        self.entries = entries
        self.next = next
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("node", node)
        json.beginArray("events")
        for entry in entries { entry.write(to: &json) }
        json.endArray()
        json.field("next", next)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> JournalReport {
        var report = JournalReport(node: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "node": report.node = try json.string()
            case "events":
                try json.beginArray()
                while try json.nextElement() {
                    if let entry = try Entry.read(from: &json) { report.entries.append(entry) }
                }
            case "next": report.next = try json.integer(UInt64.self)
            default: try json.skip()
            }
        }
        return report
    }
}

extension JournalReport.Entry {
    /// The kind of the rows of losses.
    public static let lost = "lost"

    /// Writes an event in the form of its topic, a loss as
    /// `{"kind":"lost","epoch":…,"first_seq":…,"last_seq":…,"reason":…,"at":…}`.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .event(let event): event.write(to: &json)
        case .lost(let loss, let time):
            json.beginObject()
            json.field("kind", Self.lost)
            json.field("epoch", loss.epoch)
            json.field("first_seq", loss.first)
            json.field("last_seq", loss.last)
            json.field("reason", loss.reason.rawValue)
            json.field("at", time)
            json.endObject()
        }
    }

    /// A row; nil for one that can't be read.
    @_lifetime(json: copy json)
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> Self? {
        var probe = json
        var (kind, epoch, reason): (String?, String?, LedgerLoss.Reason?)
        var (first, last): (UInt64?, UInt64?)
        var at: Timestamp?
        try probe.beginObject()
        while let key = try probe.nextKey() {
            switch key {
            case "kind": kind = try probe.string()
            case "epoch": epoch = try probe.string()
            case "first_seq": first = try probe.integer(UInt64.self)
            case "last_seq": last = try probe.integer(UInt64.self)
            case "reason" where kind == lost: reason = LedgerLoss.Reason(rawValue: try probe.string())
            case "at": at = try probe.time()
            default: try probe.skip()
            }
        }
        guard kind == lost else {
            let parts = try NodeEvent.parts(&json)
            return (try? NodeEvent(parts)).map { .event($0) }
        }
        json = probe
        guard let epoch, let first, let reason, let at else { return nil }
        return .lost(LedgerLoss(epoch: epoch, first: first, last: last, reason: reason), at: at)
    }
}
