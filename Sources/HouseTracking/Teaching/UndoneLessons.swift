/// The keys of lessons that were undone, and must not come back.
///
/// Those of lessons that were held here are separate from those that others only announce, so that no number of strange
/// keys pushes them out.
struct UndoneLessons: Sendable {
    /// Keys of lessons that were held here, and as many others; of both those that became known first are dropped
    /// first.
    static let capacity = 1000

    private var known: [String] = []
    private var strange: [String] = []
    /// Strange keys that were dropped.
    private(set) var forgotten: UInt64 = 0

    /// Restores the keys of an earlier run, in its order.
    init(_ keys: [String] = []) { known = Array(keys.suffix(Self.capacity)) }

    /// All keys, those first that are dropped first.
    var keys: [String] { strange + known }

    func contains(_ key: String) -> Bool { known.contains(key) || strange.contains(key) }

    /// Inserts a key; `isKnown` if its lesson is, or was, available.
    mutating func insert(_ key: String, isKnown: Bool) {
        guard !known.contains(key) else { return }
        let place = strange.firstIndex(of: key)
        guard isKnown else {
            guard place == nil else { return }
            if strange.count == Self.capacity {
                strange.removeFirst()
                forgotten += 1
            }
            return strange.append(key)
        }
        if let place { strange.remove(at: place) }
        if known.count == Self.capacity { known.removeFirst() }
        known.append(key)
    }

    /// Removes keys, whose lessons may come back.
    mutating func remove(_ keys: Set<String>) {
        known.removeAll(where: keys.contains)
        strange.removeAll(where: keys.contains)
    }
}
