/// The rooms that no answer can name: no node stands in them, no lesson covers them, and no plan shows them.
///
/// An item in such a room is heard by the nodes of its neighbours, as if it were there. Levels hardly tell the two apart: in
/// the recorded home with most such rooms, a loudest level of 10 dB below the usual one raises the odds of an unseen room
/// by a third. So they take a share of every answer that depends on their number alone.
struct UnseenRooms: Sendable {
    /// Their indices.
    let rooms: [Int]
    /// The probability that an item is in one of them, 0..<1.
    let share: Double

    /// The unseen rooms of a house.
    ///
    /// - Parameters:
    ///   - nodesByRoom: the number of nodes of each room.
    ///   - taught: the rooms that lessons cover, by index.
    ///   - plan: the plan on which items are searched for, if there is one.
    ///   - weight: the time spent in such a room, as a share of that in a room with a node.
    init(of house: House, nodesByRoom: [Int], taught: [Int]?, plan: FloorPlan?, weight: Double) {
        rooms = house.rooms.indices.filter { room in
            let isShown = plan.map { room < $0.isShown.count && $0.isShown[room] } ?? false
            return !house.rooms[room].id.isEmpty && nodesByRoom[room] == 0 && !isShown && taught?.contains(room) != true
        }
        let hidden = weight * Double(rooms.count)
        share = hidden / max(1, hidden + Double(house.roomCount - rooms.count))
    }

    /// The probability of each room, from those of the rooms that can be answered.
    func includedIn(_ probabilities: [Double]) -> [Double] {
        guard !rooms.isEmpty, probabilities.contains(where: { $0 > 0 }) else { return probabilities }
        var all = probabilities.map { (1 - share) * $0 }
        for room in rooms where room < all.count { all[room] += share / Double(rooms.count) }
        return all
    }

    /// The probability of a room, from the one that it has among the rooms that can be answered.
    func includedIn(_ probability: Double) -> Double { (1 - share) * probability }
}
