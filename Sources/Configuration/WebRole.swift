/// The rights of those who use a page; each includes the ones before.
public enum WebRole: String, CaseIterable, Comparable, Sendable {
    /// Sees everything.
    case viewer
    /// Changes items, lessons and alerts as well.
    case `operator`
    /// Sees who changed what as well.
    case admin

    /// True if `left` has fewer rights.
    public static func < (left: WebRole, right: WebRole) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .operator: 1
        case .admin: 2
        }
    }
}
