/// What was last told of items' rooms, by whomever, and how many items each room has.
struct PublishedRooms: Sendable {
    private var words: [String: String] = [:]
    private var counts: [String: Int] = [:]

    /// Items of which a room was told.
    var count: Int { words.count }

    /// Whether an item was told to be in a room.
    func isPublished(_ room: String) -> Bool { counts[room] != nil }

    /// The room that an item was told to be in; nil for none.
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
