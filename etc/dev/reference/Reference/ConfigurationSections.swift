internal import Configuration

/// The keys of the configuration files.
extension Section {
    static var configuration: [Section] {
        let agent = ConfigurationProbe(.agent)
        return ConfigurationPart.agent.map { section($0, agent) }
            + ConfigurationPart.fuser.map { section($0, ConfigurationProbe(.fuser)) }
            + ConfigurationPart.items.map { section($0, ConfigurationProbe(.items)) }
            + [section(.sites, ConfigurationProbe(.sites))]
            + [
                section(.mqtt, agent), section(.reaction, agent, under: "reactions[].on_enter[]."),
                Section("configuration-agent-variables", variables(AgentConfiguration.variables)),
                Section("configuration-fuser-variables", variables(FuserConfiguration.variables)),
            ]
    }

    private static func section(
        _ part: ConfigurationPart, _ probe: ConfigurationProbe, under parent: String = ""
    ) -> Section {
        Section(
            part.name,
            Markdown.table(
                ["key", "value", "default", "applied", "meaning"],
                part.keys.map { key in
                    let path = key.path.hasPrefix("[].") ? String(key.path.dropFirst(3)) : key.path
                    return [
                        Markdown.code(path), probe.expectation(parent + key.path), key.standard.text,
                        probe.file.effect(of: parent + key.path)?.rawValue ?? "", key.meaning,
                    ]
                }))
    }

    private static func variables(_ names: [String]) -> String {
        Markdown.block(Markdown.wrapped(names, indent: 0))
    }
}
