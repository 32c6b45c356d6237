internal import Bytes

/// One entity of a device, as Home Assistant is told of it. What is nil is left out; keys are Home Assistant's
/// abbreviations (homeassistant/components/mqtt/abbreviations.py).
public struct DiscoveryComponent: Hashable, Sendable {
    /// What kind of entity it is.
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
    /// Its name for people, behind the device's; nil where it is the device's own.
    public var name: String?
    /// Where its state stands (`state_topic`), and how it is read from that (`value_template`).
    public var state: (topic: String, template: String?)?
    /// Where its attributes stand (`json_attributes_topic`), and how they are read from that.
    public var attributes: (topic: String, template: String)?
    /// Where it writes when it is pressed, and what.
    public var press: (topic: String, payload: String)?
    /// What it shows (`device_class`).
    public var deviceClass: String?
    /// `diagnostic` or `config`; nil for what people look at.
    public var category: String?
    /// The unit.
    public var unit: String?
    /// How statistics are made of it (`state_class`); nil for none.
    public var stateClass: String?
    /// Its icon.
    public var icon: String?
    /// Decimals that are shown.
    public var precision: Int?
    /// All states that it can have, of an `enum`.
    public var options: [String] = []
    /// The payloads that stand for on and off where they are other words.
    public var words: (on: String, off: String)?
    /// How a tracker knows where something is (`source_type`).
    public var sourceType: String?
    /// Whether it is there while its publisher isn't.
    public var isAlwaysAvailable = false

    /// An entity of a device.
    public init(_ key: String, _ platform: Platform, name: String?) {
        (self.key, self.platform, self.name) = (key, platform, name)
    }

    /// Whether Home Assistant is told the same of both.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    /// Hashes what Home Assistant is told.
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
