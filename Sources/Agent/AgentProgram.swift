internal import BrokerSession
internal import Bytes
public import CommandLine
internal import Configuration
internal import WireProtocol
internal import System

/// The program `whereabouts-agent`, from its command line to its exit status.
public enum AgentProgram {
    /// The options of the program.
    public static let command = Command(
        "whereabouts-agent",
        summary: "Hear Bluetooth LE beacons on this gateway and publish windows of them over MQTT.",
        options: [
            CommandOption("--config", .text("FILE"), required: true, help: "the agent's configuration"),
            CommandOption("--check", help: "check the configuration, print every fault, and end"),
            CommandOption(
                "--log-level", .word(Log.Level.allCases.map(\.name)),
                help: "the least important lines that are logged; default info"),
            CommandOption(
                "--source", .text("SOURCE"),
                help: "hci:ADAPTER, replay:FILE[,FILE…], replay:- or simulate:SCENARIO, in place of the configuration's"
            ),
            CommandOption(
                "--speed", .text("N|max"), help: "the speed of a replay or simulation: a multiple of real time, or max"),
            CommandOption(
                "--record", .text("FILE"),
                help: "record what is received: at most 64 MiB, in FILE and, before that, FILE.1"),
        ],
        example: "whereabouts-agent --config /etc/whereabouts/agent.yaml",
        failure: "failure, or a recording that broke off")

    /// All commands: the program itself, and those that its first word may name.
    public static var commands: [Command] { [command, SetupCommand.command] }

    /// Runs the program; blocks until it ends. Returns an ``ExitStatus``.
    public static func run(_ words: [String], environment: [String: String]) -> Int32 {
        if words.first == SetupCommand.command.lastWord {
            return SetupCommand.run(Array(words.dropFirst()), environment: environment)
        }
        return Program.run(command, words) { arguments in
            let speed = try Speed(arguments.text("--speed"), command: command.name)
            let configuration = try load(arguments, environment)
            let source = try Source(
                configuration.source, node: configuration.node, speed, command: command.name)
            let log = Log(
                environment: environment, level: arguments.text("--log-level").flatMap(Log.Level.init(name:)) ?? .info,
                isJSON: configuration.logsJSON)
            Program.logWarnings(configuration.warnings, log)
            if arguments.has("--check") {
                try Session.validateFiles(configuration.mqtt)
                return 0
            }
            let reload = ConfigurationReload(configuration) {
                let new = try load(arguments, environment)
                try Session.validateFiles(new.mqtt)
                return new
            }
            return try start(reload, source, recording: arguments.text("--record"), environment, log)
        }
    }

    private static func load(_ arguments: Arguments, _ environment: [String: String]) throws -> AgentConfiguration {
        try AgentConfiguration.load(
            path: arguments.text("--config") ?? "", environment: environment, overriding: arguments.text("--source"))
    }

    private static func start(
        _ reload: ConfigurationReload<AgentConfiguration>, _ source: Source, recording: String?,
        _ environment: [String: String], _ log: Log
    ) throws -> Int32 {
        let configuration = reload.current
        // Made first: a signal during the opening of the state or the adapter then ends the program in good order.
        let loop = try RunLoop(reloads: true)
        let started = WallClock.now()
        let memory = try NodeMemory(path: configuration.state, node: configuration.node, at: started, log: log)
        let packets = try source.open(radio: configuration.radio, remembering: memory.adapter(), log: log)
        let recorder = try recording.map { try EventRecorder(to: $0, log: log) }
        let upgrades = UpgradeHelper(environment)
        var settings = NodeSettings(
            node: configuration.node, topicPrefix: configuration.topicPrefix,
            version: Program.version(environment), adapter: packets.adapter)
        settings.use(configuration)
        let topics = Topics(prefix: configuration.topicPrefix)
        let session = try Session(
            configuration.mqtt, clientID: topics.clientID("agent", configuration.node),
            statusTopic: topics.nodeStatus(configuration.node), log: log, rate: AgentService.rate)
        let reactions = NodeReactions(
            node: configuration.node, rules: configuration.alerts, reactions: configuration.reactions,
            remembering: memory.alerts())
        let registry = NodeRegistry(
            topics: topics, entries: memory.entries(), items: configuration.items,
            regions: reactions.watched(beside: configuration.regions),
            keys: NodeKeys(folders: configuration.keyFolders), log: log)
        let strangers = reactions.items.filter { registry.entry($0) == nil }
        if !strangers.isEmpty {
            log.write(
                .notice,
                "alerts or reactions wait for items that aren't registered yet: \(strangers.joined(separator: ", "))",
                about: strangers)
        }
        let overrides: NodeOverrides = memory.state.overrides()
        let keys = memory.keys()
        memory.forgetKeys(of: keys, besides: registry.keyedItems, at: started)
        var pipeline = NodePipeline(
            settings: settings.overridden(by: overrides), registry: registry.registry, epoch: memory.epoch,
            started: started, remembering: memory.remembered(), after: memory.lastInterval(), reactions: reactions,
            keys: keys)
        pipeline.radioEvents = RadioEvents(node: configuration.node, remembering: memory.radioAlert())
        _ = pipeline.description.use(registry.findings)
        let desk = memory.state.discoveryDesk(
            .node, name: configuration.node, prefix: configuration.topicPrefix,
            discoveryPrefix: configuration.discoveryPrefix, at: started)
        let service = try AgentService(
            pipeline: pipeline, configured: settings, overrides: overrides, registry: registry, memory: memory,
            discovery: NodeDiscovery(desk, configuration, hasRadio: packets.radio != nil),
            source: packets, recorder: recorder, session: session, loop: loop, log: log,
            notifier: ServiceNotifier(environment: environment))
        service.reload = reload
        service.upgrades = upgrades
        // All descriptors that need other rights are open, and no other thread runs yet.
        if case .adapter = source { try Capability.keep(only: [.networkAdministration, .rawSockets]) }
        if let settings = configuration.web {
            let page = try AgentPage(settings, wake: loop.wakeUp.signal)
            log.notice("metrics: \(page.address)")
            service.page = page
        }
        return try service.run()
    }
}
