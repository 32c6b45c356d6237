extension AgentSource {
    /// Reads the value of an option such as `--source`; throws every fault in it. The files that it names must exist.
    public static func read(_ text: String, from option: String) throws(ConfigurationFaults) -> AgentSource {
        let reader = ConfigurationReader()
        let place = ConfigurationPosition(outside: option)
        let source = reader.agentSource(YAMLNode(.scalar(text, isPlain: false), at: place))
        try reader.check()
        guard let source else { throw ConfigurationFaults([]) }
        return source
    }
}
