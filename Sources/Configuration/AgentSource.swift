internal import CommandLine

/// The source of an agent's advertisements: the key `source`, or the option `--source`.
public enum AgentSource: Hashable, Sendable, CustomStringConvertible {
    /// A Bluetooth adapter: `auto`, a name such as `hci0`, or its address.
    case hci(adapter: String)
    /// Captures, one after the other; or a named pipe, or `-` for standard input.
    case replay(files: [String])
    /// A simulated house.
    case simulate(scenario: String)

    /// The form in a configuration, with the resolved paths.
    public var description: String {
        switch self {
        case .hci(let adapter): "hci:\(adapter)"
        case .replay(let files): "replay:\(files.joined(separator: ","))"
        case .simulate(let scenario): "simulate:\(scenario)"
        }
    }
}

extension ConfigurationReader {
    /// `hci:ADAPTER`, `replay:FILE[,FILE…]`, `replay:-` or `simulate:FILE`; the files must exist.
    func agentSource(_ node: YAMLNode) -> AgentSource? {
        let expectation = "hci:ADAPTER, replay:FILE[,FILE…] or simulate:FILE"
        guard let text = string(node) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            expected(expectation, node)
            return nil
        }
        switch parts[0] {
        case "hci":
            let isName = parts[1].utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
            if isName, parts[1].utf8.count <= 17 { return .hci(adapter: String(parts[1])) }
            expected("hci:auto, hci:hci0 or hci: and an adapter's address", node)
            return nil
        case "replay":
            let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            let files = names.compactMap { name in
                readCapture(YAMLNode(.scalar(String(name), isPlain: false), at: node.position))
            }
            return files.count == names.count ? .replay(files: files) : nil
        case "simulate":
            let scenario = YAMLNode(.scalar(String(parts[1]), isPlain: false), at: node.position)
            return existingFile(scenario).map { .simulate(scenario: $0) }
        default:
            expected(expectation, node, Spelling.question(String(parts[0]), among: ["hci", "replay", "simulate"]))
            return nil
        }
    }

    /// The path of a capture: a file, or a stream read as it arrives.
    private func readCapture(_ node: YAMLNode) -> String? {
        if string(node) == "-" { return "-" }
        return path(node).flatMap { Files.isPipe($0) ? $0 : existingFile(node) }
    }
}

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
