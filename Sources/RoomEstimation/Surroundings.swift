/// A house with the values derived from it, made once and shared by the locators of all items; it never changes.
final class Surroundings: Sendable {
    let house: House
    let motion: Motion
    /// The number of nodes of each room.
    let nodesByRoom: [Int]
    /// The rooms with a node that the lessons do not cover, and their nodes, if there are lessons.
    let untaught: [(room: Int, nodes: [Int])]
    /// The house's plan, if its places are known and there are no lessons.
    let plan: FloorPlan?
    /// The rooms that no answer can name.
    let unseen: UnseenRooms
    let parameters: Parameters
    /// The share of belief that stays in place in a second without a packet. `motion` is for seconds with one, and has more
    /// moves than there are.
    let heldUnheard: Double

    /// `taught` names the rooms that lessons cover, if there are lessons.
    init(house: House, taught: [Int]?, parameters: Parameters) {
        self.house = house
        self.parameters = parameters
        let stay = taught != nil ? parameters.motion.stayTaught : parameters.motion.stayAlone
        motion = Motion(house: house, stay: stay, parameters: parameters.motion)
        nodesByRoom = house.nodesByRoom
        var untaught = house.rooms.indices.map { (room: $0, nodes: [Int]()) }
        for (index, node) in house.nodes.enumerated() { if let room = node.room { untaught[room].nodes.append(index) } }
        untaught.removeAll { $0.nodes.isEmpty || taught?.contains($0.room) ?? true }
        self.untaught = untaught
        plan = taught == nil ? FloorPlan(house, parameters: parameters.positions) : nil
        unseen = UnseenRooms(
            of: house, nodesByRoom: nodesByRoom, taught: taught, plan: plan, weight: parameters.nearness.unseenRoom)
        heldUnheard = max(0, 1 - 1 / (parameters.rest.restless * (1 - stay)))
    }
}

extension House {
    /// The number of nodes of each room.
    var nodesByRoom: [Int] {
        var counts = [Int](repeating: 0, count: rooms.count)
        for node in nodes { if let room = node.room { counts[room] += 1 } }
        return counts
    }
}
