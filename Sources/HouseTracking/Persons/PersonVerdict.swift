internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The location of a person by the answers of its items.
///
/// An item does not walk: one that goes to another room is carried, and one that stays behind is then ignored until it
/// moves itself. Among carried items a present one takes precedence over a quiet one.
struct PersonVerdict: Hashable, Sendable {
    var state = Location.State.unknown
    var room: String?
    /// The item that decides, by its place; nil if nothing is known.
    var item: Int?
    /// The time at which the answer changes without a further message; nil if it does not.
    var next: Timestamp?

    /// The answer of those items, one of which (`mustHave`) must be present, beside the room that has been the answer.
    ///
    /// - Parameters:
    ///   - stands: the person's room so far; nil if there is none.
    ///   - since: the time at which that became the answer.
    ///   - lastMove: the time of its last move from one room to another.
    ///   - isFresh: true if it was only just found, so that no move is needed to change it.
    init(
        _ items: [PersonItem], mustHave: Set<Int>, stands: String?, since: Timestamp, lastMove: Timestamp?,
        isFresh: Bool, at time: Timestamp
    ) {
        let known = items.indices.filter { items[$0].state != .unknown }
        guard !known.isEmpty else { return }
        if !mustHave.isEmpty {
            let needed = known.filter(mustHave.contains)
            // Its presence is then unknown.
            guard !needed.isEmpty else { return }
            guard needed.contains(where: { items[$0].isHere }) else {
                decideAway(needed, items)
                return
            }
        }
        let carried = known.filter { !items[$0].isLeftBehind }
        // With no carried item in play, the items that lie there are the only evidence.
        let telling = carried.isEmpty ? known : carried
        let present = telling.filter { items[$0].state == .present }
        let here = present.isEmpty ? telling.filter { items[$0].state == .quiet } : present
        guard !here.isEmpty else {
            decideAway(telling, items)
            return
        }
        let staying = telling.filter { items[$0].isHere && items[$0].room == stands }
        decideRoom(here, items, staying: staying, since: since, lastMove: lastMove, isFresh: isFresh, at: time)
        if let item { (state, room) = (items[item].state, items[item].room) }
    }

    /// Away, decided by the item that left last.
    private mutating func decideAway(_ indices: [Int], _ items: [PersonItem]) {
        state = .away
        item = indices.max { items[$0].since < items[$1].since }
    }

    /// - Parameters:
    ///   - here: the items that may lead elsewhere.
    ///   - staying: those in the room that has been the answer, quiet ones included.
    private mutating func decideRoom(
        _ here: [Int], _ items: [PersonItem], staying: [Int], since: Timestamp, lastMove: Timestamp?, isFresh: Bool,
        at time: Timestamp
    ) {
        let never = Timestamp(microseconds: .min)
        func company(_ index: Int) -> Int { here.count { items[$0].room == items[index].room } }
        // The item that moved last, with the most company; of two alike the one that is named first.
        func isLess(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (items[one].movedAt ?? never, items[other].movedAt ?? never)
            if left != right { return left < right }
            let (few, many) = (company(one), company(other))
            return few == many ? one > other : few < many
        }
        guard let lead = here.max(by: isLess) else { return }
        item = lead
        guard !staying.contains(lead), let stay = staying.max(by: isLess) else { return }
        // Two items in different rooms of which neither has arrived since: the answer holds.
        guard let moved = items[lead].movedAt, moved > since else {
            if !isFresh { item = stay }
            return
        }
        guard company(lead) + company(lead) <= here.count else { return }
        // One went alone. The others may follow, or it may come back: its room may have been a mistake.
        let isSoon = lastMove.map { moved.duration(since: $0) < Parameters.Persons.again } ?? false
        let due = moved.advanced(
            by: isSoon ? Parameters.Persons.aloneAgain : Parameters.Persons.alone)
        if time < due { (item, next) = (stay, due) }
    }
}
