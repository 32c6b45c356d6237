internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import Store
internal import System

/// A program of this machine by its configuration, as backup and restore see it.
struct BackedProgram {
    /// Its kind.
    var program: BackupManifest.Program
    /// Its name, as in topics.
    var name: String
    /// The path of its configuration.
    var path: String
    /// The path of its state; nil if it has none.
    var state: String?

    /// Reads a configuration file; the files that it names may be missing.
    init(path: String, environment: [String: String]) throws(ConfigurationFaults) {
        self.path = path
        switch try ProgramConfiguration.load(path: path, environment: environment, opensFiles: false) {
        case .agent(let agent): (program, name, state) = (.agent, agent.node, agent.state)
        case .fuser(let fuser): (program, name, state) = (.fuser, fuser.name, fuser.state)
        }
    }

    /// The same by the bytes of a file that is not there yet.
    init(
        _ program: BackupManifest.Program, _ bytes: [UInt8], path: String, environment: [String: String]
    ) throws(ConfigurationFaults) {
        (self.program, self.path) = (program, path)
        switch program {
        case .agent:
            let agent = try AgentConfiguration.load(
                bytes: bytes, file: path, environment: environment, opensFiles: false)
            (name, state) = (agent.node, agent.state)
        case .fuser:
            let fuser = try FuserConfiguration.load(
                bytes: bytes, file: path, environment: environment, opensFiles: false)
            (name, state) = (fuser.name, fuser.state)
        }
    }

    /// False for a file that names no broker, as a package installs it: its program has never run.
    static func isConfigured(_ path: String, _ environment: [String: String]) -> Bool {
        let names = ["WHEREABOUTS_MQTT_URL", "WHEREABOUTS_MQTT_URLS"]
        guard names.allSatisfy({ environment[$0]?.isEmpty ?? true }) else { return true }
        guard let bytes = try? WholeFile.read(path, bound: BackupCommand.fileBound) else { return true }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return lines.contains {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self).contains("mqtt")
        }
    }

    /// The programs of `--config`, or of the files that exist by default and name a broker.
    static func find(_ arguments: Arguments, environment: [String: String]) throws -> [BackedProgram] {
        var paths = arguments.texts("--config")
        if paths.isEmpty {
            paths = BrokerChoice.defaultFiles.filter { path in
                BrokerChoice.firstReadable([path]) != nil && isConfigured(path, environment)
            }
        }
        guard !paths.isEmpty else {
            let files = BrokerChoice.defaultFiles.joined(separator: " and ")
            throw ProgramFault(
                "there is no configuration: \(files) can't be read, or name no broker; give --config FILE")
        }
        let programs = try paths.map { try BackedProgram(path: $0, environment: environment) }
        guard Set(programs.map(\.program)).count == programs.count else {
            throw ProgramFault("both files of --config are of the same program: give one of each")
        }
        return programs
    }
}

extension [BackedProgram] {
    /// The fuser among them, to which the registry at the broker belongs; nil if there is none.
    var fuser: BackedProgram? { first { $0.program == .fuser } }
}

extension BackupManifest.Program {
    /// The kind of its state.
    var contents: StateStore.Contents { self == .agent ? .node : .house }
    /// The key of its name in its configuration.
    var nameKey: String { self == .agent ? "node" : "name" }
    /// The path of its configuration by default.
    var defaultPath: String { "/etc/whereabouts/\(rawValue).yaml" }
}
