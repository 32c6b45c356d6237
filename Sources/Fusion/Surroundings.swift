/// A house with what follows from it, made once and shared by the locators of all items.
struct Surroundings: Sendable {
    let house: House
    let motion: Motion
    /// How many nodes each room has.
    let nodesByRoom: [Int]
    let parameters: Parameters.Motion

    init(house: House, isTaught: Bool, parameters: Parameters.Motion) {
        self.house = house
        self.parameters = parameters
        motion = Motion(
            house: house, stay: isTaught ? parameters.stayTaught : parameters.stayAlone, parameters: parameters)
        var counts = [Int](repeating: 0, count: house.rooms.count)
        for node in house.nodes { if let room = node.room { counts[room] += 1 } }
        nodesByRoom = counts
    }
}
