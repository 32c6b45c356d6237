public import Bytes

/// A message about a device in a room on `<root>/<room>`, in the form of Home Assistant's `mqtt_room`
/// (homeassistant/components/mqtt_room/sensor.py): `id` and `distance` are required, other keys are optional.
public struct MQTTRoomMessage: Hashable, Sendable {
    /// The device's id.
    public var id: String
    /// Its name for people.
    public var name: String?
    /// The distance in metres.
    public var distance: Double
    /// Its level in dBm, which some senders add (`rssi`).
    public var level: Double?
    /// The publisher (`origin`): a key of ours, as in ``ESPresenseDevice``.
    public var origin: String?

    /// A message of our own.
    public init(id: String, name: String?, distance: Double) {
        self.id = id
        self.name = name
        self.distance = distance
        origin = ESPresenseDevice.ownOrigin
    }

    /// The topic of a room under a root.
    public static func topic(_ room: String, root: String) -> String { "\(root)/\(room)" }

    /// Writes the payload.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("name", name)
        json.field("distance", distance, decimals: 3)
        json.field("rssi", level, decimals: 2)
        json.field("origin", origin)
        json.endObject()
    }

    /// Reads such a payload.
    public init(payload: Span<UInt8>) throws(IntegrationFault) {
        var id: String?
        var name: String?
        var distance: Double?
        var level: Double?
        var origin: String?
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": id = try json.stringOrNull()
                case "name": name = try json.stringOrNull()
                case "distance": distance = try json.numberOrNull()
                case "rssi": level = try json.numberOrNull()
                case "origin": origin = try json.stringOrNull()
                default: try json.skip()
                }
            }
        }
        guard let id = try Plausible.name(id, "id") else { throw .missing("id") }
        guard let distance = try Plausible.value(distance, "distance", in: Plausible.distances) else {
            throw .missing("distance")
        }
        self.init(id: id, name: try Plausible.name(name, "name"), distance: distance)
        self.level = try Plausible.value(level, "rssi", in: Plausible.levels)
        self.origin = origin
    }

    /// The meaning of a message on a topic with these levels below the root.
    static func word(_ levels: [Substring], _ payload: Span<UInt8>) throws(IntegrationFault) -> ExternalMessage {
        guard levels.count == 1, Plausible.isName(String(levels[0])) else { throw .otherTopic }
        let message = try MQTTRoomMessage(payload: payload)
        guard message.origin != ESPresenseDevice.ownOrigin else { return .nothing }
        guard let name = ExternalName(espresense: message.id) else { throw .outOfRange("id") }
        var reading = ExternalReading(system: .mqttRoom, node: String(levels[0]), names: [name])
        (reading.level, reading.distance) = (message.level, message.distance)
        return .reading(reading)
    }
}
