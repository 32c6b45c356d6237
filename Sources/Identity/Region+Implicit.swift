extension Region {
    /// No id that a user may write begins so.
    private static let prefix = "item:"

    /// A region of one item that nobody asked to see: alerts and reactions need its crossings, topics and events don't
    /// show it.
    public static func implicit(item: String, exitAfter: Int64? = nil) -> Region {
        Region(id: prefix + item, members: .item(item), exitAfter: exitAfter)
    }

    /// The item of an implicit region, by the region's id; nil for a region that the user asked for.
    public static func implicitItem(of id: String) -> String? {
        id.utf8.starts(with: prefix.utf8) ? String(id.dropFirst(prefix.count)) : nil
    }
}
