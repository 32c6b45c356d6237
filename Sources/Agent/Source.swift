internal import HCI
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import Simulation
internal import System

/// The speed of a replay or a simulation.
enum Speed: Hashable, Sendable {
    /// The source's own speed, by default real time.
    case unsaid
    /// A multiple of real time.
    case times(Double)
    /// As fast as the broker accepts the messages.
    case max

    init(_ text: String?, command: String) throws {
        guard let text else {
            self = .unsaid
            return
        }
        if text == "max" {
            self = .max
        } else if let times = Double(text), (0.001...1_000_000).contains(times) {
            self = .times(times)
        } else {
            throw UsageError(
                command: command,
                faults: ["--speed takes a number from 0.001 to 1000000, or max; found '\(text)'"])
        }
    }
}

/// The source of a configuration, checked and not opened.
enum Source {
    case replay(files: [String], Speed)
    /// A stream: standard input (`-`) or a named pipe.
    case pipe(String)
    case simulation(SimulatedHouse, node: String, Speed)
    case adapter(AdapterChoice)

    /// - Parameters:
    ///   - node: the receiving node of a simulated house; nil for its first node.
    ///   - command: the program's name in usage errors.
    init(_ source: AgentSource, node: String?, _ speed: Speed, command: String) throws {
        switch source {
        case .replay(let files):
            guard let pipe = files.first(where: Files.isPipe) else {
                self = .replay(files: files, speed)
                return
            }
            if files.count > 1 {
                throw UsageError(command: command, faults: ["a pipe is replayed alone, not with other files: \(pipe)"])
            }
            if case .times = speed {
                throw UsageError(
                    command: command, faults: ["--speed takes no number for a pipe, which goes as fast as it is fed"])
            }
            self = .pipe(pipe)
        case .simulate(let path):
            let house = try SimulatedHouse(ScenarioFile.read(path))
            let nodes = house.scenario.nodes.map(\.id)
            guard let node = node ?? nodes.first, nodes.contains(node) else {
                let named = node.map { "no node '\($0)'; it has " } ?? "no node"
                throw UsageError(
                    command: command, faults: ["the house \(path) has \(named)\(nodes.joined(separator: ", "))"])
            }
            self = .simulation(house, node: node, speed)
        case .hci(let adapter):
            if speed != .unsaid {
                throw UsageError(command: command, faults: ["--speed is for replay: and simulate: alone"])
            }
            guard let choice = AdapterChoice(adapter) else {
                throw UsageError(
                    command: command,
                    faults: ["hci:\(adapter) is no adapter; give hci:auto, hci:hci0 or hci: and an adapter's address"])
            }
            self = .adapter(choice)
        }
    }

    /// The node of a simulated house.
    var nodeName: String? {
        if case .simulation(_, let node, _) = self { node } else { nil }
    }

    /// - Parameters:
    ///   - radio: the settings of an adapter's scan.
    ///   - adapter: the address that `hci:auto` stood for in an earlier run.
    ///   - log: the log for the changes of an adapter; without one it must be present now.
    func open(radio: RadioSettings = RadioSettings(), remembering adapter: String? = nil, log: Log? = nil) throws
        -> any PacketSource
    {
        switch self {
        case .replay(let files, let speed):
            return ReplaySource(files: files, speed: speed.factor(unsaid: 1))
        case .pipe(let path): return try PipeSource(path: path)
        case .simulation(let house, let node, let speed):
            return SimulationSource(house: house, node: node, speed: speed.factor(unsaid: house.scenario.speed))
        case .adapter(let choice):
            do {
                if log == nil { try AdapterSource.check(choice) }
                return try AdapterSource(choice, ScanSettings(radio), remembering: adapter, log: log)
            } catch {
                throw ProgramFault("source hci:\(choice): \(error); \(error.mend)")
            }
        }
    }
}

extension Speed {
    /// Seconds of the source's time in a second; nil for unpaced.
    fileprivate func factor(unsaid: Double) -> Double? {
        switch self {
        case .unsaid: unsaid
        case .times(let times): times
        case .max: nil
        }
    }
}
