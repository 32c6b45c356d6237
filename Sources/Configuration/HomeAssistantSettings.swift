/// The section `home_assistant`: the settings of `outputs.home_assistant`.
public struct HomeAssistantSettings: Hashable, Sendable {
    /// The form in which Home Assistant is informed of presence at home (`tracker`).
    public enum Tracker: String, CaseIterable, Sendable {
        /// `home` and `not_home`, with the zone as well: displayed in 2025.4 and 2026.11.
        case state
        /// The zone alone, for releases that derive the state from it: 2026.11 doesn't yet.
        case inZones = "in_zones"
    }

    /// Home Assistant's discovery prefix, default `homeassistant` (`discovery_prefix`).
    public var discoveryPrefix = "homeassistant"
    /// The form of trackers, default `state` (`tracker`); a fuser's.
    public var tracker = Tracker.state
    /// The zone of the house, default `zone.home` (`zone`); a fuser's.
    public var zone = "zone.home"
    /// The area that is suggested for a node; nil for one with its room's name (`area`); an agent's.
    public var area: String?

    /// All defaults.
    public init() {}

    static let agentKeys = ["discovery_prefix", "area"]
    static let fuserKeys = ["discovery_prefix", "tracker", "zone"]

    static func getter(
        _ reader: ConfigurationReader, keys: [String]
    ) -> ConfigurationReader.Getter<HomeAssistantSettings> {
        reader.map { map in
            var settings = HomeAssistantSettings()
            settings.discoveryPrefix = map.read("discovery_prefix", reader.topicPrefix) ?? settings.discoveryPrefix
            if keys.contains("tracker") {
                let tracker = map.read("tracker", reader.word(Tracker.allCases.map(\.rawValue)))
                settings.tracker = tracker.flatMap(Tracker.init(rawValue:)) ?? settings.tracker
                settings.zone = map.read("zone") { readZone($0, reader) } ?? settings.zone
            }
            if keys.contains("area") { settings.area = map.read("area", reader.string) }
            return settings
        }
    }

    /// Warns if the section has no effect.
    static func warnIfUnused(_ map: MapReader, _ outputs: Set<String>?, _ reader: ConfigurationReader) {
        guard map.has("home_assistant"), outputs?.contains("home_assistant") != true else { return }
        reader.warn(
            map.place("home_assistant"),
            "'home_assistant' has no effect while Home Assistant isn't told: outputs: {home_assistant: true}")
    }

    /// A text of `zone.` and the characters of Home Assistant's ids.
    private static func readZone(_ node: YAMLNode, _ reader: ConfigurationReader) -> String? {
        if case .scalar(let text, _) = node.value, text.hasPrefix("zone."), text.utf8.count <= 128 {
            let id = text.dropFirst("zone.".count)
            let isPlain = id.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            if !id.isEmpty, isPlain { return text }
        }
        reader.expected("a zone's entity id such as zone.home", node)
        return nil
    }
}

extension AgentConfiguration {
    /// The discovery prefix of the output for Home Assistant; nil if the output is off.
    public var discoveryPrefix: String? { outputs.contains(.homeAssistant) ? homeAssistant.discoveryPrefix : nil }
}

extension FuserConfiguration {
    /// The discovery prefix of the output for Home Assistant; nil if the output is off.
    public var discoveryPrefix: String? { outputs.contains(.homeAssistant) ? homeAssistant.discoveryPrefix : nil }
}
