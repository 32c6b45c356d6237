/// A house with what follows from it, made once and shared by the locators of all items; it never changes.
final class Surroundings: Sendable {
    let house: House
    let motion: Motion
    /// How many nodes each room has.
    let nodesByRoom: [Int]
    /// The rooms with a node that the lessons don't know, and their nodes, where there are lessons.
    let untaught: [(room: Int, nodes: [Int])]
    /// The house's plan, where its places are known and nobody taught it.
    let plan: FloorPlan?
    let parameters: Parameters
    /// What belief keeps where it is in a second in which nobody listened. `motion` is for seconds that are heard, and tells
    /// of more moves than there are.
    let heldUnheard: Double

    /// `taught` names the rooms that lessons know, where there are lessons.
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
        heldUnheard = max(0, 1 - 1 / (parameters.rest.restless * (1 - stay)))
    }
}

extension House {
    /// How many nodes each room has.
    var nodesByRoom: [Int] {
        var counts = [Int](repeating: 0, count: rooms.count)
        for node in nodes { if let room = node.room { counts[room] += 1 } }
        return counts
    }
}
