import Foundation
import Support
import Testing

/// A program of ours as it is built, or one at an absolute path, running beside the test, with its output and its log in files.
final class RunningProgram {
    let process: ChildProcess
    private let outputPath: String
    private let errorPath: String
    // Its files lie there.
    private let folder: TemporaryFolder

    init(_ name: String, _ arguments: [String], environment: [String]? = nil) throws {
        folder = try TemporaryFolder()
        outputPath = folder.file("output")
        errorPath = folder.file("errors")
        process = try ChildProcess(
            name.hasPrefix("/") ? name : Execution.path(of: name), arguments, environment: environment,
            output: outputPath, errors: errorPath)
    }

    var output: String { readFile(outputPath) ?? "" }
    var errors: String { readFile(errorPath) ?? "" }
    var isRunning: Bool { process.isRunning }

    /// Its exit status if it ends by itself within `seconds`; nil otherwise.
    func status(within seconds: Double) async throws -> Int32? {
        try await until(seconds) { !process.isRunning } ? process.wait() : nil
    }

    /// Lines of its log that contain a text.
    func logged(_ words: String) -> Int {
        errors.split(separator: "\n").count { $0.contains(words) }
    }

    /// Resident memory in KiB (`VmRSS` of proc(5)).
    var resident: Int? {
        readFile("/proc/\(process.processID)/status")?.split(separator: "\n")
            .first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").compactMap { Int($0) }.first
    }
}

/// The folder of the configurations of one test.
struct Deployment {
    let folder: TemporaryFolder
    let url: String

    /// Items are those of the simulated flat unless another file names them.
    init(_ broker: Broker, items: String = Repository.root + "/etc/examples/simulation/items.yaml") throws {
        folder = try TemporaryFolder()
        url = broker.url
        try FileManager.default.copyItem(atPath: items, toPath: folder.file("items.yaml"))
    }

    /// An agent's configuration; `more` are further lines.
    func agent(_ node: String, source: String, _ more: [String] = []) throws -> String {
        try file("\(node).yaml", ["node: \(node)", "source: \"\(source)\"", "items: items.yaml"] + more)
    }

    /// The fuser's configuration, with the rooms of the simulated flat.
    func fuser() throws -> String {
        try file(
            "fuser.yaml",
            [
                "name: main", "items: items.yaml", "rooms:",
                "  - {id: kitchen, name: Kitchen, next_to: [hall]}",
                "  - {id: living, name: Living room, next_to: [hall]}",
                "  - {id: bedroom, name: Bedroom, next_to: [hall]}",
                "  - {id: hall, name: Hall}",
            ])
    }

    /// A fuser's configuration under another name, which reaches the broker by another way.
    func fuser(_ name: String, url: String) throws -> String {
        try file("\(name).yaml", ["name: \(name)", "items: items.yaml"], url: url)
    }

    /// A configuration of these lines and the broker.
    func file(_ name: String, _ lines: [String], url: String? = nil) throws -> String {
        let text = (lines + ["mqtt: {url: \"\(url ?? self.url)\"}"]).joined(separator: "\n") + "\n"
        return try folder.write(Array(text.utf8), to: name)
    }

    static let flat = Repository.root + "/etc/examples/simulation/house.yaml"
    static let nodes = ["kitchen", "living", "bedroom"]

    /// Agents of one simulated world; those of the flat by default.
    func startAgents(_ nodes: [String] = nodes, in scenario: String = flat) throws -> [RunningProgram] {
        try nodes.map {
            try RunningProgram("whereabouts-agent", ["--config", agent($0, source: "simulate:\(scenario)")])
        }
    }

    func startFuser() throws -> RunningProgram {
        try RunningProgram("whereabouts-fuser", ["--config", fuser()])
    }
}

/// Tests that start programs and a broker; a few at a time, since they compete for the processor.
@Suite("The programs as they are built", .inTurn, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
enum Live {}

extension Live {
    /// True if the long proofs are requested.
    static var isFull: Bool { LongProofs.areRequested }

    /// Seconds that a test waits for a result that is promised within so many seconds. The long proofs, which run one
    /// by one, enforce the promise; beside other tests part of the time goes to waiting for a processor.
    static func promised(_ seconds: Double) -> Double { isFull ? seconds : 2 * seconds }
}
