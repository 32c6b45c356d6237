internal import BrokerSession
internal import Bytes
public import CommandLine
internal import Configuration
internal import HouseTracking
internal import LongHistory
internal import Sites
internal import System
internal import WebInterface
internal import WireProtocol

/// `whereabouts-fuser`: from its command line to its exit status.
public enum FuserProgram {
    /// The options that it takes.
    public static let command = Command(
        "whereabouts-fuser", summary: "Decide which room each item is in, from what all agents publish over MQTT.",
        options: [
            CommandOption("--config", .text("FILE"), required: true, help: "the fuser's configuration"),
            CommandOption("--check", help: "check the configuration, print every fault, and end"),
            CommandOption(
                "--log-level", .word(Log.Level.allCases.map(\.name)),
                help: "the least important lines that are logged; default info"),
        ],
        example: "whereabouts-fuser --config /etc/whereabouts/fuser.yaml")

    /// Runs the program; blocks until it ends. Returns an ``ExitStatus``.
    public static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let path = arguments.text("--config") ?? ""
            let file = try FuserConfiguration.load(path: path, environment: environment)
            let log = Log(
                environment: environment, level: arguments.text("--log-level").flatMap(Log.Level.init(name:)) ?? .info,
                isJSON: file.logsJSON)
            Program.logWarnings(file.warnings, withoutEffect: file.withoutEffect, log)
            let sites = try file.web?.sites.map { path in
                try SitesFile.load(path: path, environment: environment) { log.warning("\($0)") }
            }
            if let settings = file.web { try Page.validateFiles(settings) }
            if arguments.has("--check") {
                try Session.validateFiles(file.mqtt)
                if let settings = file.postgres {
                    try HistorySettings.validate(connection: settings.connection)
                }
                return 0
            }
            let loop = try RunLoop(reloads: true)
            let topics = Topics(prefix: file.topicPrefix)
            let session = try Session(
                file.mqtt, clientID: topics.clientID("fuser", file.name),
                statusTopic: topics.fuserStatus(file.name), log: log, rate: FuserService.rate,
                incoming: FuserService.incoming)
            let memory = try FuserMemory(
                path: file.state, history: file.history, audit: file.auditAge, at: WallClock.now(), log: log,
                isExported: file.postgres != nil)
            let overrides: FuserOverrides = memory.state.overrides()
            overrides.logPrecedence(log)
            let configuration = file.overridden(by: overrides)
            let desk = memory.state.discoveryDesk(
                .fuser, name: configuration.name, prefix: configuration.topicPrefix,
                discoveryPrefix: configuration.discoveryPrefix, at: WallClock.now())
            let pipeline = FuserPipeline(
                settings: Household.Settings(configuration, epoch: memory.epoch), items: configuration.items,
                topicPrefix: configuration.topicPrefix, shards: configuration.shards.range,
                isPooled: configuration.shards == .shared, alerts: configuration.alerts,
                remembering: memory.remembered(), lessons: memory.lessons(),
                undoneLessons: memory.undoneLessons(), alertMemory: memory.alerts(),
                run: (0..<4).map { _ in SystemRandom.epoch() }.joined(), positions: memory.positions(),
                persons: configuration.persons, personMemory: memory.persons(), plan: memory.plan(),
                batteryMemory: memory.batteries(), formerNames: desk.former.names,
                counting: configuration.web.map { $0.countsItems ? .items : .house } ?? .nothing,
                detectsClones: configuration.detectsClones)
            pipeline.listen(to: configuration, log)
            let version = Program.version(environment)
            let page = try configuration.web.map { settings in
                try ServedPage(
                    settings, of: configuration, version: version, topics: topics, ended: memory.endedSessions(),
                    sites: sites.map { try SitesWatch($0, name: topics.clientID("sites", configuration.name)) },
                    wakeUp: loop.wakeUp)
            }
            let history = try HistorySettings(configuration).map { settings in
                if let remark = HistorySettings.remark(on: settings.connection) {
                    log.warning("the long history: \(remark)")
                }
                return try HistoryExport(
                    settings, memory: memory, log: log, at: MonotonicClock.now(), wakeUp: loop.wakeUp.signal)
            }
            if let page { log.notice("the page is at \(page.address)") }
            let reload = ConfigurationReload(file) {
                let new = try FuserConfiguration.load(path: path, environment: environment)
                try Session.validateFiles(new.mqtt)
                if let settings = new.web { try Page.validateFiles(settings) }
                return new
            }
            var description = HouseDescription(configuration, topics: topics)
            description.version = version
            let service = FuserService(
                pipeline: pipeline,
                failover: FailoverCoordinator(
                    name: configuration.name, shards: configuration.shards.range,
                    isPooled: configuration.shards == .shared),
                memory: memory, configuration: ConfigurationInForce(reload, overrides),
                discovery: HouseDiscovery(desk, description),
                session: session, loop: loop, log: log,
                notifier: ServiceNotifier(environment: environment),
                externalKeys: { FuserPipeline.externalKeys(of: configuration, log) }, page: page,
                history: history)
            service.version = version
            return try service.run()
        }
    }
}
