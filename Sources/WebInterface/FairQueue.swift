/// A bounded queue from which the owners of its elements are served in turn.
struct FairQueue<Element> {
    private let bound: Int, each: Int
    private var lines: [String: [Element]] = [:]
    /// The owners that have elements, the next one first.
    private var turns: [String] = []
    private(set) var count = 0

    /// An empty queue for so many elements, and so many of one owner.
    init(bound: Int, each: Int) {
        self.bound = bound
        self.each = each
    }

    var isEmpty: Bool { count == 0 }

    /// Adds an element; false if there is no room for it.
    mutating func append(_ element: Element, of owner: String) -> Bool {
        let waiting = lines[owner]?.count ?? 0
        guard count < bound, waiting < each else { return false }
        if waiting == 0 { turns.append(owner) }
        lines[owner, default: []].append(element)
        count += 1
        return true
    }

    /// Takes the first element of the owner whose turn it is.
    mutating func next() -> Element? {
        guard !turns.isEmpty else { return nil }
        let owner = turns.removeFirst()
        guard let element = lines[owner]?.removeFirst() else { return nil }
        if lines[owner]?.isEmpty ?? true { lines[owner] = nil } else { turns.append(owner) }
        count -= 1
        return element
    }
}
