/// The state of a core from the broker's messages.
struct Report: Decodable {
    /// An entity's state, with the attributes that tests read.
    struct State: Decodable {
        struct Attributes: Decodable {
            var friendlyName: String?
            var deviceClass: String?
            var unit: String?
            var options: [String]?
            var sourceType: String?
            /// The zones that a tracker or a person is in.
            var inZones: [String]?
            /// The persons that a zone counts.
            var persons: [String]?
            /// The trackers that a zone counts; nil in releases that count persons alone.
            var trackers: [String]?

            private enum CodingKeys: String, CodingKey {
                case friendlyName = "friendly_name"
                case deviceClass = "device_class"
                case unit = "unit_of_measurement"
                case options
                case sourceType = "source_type"
                case inZones = "in_zones"
                case persons
                case trackers = "device_trackers"
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
    /// The duration of its start.
    var seconds: Double
    /// Every warning and error that it logged.
    var problems: [String]
    var states: [String: State]
    var devices: [Device]
    var areas: [String]
    /// The number of writes of each entity's state, changed or not.
    var writes: [String: Int]
    /// The number of changes of states.
    var changes: Int

    /// Entities of the MQTT integration.
    let ours: [Entity]
    private let entitiesByUniqueID: [String: Entity]
    private let devicesByIdentifier: [String: Device]

    private enum CodingKeys: CodingKey {
        case version, seconds, problems, states, entities, devices, areas, writes, changes
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(String.self, forKey: .version)
        seconds = try values.decode(Double.self, forKey: .seconds)
        problems = try values.decode([String].self, forKey: .problems)
        states = try values.decode([String: State].self, forKey: .states)
        devices = try values.decode([Device].self, forKey: .devices)
        areas = try values.decode([String].self, forKey: .areas)
        writes = try values.decode([String: Int].self, forKey: .writes)
        changes = try values.decode(Int.self, forKey: .changes)
        ours = try values.decode([Entity].self, forKey: .entities).filter { $0.platform == "mqtt" }
        entitiesByUniqueID = Dictionary(ours.map { ($0.uniqueID, $0) }) { one, _ in one }
        devicesByIdentifier = Dictionary(devices.flatMap { device in device.identifiers.map { ($0, device) } }) {
            one, _ in one
        }
    }

    /// The entity of a unique id.
    func entity(_ uniqueID: String) -> Entity? { entitiesByUniqueID[uniqueID] }

    /// The state of the entity of a unique id; nil if there is none.
    func state(_ uniqueID: String) -> String? { entity(uniqueID).flatMap { states[$0.entityID]?.state } }

    /// The device of an identifier.
    func device(_ identifier: String) -> Device? { devicesByIdentifier[identifier] }
}

/// A change of an entity's state; nil is a missing entity.
struct StateChange: Decodable {
    /// The time, in Unix seconds.
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
