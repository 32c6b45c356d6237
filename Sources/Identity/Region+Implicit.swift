extension Region {
    /// A prefix that no id written by a user has.
    private static let prefix = "item:"

    /// A region of one item that no user configured: alerts and reactions need its crossings, while topics and events
    /// leave it out.
    public static func implicit(item: String, exitAfter: Duration? = nil) -> Region {
        Region(id: prefix + item, members: .item(item), exitAfter: exitAfter)
    }

    /// The item of an implicit region, by the region's id; nil for a configured region.
    public static func implicitItem(of id: String) -> String? {
        id.utf8.starts(with: prefix.utf8) ? String(id.dropFirst(prefix.count)) : nil
    }
}
