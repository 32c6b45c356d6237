public import Configuration
internal import Sites

/// A kind of configuration file: its described keys, and samples that hold each of them and are free of faults.
public enum ConfigurationFile: String, CaseIterable, Sendable {
    case agent, fuser, items, sites

    /// The parts of the page that are about this file alone or are shared.
    public var parts: [ConfigurationPart] {
        switch self {
        case .agent: ConfigurationPart.agent + [.mqtt]
        case .fuser: ConfigurationPart.fuser + [.mqtt]
        case .items: ConfigurationPart.items
        case .sites: [.sites, .mqtt(of: "[]")]
        }
    }

    /// All described keys; those of reactions at each place where reactions may stand.
    public var keys: [ConfigurationKey] {
        let lists = ["on_determined", "on_enter", "on_exit"]
        let places = self == .agent ? ["regions[]", "reactions[]"].flatMap { at in lists.map { "\(at).\($0)[]" } } : []
        return parts.flatMap(\.keys)
            + places.flatMap { at in ConfigurationPart.reaction.keys.map { $0.moved(under: at) } }
    }

    /// Texts in YAML that together hold each key at least once.
    public var samples: [String] {
        switch self {
        case .agent: Self.agentSamples
        case .fuser: Self.fuserSamples
        case .items: [Self.itemsSample]
        case .sites: [Self.sitesSample]
        }
    }

    /// The time at which another value of a key takes effect; nil for a map, whose keys have times of their own.
    public func effect(of path: String) -> KeyChange.Effect? {
        switch self {
        case .agent: AgentConfiguration.effect(of: path)
        case .fuser: FuserConfiguration.effect(of: path)
        // Both programs read it, and it counts as their key `items`.
        case .items: AgentConfiguration.effect(of: "items")
        // The tool reads it for each command, and a fuser at its start.
        case .sites: FuserConfiguration.effect(of: "web.sites")
        }
    }

    /// The paths of the keys whose values two texts differ in; nil where one has faults.
    public func changes(from old: String, to new: String) -> [String]? {
        switch self {
        case .agent:
            guard let old = try? AgentConfiguration.load(text: old, file: "agent.yaml", opensFiles: false),
                let new = try? AgentConfiguration.load(text: new, file: "agent.yaml", opensFiles: false)
            else { return nil }
            return old.changes(to: new).map(\.key)
        case .fuser:
            guard let old = try? FuserConfiguration.load(text: old, file: "fuser.yaml", opensFiles: false),
                let new = try? FuserConfiguration.load(text: new, file: "fuser.yaml", opensFiles: false)
            else { return nil }
            return old.changes(to: new).map(\.key)
        case .items, .sites: return nil
        }
    }

    /// The paths of the keys that are classified by the time at which they take effect.
    public var classified: [String] {
        switch self {
        case .agent: AgentConfiguration.configuredKeys.map(\.path)
        case .fuser: FuserConfiguration.configuredKeys.map(\.path)
        case .items, .sites: []
        }
    }

    /// The messages of all faults in a text; no file that it names is opened.
    public func faults(_ text: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try read(text)
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    /// All that a text sets, for comparison; nil where it has faults.
    public func value(_ text: String) -> AnyHashable? { try? read(text) }

    private func read(_ text: String) throws(ConfigurationFaults) -> AnyHashable {
        switch self {
        case .agent:
            var configuration = try AgentConfiguration.load(text: text, file: "agent.yaml", opensFiles: false)
            // Warnings name places.
            configuration.warnings = []
            return configuration
        case .fuser:
            var configuration = try FuserConfiguration.load(text: text, file: "fuser.yaml", opensFiles: false)
            configuration.warnings = []
            return configuration
        case .items: return try ItemsFile.load(text: text, file: "items.yaml")
        case .sites: return try SitesFile.load(text: text, file: "sites.yaml", opensFiles: false)
        }
    }
}
