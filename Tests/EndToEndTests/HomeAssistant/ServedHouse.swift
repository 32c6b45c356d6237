import Foundation
import Glibc
import Support
import Testing

/// A simulated flat with its programs, a broker, and a Home Assistant that they serve.
final class ServedHouse {
    static let scenario = Repository.root + "/Tests/Fixtures/coming-and-going.yaml"
    static let items = Repository.root + "/Tests/Fixtures/coming-and-going-items.yaml"

    let broker: Broker
    let core: HomeAssistantCore
    let deployment: Deployment
    private let scenario: String
    private(set) var programs: [String: RunningProgram] = [:]
    /// The lines that a core logs without us.
    private let baseline: Set<String>
    /// Lines of the core's log that were checked already.
    private var judged = 0

    /// A house of which only the broker has started; that of the fixtures, with the chosen release, by default.
    init(
        scenario: String = scenario, items: String = items, release: HomeAssistantCore.Release? = nil
    ) async throws {
        self.scenario = scenario
        broker = try Broker(["max_queued_messages 0"])
        core = try HomeAssistantCore(port: broker.port, release: release)
        baseline = try await Self.baselines.value(of: core.release)
        deployment = try Deployment(broker, items: items)
    }

    /// Starts a node's agent, or again with other lines in its configuration.
    func startAgent(_ node: String, _ more: [String] = []) throws {
        let lines = ["state: \(node).sqlite"] + Self.switched(more)
        let file = try deployment.agent(node, source: "simulate:\(scenario)", lines)
        programs[node] = try RunningProgram("whereabouts-agent", ["--config", file])
    }

    /// Starts a fuser, or again with other lines in its configuration.
    func startFuser(_ name: String = "main", _ more: [String] = []) throws {
        let lines = [
            "name: \(name)", "items: items.yaml", "away_after: 5s", "state: fuser-\(name).sqlite",
        ]
        let file = try deployment.file("fuser-\(name).yaml", lines + Self.switched(more))
        programs["fuser \(name)"] = try RunningProgram("whereabouts-fuser", ["--config", file])
    }

    /// Lines with the output switched on, unless they set it.
    private static func switched(_ lines: [String]) -> [String] {
        lines.contains { $0.hasPrefix("outputs:") } ? lines : lines + ["outputs: {home_assistant: true}"]
    }

    /// Ends a program as a service manager does; a fuser is `fuser NAME`.
    func stop(_ name: String) {
        programs[name]?.process.terminate()
        _ = programs[name]?.process.wait(atMost: 20)
        programs[name] = nil
    }

    /// Kills a program.
    func kill(_ name: String) {
        programs[name]?.process.send(SIGKILL)
        _ = programs[name]?.process.wait()
        programs[name] = nil
    }

    func stopAll() { for name in programs.keys { stop(name) } }

    /// Runs `whereabouts items`.
    func items(_ words: String...) throws {
        let outcome = try Execution.run(
            Execution.path(of: "whereabouts"), ["items"] + words + ["--broker", broker.url])
        guard outcome.status == 0 else { throw CoreFault(description: outcome.error) }
    }

    /// Waits until Home Assistant shows the house as it should be, and returns that report; deviations are an issue.
    @discardableResult
    func expect(
        _ wish: HouseWish, _ step: String, within seconds: Double = 90, _ location: SourceLocation = #_sourceLocation
    ) async throws -> Report {
        let (report, came) = try await core.wait(seconds) { wish.faults(in: $0).isEmpty }
        if !came {
            let faults = wish.faults(in: report).joined(separator: "\n  ")
            let logs = programs.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.errors.suffix(1500))" }
            Issue.record("\(step):\n  \(faults)\n\(logs.joined(separator: "\n"))", sourceLocation: location)
        }
        expectNoProblems(report, step, location)
        return report
    }

    /// Expects no lines beyond those that a core logs without us.
    func expectNoProblems(_ report: Report, _ step: String, _ location: SourceLocation = #_sourceLocation) {
        let new = report.problems.dropFirst(judged).filter { !baseline.contains($0) }
        judged = report.problems.count
        #expect(new.isEmpty, "\(step)", sourceLocation: location)
    }

    /// Ends the core; another one begins with its registries, and a log of its own.
    func stopCore() throws {
        try core.stop()
        judged = 0
    }

    /// The lines of a core at a broker without other clients: once for all tests of a run. The long ones take the
    /// broker away.
    private static let baselines = Once { (release: HomeAssistantCore.Release) in
        let broker = try Broker()
        let core = try HomeAssistantCore(port: broker.port, release: release)
        try await core.start()
        try await Task.sleep(for: .seconds(2))
        if Live.isFull {
            let recorder = try Recorder(broker, ["homeassistant/status"])
            _ = try await recorder.wait(30) { $0.text("homeassistant/status") == "online" }
            try broker.restart()
            _ = try await recorder.wait(5)
        }
        let problems = try core.report().problems
        try core.stop()
        return Set(problems)
    }
}

/// Values that are each made at their first request.
private actor Once<Key: Hashable & Sendable, Value: Sendable> {
    private let make: @Sendable (Key) async throws -> Value
    private var tasks: [Key: Task<Value, any Error>] = [:]

    init(_ make: @escaping @Sendable (Key) async throws -> Value) { self.make = make }

    // The first request starts it, and it ends by itself.
    func value(of key: Key) async throws -> Value {
        let task = tasks[key] ?? Task { try await make(key) }
        tasks[key] = task
        return try await task.value
    }
}
