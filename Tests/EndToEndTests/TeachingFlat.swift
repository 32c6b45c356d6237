import Support

/// The simulated flat to teach in: its broker and its agents, and a fuser's configuration.
struct TeachingFlat {
    let broker: Broker
    let deployment: Deployment
    let fuser: String
    let agents: [RunningProgram]

    init() throws {
        broker = try Broker()
        let teaching = Repository.root + "/etc/examples/teaching"
        let deployment = try Deployment(broker)
        self.deployment = deployment
        agents = try Deployment.nodes.map { node in
            let lines = [
                "node: \(node)", "source: simulate:\(teaching)/house.yaml", "items: \(teaching)/items.yaml",
            ]
            return try RunningProgram(
                "whereabouts-agent", ["--config", deployment.file("\(node).yaml", lines)])
        }
        fuser = try Self.fuser("main", in: deployment)
    }

    /// The configuration of a fuser that stores its state.
    static func fuser(_ name: String, in deployment: Deployment) throws -> String {
        try deployment.file(
            "\(name).yaml",
            [
                "name: \(name)", "items: \(Repository.root)/etc/examples/teaching/items.yaml", "state: \(name).sqlite",
                "rooms:",
                "  - {id: kitchen, name: Kitchen, next_to: [hall]}",
                "  - {id: living, name: Living room, next_to: [hall]}",
                "  - {id: bedroom, name: Bedroom, next_to: [hall]}", "  - {id: hall, name: Hall}",
            ])
    }

    func startFuser() throws -> RunningProgram {
        try RunningProgram("whereabouts-fuser", ["--config", fuser])
    }

    /// The output of a command, with lines typed into it; asked of the fuser of this configuration.
    func say(_ words: [String], typed: String = "", to fuser: String? = nil) throws -> Execution.Outcome {
        try Execution.run(
            Execution.path(of: "whereabouts"), words + ["--config", fuser ?? self.fuser], input: Array(typed.utf8))
    }

    /// Waits until an item has a location.
    func heard(_ item: String, by fuser: String? = nil) async throws -> Bool {
        try await until(60) {
            String(decoding: try say(["why", item], to: fuser).output, as: UTF8.self).contains(" is in ")
        }
    }
}
