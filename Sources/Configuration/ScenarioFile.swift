public import Simulation

/// Reads the scenario of a simulated house from YAML.
///
/// The file's keys are the scenario's fields; `etc/examples/simulation/house.yaml` shows them. The reader reports a
/// wrong form, `Scenario.validate()` an impossible value, both with the line and column of the value.
public enum ScenarioFile {
    /// The scenario of a file. Blocks while the disk does. Throws every fault with its position.
    public static func read(_ path: String) throws(ConfigurationFaults) -> Scenario {
        let reader = ConfigurationReader()
        let tree = reader.tree(file: path)
        return try readScenario(tree, reader)
    }

    /// The scenario of a YAML text; `file` is the name in positions. Throws every fault with its position.
    public static func read(_ bytes: [UInt8], file: String) throws(ConfigurationFaults) -> Scenario {
        let reader = ConfigurationReader()
        let tree = reader.tree(bytes, file: file)
        return try readScenario(tree, reader)
    }

    private static func readScenario(
        _ tree: YAMLNode?, _ reader: ConfigurationReader
    ) throws(ConfigurationFaults) -> Scenario {
        var scenario = Scenario()
        if let tree {
            let file = ScenarioFileReader(reader)
            scenario = reader.map { file.scenario($0) }(tree) ?? scenario
            for fault in scenario.validate() where !file.isDoubtful(fault.path) {
                reader.fault(position(of: fault.path, in: tree), fault.message)
            }
        }
        try reader.check()
        return scenario
    }

    /// The position of the value at a path such as `rooms[2].polygon`, or of the nearest value around it.
    static func position(of path: String, in tree: YAMLNode) -> ConfigurationPosition {
        var node = tree
        for step in path.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }) {
            if case .sequence(let nodes) = node.value {
                guard let index = Int(step), nodes.indices.contains(index) else { break }
                node = nodes[index]
            } else {
                guard let next = node[String(step)] else { break }
                node = next
            }
        }
        return node.position
    }
}
