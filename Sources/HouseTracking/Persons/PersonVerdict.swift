internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Where a person is by what its items say.
///
/// Things don't walk: an item that goes to another room is carried, and who stays behind then has no say until it moves
/// itself. Of those that are carried one that is present goes before one that is quiet.
struct PersonVerdict: Hashable, Sendable {
    var state = Location.State.unknown
    var room: String?
    /// The item that decides, by its place; nil where nothing is known.
    var item: Int?
    /// When the answer becomes another one though nothing is told; nil where it doesn't.
    var next: Timestamp?

    /// The answer of those items, one of which (`mustHave`) must be there, beside the room that has been the answer.
    ///
    /// - Parameters:
    ///   - stands: the person's room so far; nil where there is none.
    ///   - since: when that became the answer.
    ///   - lastMove: when it went from one room to another last.
    ///   - isFresh: whether it was found only just now, and need not be moved from.
    init(
        _ items: [PersonItem], mustHave: Set<Int>, stands: String?, since: Timestamp, lastMove: Timestamp?,
        isFresh: Bool, at time: Timestamp
    ) {
        let known = items.indices.filter { items[$0].state != .unknown }
        guard !known.isEmpty else { return }
        if !mustHave.isEmpty {
            let needed = known.filter(mustHave.contains)
            // Whether it is there nobody can say.
            guard !needed.isEmpty else { return }
            guard needed.contains(where: { items[$0].isHere }) else {
                leave(needed, items)
                return
            }
        }
        let carried = known.filter { !items[$0].isLeftBehind }
        // With nothing of what it was carried with in play, what lies there is all that there is.
        let telling = carried.isEmpty ? known : carried
        let present = telling.filter { items[$0].state == .present }
        let here = present.isEmpty ? telling.filter { items[$0].state == .quiet } : present
        guard !here.isEmpty else {
            leave(telling, items)
            return
        }
        let staying = telling.filter { items[$0].isHere && items[$0].room == stands }
        place(here, items, staying: staying, since: since, lastMove: lastMove, isFresh: isFresh, at: time)
        if let item { (state, room) = (items[item].state, items[item].room) }
    }

    /// Away with the one of them that left last.
    private mutating func leave(_ indices: [Int], _ items: [PersonItem]) {
        state = .away
        item = indices.max { items[$0].since < items[$1].since }
    }

    /// - Parameters:
    ///   - here: the items that may lead elsewhere.
    ///   - staying: those in the room that has been the answer, be they quiet.
    private mutating func place(
        _ here: [Int], _ items: [PersonItem], staying: [Int], since: Timestamp, lastMove: Timestamp?, isFresh: Bool,
        at time: Timestamp
    ) {
        let never = Timestamp(microseconds: .min)
        func company(_ index: Int) -> Int { here.count { items[$0].room == items[index].room } }
        // The one that moved last, with the most company; of two alike the one that is named first.
        func isLess(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (items[one].movedAt ?? never, items[other].movedAt ?? never)
            if left != right { return left < right }
            let (few, many) = (company(one), company(other))
            return few == many ? one > other : few < many
        }
        guard let lead = here.max(by: isLess) else { return }
        item = lead
        guard !staying.contains(lead), let stay = staying.max(by: isLess) else { return }
        // Two that are in different rooms, and neither has come there since: the answer stands.
        guard let moved = items[lead].movedAt, moved > since else {
            if !isFresh { item = stay }
            return
        }
        guard company(lead) + company(lead) <= here.count else { return }
        // One went alone. The others may follow, or it may come back: its room may have been a mistake.
        let isSoon = lastMove.map { moved.microseconds(since: $0) < Parameters.Persons.again } ?? false
        let due = moved.advanced(
            byMicroseconds: isSoon ? Parameters.Persons.aloneAgain : Parameters.Persons.alone)
        if time < due { (item, next) = (stay, due) }
    }
}
