/// What a core has made of the broker's messages.
struct Report: Decodable {
    /// An entity's state, with what of its attributes tests look at.
    struct State: Decodable {
        struct Attributes: Decodable {
            var friendlyName: String?
            var deviceClass: String?
            var unit: String?
            var options: [String]?
            var sourceType: String?

            private enum CodingKeys: String, CodingKey {
                case friendlyName = "friendly_name"
                case deviceClass = "device_class"
                case unit = "unit_of_measurement"
                case options
                case sourceType = "source_type"
            }
        }
        var state: String
        var attributes: Attributes
    }

    /// An entry of the entity registry.
    struct Entity: Decodable {
        var entityID: String
        var uniqueID: String
        var platform: String
        var device: String?
        var area: String?
        var category: String?
        var disabled: String?
        var name: String?

        private enum CodingKeys: String, CodingKey {
            case entityID = "entity_id"
            case uniqueID = "unique_id"
            case platform, device, area, category, disabled, name
        }
    }

    /// An entry of the device registry.
    struct Device: Decodable {
        var id: String
        var identifiers: [String]
        var name: String?
        var area: String?
        var via: String?
        var manufacturer: String?
        var model: String?
        var software: String?
    }

    /// Its release.
    var version: String
    /// How long its start took.
    var seconds: Double
    /// Every warning and error that it logged.
    var problems: [String]
    var states: [String: State]
    var entities: [Entity]
    var devices: [Device]
    var areas: [String]
    /// How often each entity's state was written, changed or not.
    var writes: [String: Int]
    /// How many changes of states there were.
    var changes: Int

    /// Entities of the MQTT integration.
    var ours: [Entity] { entities.filter { $0.platform == "mqtt" } }

    /// The entity of a unique id.
    func entity(_ uniqueID: String) -> Entity? { entities.first { $0.uniqueID == uniqueID } }

    /// The state of the entity of a unique id; nil where there is none.
    func state(_ uniqueID: String) -> String? { entity(uniqueID).flatMap { states[$0.entityID]?.state } }

    /// The device of an identifier.
    func device(_ identifier: String) -> Device? { devices.first { $0.identifiers.contains(identifier) } }

    /// Unique ids of a device's entities.
    func uniqueIDs(of identifier: String) -> Set<String> {
        guard let device = device(identifier) else { return [] }
        return Set(ours.filter { $0.device == device.id }.map(\.uniqueID))
    }
}

/// A change of an entity's state; nil is an entity that isn't there.
struct StateChange: Decodable {
    /// When, in Unix seconds.
    var at: Double
    var entity: String
    var before: String?
    var after: String?

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        at = try row.decode(Double.self)
        entity = try row.decode(String.self)
        before = try row.decodeIfPresent(String.self)
        after = try row.decodeIfPresent(String.self)
    }
}
