internal import Bytes

/// A device with its entities, in one message to Home Assistant (home-assistant.io/integrations/mqtt, "Device discovery
/// payload").
public struct DiscoveryDocument: Hashable, Sendable {
    /// Its name for people.
    public var name: String
    /// True if the name is made of the id since its own is unknown: an earlier published name takes precedence.
    public var isNameGuessed = false
    /// The beginning of entity ids; nil for the device's name.
    public var entityName: String?
    /// The model of a person.
    public static let person = "Person"

    /// Its model: `Item`, `Person`, `Room`, `Node` or `Fuser`.
    public var model: String
    /// The area that is suggested for it; nil for none.
    public var area: String?
    /// The version of the program; nil for other devices.
    public var version: String?
    /// The status topics of its publishers: one `online` is sufficient.
    public var availability: [String]
    /// Its entities.
    public var components: [DiscoveryComponent]

    /// A device with its entities.
    public init(
        name: String, model: String, area: String? = nil, version: String? = nil, availability: [String],
        components: [DiscoveryComponent]
    ) {
        (self.name, self.model, self.area, self.version) = (name, model, area, version)
        (self.availability, self.components) = (availability, components)
    }

    /// The status topics in a document's payload; empty if it isn't a document.
    public static func availability(in payload: [UInt8]) -> [String] {
        guard payload.count <= StandingDocument.bound else { return [] }
        var reader = JSONReader(payload.span)
        do throws(JSONFault) {
            return try StandingDocument.readAvailability(&reader)
        } catch {
            return []
        }
    }

    /// The payload of its topic.
    ///
    /// - Parameters:
    ///   - place: the place of its topic.
    ///   - object: the id of the device there.
    ///   - gone: the keys of former entities, which Home Assistant removes.
    ///   - buried: those that are published once more so that they can be removed.
    public func payload(
        at place: DiscoveryPlace, _ object: String, removing gone: [String: String] = [:],
        showing buried: [String: String] = [:]
    ) -> [UInt8] {
        let device = "\(place.site)_\(object)"
        var json = JSONWriter()
        json.beginObject()
        json.beginObject("dev")
        json.field("ids", device)
        json.field("name", name)
        json.field("mf", "Whereabouts")
        json.field("mdl", model)
        json.field("sw", version)
        json.field("sa", area)
        json.endObject()
        json.beginObject("o")
        json.field("name", "whereabouts")
        json.endObject()
        if !availability.isEmpty {
            json.beginArray("avty")
            for topic in availability {
                json.beginObject()
                json.field("t", topic)
                json.endObject()
            }
            json.endArray()
            if availability.count > 1 { json.field("avty_mode", "any") }
        }
        json.beginObject("cmps")
        for component in components {
            json.key(component.key)
            component.write(
                uniqueID: "\(device)_\(component.key)", entityID: defaultEntityID(of: component), to: &json)
        }
        for (key, platform) in gone.sorted(by: { $0.key < $1.key }) {
            json.beginObject(key)
            json.field("p", platform)
            json.endObject()
        }
        for (key, platform) in buried.sorted(by: { $0.key < $1.key }) {
            json.key(key)
            // The minimum that Home Assistant requires of an entity of its kind.
            json.beginObject()
            json.field("p", platform)
            json.field("uniq_id", "\(device)_\(key)")
            json.field(platform == DiscoveryComponent.Platform.button.rawValue ? "cmd_t" : "stat_t", place.birth)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
