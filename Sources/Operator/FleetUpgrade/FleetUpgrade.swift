internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import WireProtocol

/// `whereabouts fleet upgrade`: has a few nodes install a version, watches, and goes on ring by ring.
enum FleetUpgrade {
    static let command = Command(
        "whereabouts fleet upgrade",
        summary: "Have the nodes install a version: a few first, then ring by ring if the house stays healthy.",
        positionals: Command.Positionals("VERSION", 1...1, help: "the version of the packages, such as 0.1.0-989"),
        options: BrokerChoice.houseOptions + FleetPace.options + [
            CommandOption(
                "--ring", .integer("PERCENT", 1...100), help: "the nodes of each further stage, of all; default: 25"),
            CommandOption(
                "--limit", FleetPace.duration, help: "how long a node may take to come back with it; default: 10m"),
            CommandOption(
                "--json",
                help:
                    "print an object a line: step (plan, baseline, silent, asked, set, good, worse, stopped, pending, "
                    + "unable, done), nodes, fusers if there are any, words, or of worse faults (measure, node, fuser "
                    + "or room, before, after)"),
        ],
        example: "whereabouts fleet upgrade 0.1.0-989 --canary-node kitchen",
        failure: "a node did not come back with the version, has no helper, or the health became worse")

    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let pace = try FleetPace(arguments, command.name)
            guard let version = DebianVersion(arguments.positionals[0]) else {
                throw UsageError(
                    command: command.name,
                    faults: ["'\(arguments.positionals[0])' is no version of a package, such as 0.1.0-989"])
            }
            let desk = try FleetDesk(arguments, environment: environment)
            defer { desk.end() }
            let plan = UpgradePlan(
                version, canaries: pace.namedCanaries, count: pace.canaryCount, ring: arguments.integer("--ring") ?? 25)
            var run = UpgradeRun(
                desk: desk, plan: plan, report: FleetReport(isJSON: arguments.has("--json")), pace: pace,
                limit: FleetPace.seconds(arguments, "--limit") ?? 600)
            try desk.readNodes(isWhole: true)
            try desk.readRollout(isWhole: true)
            run.printPlan()
            let idle = plan.idleCanaries(desk.nodes)
            guard idle.isEmpty else {
                throw UsageError(
                    command: command.name,
                    faults: idle.map { "--canary-node \($0): it is offline, has no helper, or has a later version" })
            }
            guard !plan.nextStage(desk.nodes).isEmpty else { return run.finish() }
            if pace.asks { try desk.ask("Upgrade these?") }
            return try run.run()
        }
    }
}
