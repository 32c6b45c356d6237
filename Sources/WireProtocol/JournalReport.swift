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
}

extension JournalReport: WireObject {
    static var blank: Self { Self(node: "") }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("node", &node)
        try fields.field("events", &entries)
        try fields.field("next", &next)
    }
}

extension JournalReport.Entry: WireValue {
    /// The kind of the rows of losses.
    public static let lost = "lost"

    /// Writes an event in the form of its topic, a loss as
    /// `{"kind":"lost","epoch":…,"first_seq":…,"last_seq":…,"reason":…,"at":…}`.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .event(let event): event.write(to: &json)
        case .lost(let loss, let time): Loss(loss: loss, at: time).write(to: &json)
        }
    }

    /// A row; nil for one that can't be read.
    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? {
        var probe = json
        if let row = try Loss.read(from: &probe) {
            json = probe
            return .lost(row.loss, at: row.at)
        }
        return try NodeEvent.read(from: &json).map { .event($0) }
    }
}

/// The row of a loss.
private struct Loss: WireObject {
    var kind: String = JournalReport.Entry.lost
    var loss: LedgerLoss
    var at: Timestamp

    static var blank: Self {
        Self(
            kind: "", loss: LedgerLoss(epoch: "", first: 0, last: nil, reason: .unanswered),
            at: Timestamp(microseconds: 0))
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.required("kind", &kind, where: { $0 == JournalReport.Entry.lost })
        try fields.required("epoch", &loss.epoch)
        try fields.required("first_seq", &loss.first, where: { $0 > 0 })
        try fields.field("last_seq", &loss.last)
        try fields.required("reason", &loss.reason)
        try fields.required("at", &at)
    }
}

extension LedgerLoss.Reason: WireValue {}
