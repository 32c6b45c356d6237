import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// `whereabouts fleet upgrade` with real agents, and a helper of the test's that starts them anew with another version.
    @Suite struct FleetUpgrade {
        @Test("Upgrade node by node, leave out what is offline or has no helper, and end when all have the version")
        func upgrade() async throws {
            let house = try await UpgradingHouse(withoutHelper: ["bedroom"])
            let tool = try house.upgrade(["--canary", "1", "--ring", "1"])
            #expect(try await house.serve(tool, within: 120) == 1, "\(tool.errors)\n\(tool.output)")
            #expect(house.served == ["kitchen", "living"])
            for words in [
                "without a helper: bedroom (0.1.0-989)", "came back with it: kitchen", "came back with it: living",
                "on each: systemctl enable --now whereabouts-upgrade.path", "done: 2 of 3 nodes have 0.1.0-990",
            ] { #expect(tool.output.contains(words), "\(words) in \(tool.output)") }
            #expect(house.recorder.latest["whereabouts/fleet/rollout"]?.payload == [])
            let again = try house.upgrade(["--json"])
            #expect(try await house.serve(again, within: 30) == 1)
            #expect(again.output.contains(#""step":"done","nodes":["kitchen","living"]"#), "\(again.output)")
            #expect(house.served == ["kitchen", "living"])
        }

        @Test("Stop where a node fails, ask no other one, and name the way back")
        func failure() async throws {
            let house = try await UpgradingHouse()
            house.failing = ["living"]
            let tool = try house.upgrade(["--canary", "1", "--ring", "1"])
            #expect(try await house.serve(tool, within: 120) == 1, "\(tool.errors)\n\(tool.output)")
            #expect(house.served == ["bedroom", "kitchen", "living"])
            #expect(tool.output.contains("not upgraded: node living: E: no space left"), "\(tool.output)")
            #expect(
                tool.output.contains("with 0.1.0-990: bedroom, kitchen; asked, and without it yet: living."),
                "\(tool.output)")
            #expect(tool.output.contains("--allow-downgrades whereabouts-agent=0.1.0-989"), "\(tool.output)")
            let status = try CommandLineTests.run("whereabouts", ["fleet", "status", "--broker", house.url])
            #expect(status.lines.contains { $0.contains("upgrade to 0.1.0-990 failed: E: no space left") })
        }

        @Test("Report a helper that takes no request, and refuse whoever is no administrator")
        func refusals() async throws {
            let house = try await UpgradingHouse()
            let command = #"{"id":"p","action":"upgrade","version":"0.1.0-990"}"#
            for topic in ["command", "operate/bert"] {
                house.recorder.publish(Message(topic: "whereabouts/nodes/kitchen/\(topic)", text: command))
                let isRefused = try await house.recorder.wait(20) {
                    $0.text("whereabouts/nodes/kitchen/command/result")?.contains(#""ok":false"#) == true
                }
                #expect(isRefused, "\(topic)")
            }
            let tool = try house.upgrade(["--canary-node", "kitchen"])
            // Nobody serves.
            #expect(try await tool.status(within: 60) == 1, "\(tool.errors)\n\(tool.output)")
            let words = "no node was upgraded: kitchen went offline, or has no helper"
            #expect(tool.errors.contains(words), "\(tool.errors)")
            #expect(house.requests.isEmpty && house.served.isEmpty)
        }
    }
}

/// Three agents of a simulated flat with a helper each, and a broker.
private final class UpgradingHouse {
    private static let topics = Topics()

    let recorder: Recorder
    /// The nodes whose requests were taken, in that order.
    private(set) var served: [String] = []
    /// The nodes whose helper fails.
    var failing: Set<String> = []
    var url: String { broker.url }

    private let broker: Broker
    private let deployment: Deployment
    private let scenario: String
    private var agents: [String: RunningProgram] = [:]

