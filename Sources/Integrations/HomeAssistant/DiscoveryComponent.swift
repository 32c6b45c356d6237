internal import Bytes

/// One entity of a device in a discovery document. A nil value is left out; keys are Home Assistant's abbreviations
/// (homeassistant/components/mqtt/abbreviations.py).
public struct DiscoveryComponent: Hashable, Sendable {
    /// The kind of entity.
    public enum Platform: String, CaseIterable, Sendable {
        case sensor
        case binarySensor = "binary_sensor"
        case deviceTracker = "device_tracker"
        case button
    }

    /// Its name within the device: letters, digits and `_`.
    public var key: String
    /// Its kind.
    public var platform: Platform
    /// Its name for people, after the device's; nil for the device's own.
    public var name: String?
    /// The topic of its state (`state_topic`), and the template for its value (`value_template`).
    public var state: (topic: String, template: String?)?
    /// The topic of its attributes (`json_attributes_topic`), and their template.
    public var attributes: (topic: String, template: String)?
    /// The topic and payload of a press.
    public var press: (topic: String, payload: String)?
    /// The meaning of its value (`device_class`).
    public var deviceClass: String?
    /// The category `diagnostic` or `config`; nil for the main entities.
    public var category: String?
    /// The unit.
    public var unit: String?
    /// The kind of statistics (`state_class`); nil for none.
    public var stateClass: String?
    /// Its icon.
    public var icon: String?
    /// The number of displayed decimals.
    public var precision: Int?
    /// All states that it can have, of an `enum`.
    public var options: [String] = []
    /// The payloads for on and off, if they aren't the defaults.
    public var words: (on: String, off: String)?
    /// The source of a tracker's location (`source_type`).
    public var sourceType: String?
    /// True if it is available while its publisher isn't.
    public var isAlwaysAvailable = false

    /// An entity of a device.
    public init(_ key: String, _ platform: Platform, name: String?) {
        (self.key, self.platform, self.name) = (key, platform, name)
    }

    /// True if both have the same form in a document.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    /// Hashes the form in a document.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private var text: String {
        var json = JSONWriter()
        write(uniqueID: "", entityID: nil, to: &json)
        return "\(key) \(json.text)"
    }

    /// Writes its part of a document.
    ///
    /// - Parameters:
    ///   - uniqueID: the id under which Home Assistant registers it.
    ///   - entityID: the default for its entity id (`default_entity_id`); nil for none.
    func write(uniqueID: String, entityID: String?, to json: inout JSONWriter) {
        json.beginObject()
        json.field("p", platform.rawValue)
        json.field("uniq_id", uniqueID)
        json.field("def_ent_id", entityID)
        if let name { json.field("name", name) } else { nameless(&json) }
        json.field("stat_t", state?.topic)
        json.field("val_tpl", state?.template)
        json.field("json_attr_t", attributes?.topic)
        json.field("json_attr_tpl", attributes?.template)
        json.field("cmd_t", press?.topic)
        json.field("pl_prs", press?.payload)
        json.field("dev_cla", deviceClass)
        json.field("ent_cat", category)
        json.field("unit_of_meas", unit)
        json.field("stat_cla", stateClass)
        json.field("ic", icon)
        json.field("sug_dsp_prc", precision)
        json.field("pl_on", words?.on)
        json.field("pl_off", words?.off)
        json.field("src_type", sourceType)
        if !options.isEmpty {
            json.beginArray("ops")
            for option in options { json.value(option) }
            json.endArray()
        }
        if isAlwaysAvailable {
            json.beginArray("avty")
            json.endArray()
        }
        json.endObject()
    }

    private func nameless(_ json: inout JSONWriter) {
        json.key("name")
        json.null()
    }
}
