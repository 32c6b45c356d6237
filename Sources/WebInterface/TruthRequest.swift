/// A request about the rooms in which an item truly is, as a person who carries it says.
public enum TruthRequest: Hashable, Sendable {
    /// Records that the item has been in a room for a time, or, for nil, that its walk ended that long ago.
    case mark(item: String, room: String?, ago: Duration)
    /// The marks of an item, and what the answers were worth during its last walk.
    case report(item: String)
    /// The marks of an item as a table that `whereabouts locate` reads.
    case table(item: String)
    /// Deletes the marks of an item.
    case forget(item: String)

    /// True if the audit records it. A mark carries its user itself.
    var isAudited: Bool {
        switch self {
        case .forget: true
        case .mark, .report, .table: false
        }
    }
}