    /// The flat with things at rest: what a node receives a second changes by the upgrade alone.
    private static func scenario() throws -> String {
        let flat = try String(contentsOfFile: Deployment.flat, encoding: .utf8)
        let beacons = [(2, 1.5), (8, 2), (2, 5)].enumerated().map { number, place in
            "  - {id: thing-\(number), ibeacon: {uuid: 48534442-4C45-4144-80C0-1800FFFFFFF0, major: 100, minor: \(number + 1)}, "
                + "interval: 250ms, x: \(place.0), y: \(place.1), z: 1}"
        }
        return flat.components(separatedBy: "walkers:")[0] + "beacons:\n" + beacons.joined(separator: "\n") + "\n"
    }

    init(withoutHelper: Set<String> = []) async throws {
        broker = try Broker()
        deployment = try Deployment(broker)
        recorder = try Recorder(broker, qos: .atLeastOnce)
        scenario = try deployment.folder.write(Array(Self.scenario().utf8), to: "house.yaml")
        for node in Deployment.nodes {
            for folder in ["state-\(node)", "helper-\(node)"] {
                try FileManager.default.createDirectory(
                    atPath: deployment.folder.file(folder), withIntermediateDirectories: false)
            }
            if !withoutHelper.contains(node) { try write("{}\n", to: result(node)) }
            try start(node, "0.1.0-989")
        }
        let isReady = try await recorder.wait(60) { seen in
            Deployment.nodes.allSatisfy { node in
                guard let info = Self.info(node, seen) else { return false }
                return (info.upgrade != nil) != withoutHelper.contains(node)
                    && seen.latest["whereabouts/nodes/\(node)/scan"] != nil
            }
        }
        #expect(isReady, "\(agents.values.map(\.errors))")
    }

    private func result(_ node: String) -> String { deployment.folder.file("helper-\(node)/result") }
    private func request(_ node: String) -> String { deployment.folder.file("state-\(node)/upgrade-request") }

    private static func info(_ node: String, _ recorder: Recorder) -> NodeInfo? {
        recorder.latest[topics.nodeInfo(node)].flatMap { try? NodeInfo(payload: $0.payload.span) }
    }

    private func start(_ node: String, _ version: String) throws {
        let file = try deployment.agent(node, source: "simulate:\(scenario)")
        let environment = [
            "WHEREABOUTS_PACKAGE=\(version)", "WHEREABOUTS_UPGRADES=\(deployment.folder.file("helper-\(node)"))",
            "STATE_DIRECTORY=\(deployment.folder.file("state-\(node)"))",
        ]
        agents[node] = try RunningProgram("whereabouts-agent", ["--config", file], environment: environment)
    }

    func upgrade(_ words: [String]) throws -> RunningProgram {
        let pace = ["--baseline", "3s", "--wait", "12s", "--limit", "40s"]
        return try RunningProgram(
            "whereabouts", ["fleet", "upgrade", "0.1.0-990", "--yes", "--broker", url] + pace + words)
    }

    /// The nodes with a request that nothing took.
    var requests: [String] { Deployment.nodes.filter { readFile(request($0)) != nil } }

    /// Does what the helper does until the tool ends; returns the tool's exit status.
    func serve(_ tool: RunningProgram, within seconds: Double) async throws -> Int32? {
        _ = try await until(seconds) {
            for node in requests { try takeRequest(of: node) }
            recorder.poll()
            return !tool.isRunning
        }
        return try await tool.status(within: 1)
    }

    private func takeRequest(of node: String) throws {
        guard let version = readFile(request(node))?.split(separator: "\n").first else { return }
        served.append(node)
        try FileManager.default.removeItem(atPath: request(node))
        let isFailing = failing.contains(node)
        if !isFailing {
            // As systemctl restart.
            agents[node]?.process.terminate()
            _ = agents[node]?.process.wait()
            try start(node, String(version))
        }
        let after = isFailing ? "0.1.0-989" : version
        let error = isFailing ? #""error":"E: no space left","# : ""
        let text = #"{"version":"\#(version)","before":"0.1.0-989","after":"\#(after)",\#(error)"at":1700000000}"#
        _ = try deployment.folder.write(Array(text.utf8), to: "helper-\(node)/result")
    }
}
