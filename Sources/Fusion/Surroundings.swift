/// A house with what follows from it, made once and shared by the locators of all items; it never changes.
final class Surroundings: Sendable {
    let house: House
    let motion: Motion
    /// How many nodes each room has.
    let nodesByRoom: [Int]
    let parameters: Parameters
    /// What belief keeps where it is in a second in which nobody listened. `motion` is for seconds that are heard, and tells
    /// of more moves than there are.
    let heldUnheard: Double

    init(house: House, isTaught: Bool, parameters: Parameters) {
        self.house = house
        self.parameters = parameters
        let stay = isTaught ? parameters.motion.stayTaught : parameters.motion.stayAlone
        motion = Motion(house: house, stay: stay, parameters: parameters.motion)
        nodesByRoom = house.nodesByRoom
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
