internal import Bytes

/// The next due time among a fixed number of owners: a binary heap with at most one time for each, which is moved if it
/// changes.
struct DueQueue: Sendable {
    private var heap: [(due: Timestamp, owner: Int)] = []
    /// The place of each owner's time in the heap; nil if it has none.
    private var places: [Int?]

    /// - Parameter owners: number of owners, 0 being the first.
    init(owners: Int) { places = Array(repeating: nil, count: owners) }

    /// The earliest time; nil if there is none.
    var first: Timestamp? { heap.first?.due }

    /// Sets the due time of an owner; nil removes it.
    mutating func set(_ due: Timestamp?, of owner: Int) {
        guard let due else { return remove(owner) }
        if let place = places[owner] {
            heap[place].due = due
            moveDown(moveUp(place))
        } else {
            heap.append((due, owner))
            places[owner] = heap.count - 1
            _ = moveUp(heap.count - 1)
        }
    }

    /// Removes the owners that are due at a moment; the earliest first.
    mutating func takeDue(at time: Timestamp) -> [Int] {
        var owners: [Int] = []
        while let first = heap.first, first.due <= time {
            owners.append(first.owner)
            remove(first.owner)
        }
        return owners
    }

    private mutating func remove(_ owner: Int) {
        guard let place = places[owner] else { return }
        swapEntries(place, heap.count - 1)
        heap.removeLast()
        places[owner] = nil
        if place < heap.count { moveDown(moveUp(place)) }
    }

    /// Moves an entry towards the first while it is earlier; returns its place.
    private mutating func moveUp(_ place: Int) -> Int {
        var place = place
        while place > 0, heap[place].due < heap[(place - 1) / 2].due {
            swapEntries(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        return place
    }

    private mutating func moveDown(_ place: Int) {
        var place = place
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].due < heap[least].due {
                least = child
            }
            guard least != place else { return }
            swapEntries(place, least)
            place = least
        }
    }

    private mutating func swapEntries(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].owner] = one
        places[heap[other].owner] = other
    }
}
