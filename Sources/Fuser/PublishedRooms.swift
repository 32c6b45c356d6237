/// The room of each item as any fuser last published it, and the number of items in each room.
struct PublishedRooms: Sendable {
    private var words: [String: String] = [:]
    private var counts: [String: Int] = [:]

    /// Items whose room was published.
    var count: Int { words.count }

    /// True if an item was published in a room.
    func isPublished(_ room: String) -> Bool { counts[room] != nil }

    /// The room that an item was last published in; nil for none.
    subscript(item: String) -> String? {
        get { words[item] }
        set {
            let before = words[item]
            guard before != newValue else { return }
            words[item] = newValue
            if let before, let count = counts[before] { counts[before] = count > 1 ? count - 1 : nil }
            if let newValue { counts[newValue, default: 0] += 1 }
        }
    }
}
