internal import Daemon
internal import Identity
internal import Session
internal import Sightings
internal import Simulation

/// `whereabouts-agent`: from its command line to its exit status.
public enum AgentProgram {
    static let command = Command(
        "whereabouts-agent",
        summary: "Hear Bluetooth LE beacons on this gateway and publish windows of them over MQTT.",
        options: [
            CommandOption("--config", .text("FILE"), required: true, help: "the agent's configuration"),
            CommandOption("--check", help: "judge the configuration and open nothing"),
            CommandOption(
                "--source", .text("SOURCE"), help: "hci:ADAPTER, replay:FILE[,FILE…] or simulate:SCENARIO instead"),
            CommandOption("--speed", .text("N|max"), help: "of a replay or simulation: times real time, or max"),
            CommandOption("--record", .text("FILE"), help: "keep what is heard (comes with the radio)"),
        ])

    /// Runs the program; blocks until it ends. 0 good, 1 failed, 2 wrong usage or configuration.
    public static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let speed = try Speed(arguments.text("--speed"), command: command.name)
            let configuration = try AgentConfiguration.load(
                path: arguments.text("--config") ?? "", environment: environment,
                overriding: arguments.text("--source"))
            let source = try Source(
                configuration.source, node: configuration.node, speed, command: command.name)
            let log = Log(environment: environment)
            Program.tell(configuration.warnings, withoutEffect: configuration.withoutEffect, log)
            if arguments.has("--check") { return 0 }
            if arguments.has("--record") { throw ProgramFault("--record needs the radio, which this version hasn't") }
            return try start(configuration, source, environment, log)
        }
    }

    private static func start(
        _ configuration: AgentConfiguration, _ source: Source, _ environment: [String: String], _ log: Log
    ) throws -> Int32 {
        let packets = try source.open(radio: configuration.radio, log: log)
        let loop = try RunLoop()
        var settings = NodeSettings(
            node: configuration.node, room: configuration.room, topicPrefix: configuration.topicPrefix,
            version: Version.current, adapter: packets.adapter)
        settings.window = configuration.window.microseconds
        settings.publishesAll = configuration.publish == .all
        let session = try Session(
            configuration.mqtt, clientID: "whereabouts-agent-\(configuration.node)",
            statusTopic: Topics(prefix: configuration.topicPrefix).nodeStatus(configuration.node), log: log)
        let started = WallClock.now()
        let memory = try NodeMemory(path: configuration.state, node: configuration.node, at: started, log: log)
        let registry = NodeRegistry(
            topics: Topics(prefix: configuration.topicPrefix), entries: memory.entries(), items: configuration.items,
            regions: configuration.regions, log: log)
        let pipeline = NodePipeline(
            settings: settings, registry: registry.registry, epoch: memory.epoch, started: started,
            remembering: memory.remembered())
        let service = AgentService(
            pipeline: pipeline, registry: registry, memory: memory, source: packets, session: session, loop: loop,
            log: log, notifier: ServiceNotifier(environment: environment))
        // Everything that needs other rights is open, and no other thread runs yet.
        if case .adapter = source { try Capability.keep(only: [.networkAdministration, .rawSockets]) }
        return try service.run()
    }
}
