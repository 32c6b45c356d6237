internal import Bytes
internal import Configuration
internal import HouseTracking
internal import RoomEstimation
internal import WireProtocol

extension Household.Settings {
    /// The settings of the house of a fuser's configuration.
    init(_ configuration: FuserConfiguration, epoch: String) {
        self.init(fuser: configuration.name, epoch: epoch)
        awayAfter = configuration.awayAfter
        personOfItem = configuration.persons.ofItems
        measuresReception = configuration.web != nil
        for room in configuration.rooms {
            house.draw(
                house.addRoom(room.id, floor: room.floor),
                outline: room.polygon.map { House.Corner(x: $0.x, y: $0.y) })
        }
        for room in configuration.rooms {
            for other in room.nextTo {
                if let one = house.room(room.id), let two = house.room(other) { house.join(one, two) }
            }
        }
        for node in configuration.nodes {
            let room = node.room.map { house.addRoom($0) }
            house.addNode(
                node.id, room: room, position: node.position.map { House.Position(x: $0.x, y: $0.y, z: $0.z) })
            roomOfNode[node.id] = node.room
        }
    }
}

extension FuserConfiguration.Room {
    /// The room as the model sees it.
    var withoutName: FuserConfiguration.Room {
        var room = self
        room.name = nil
        return room
    }
}

extension [Person] {
    /// The person of each item that one has; of several the last.
    var ofItems: [String: String] {
        Dictionary(flatMap { person in person.items.map { ($0, person.id) } }) { _, last in last }
    }
}
