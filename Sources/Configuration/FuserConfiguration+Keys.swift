internal import Alerts
internal import Identity
internal import WireProtocol

/// The keys of a fuser's file.
extension FuserConfiguration: ReloadableConfiguration {
    /// All keys, in the order of the file's description. One expression would be too long for Swift 6.2 to check its types.
    public static let configuredKeys: [ConfiguredKey<FuserConfiguration>] =
        Array(keysBySection.joined())

    private static let keysBySection: [[ConfiguredKey<FuserConfiguration>]] = [
        programKeys, brokerKeys { $0.mqtt }, houseKeys, inputKeys, outputKeys, homeAssistantKeys, neighbourKeys,
        pageKeys,
    ]

    private static let programKeys: [ConfiguredKey<FuserConfiguration>] = [
        .atStart("name") { $0.name },
        .atStart("topic_prefix") { $0.topicPrefix },
        .atRunTime("items", { ItemsFileContent($0.itemsFile, $0.items) }) {
            ($0.itemsFile, $0.items) = ($1.itemsFile, $1.items)
        },
        .atRunTime("away_after", { $0.awayAfter }) { $0.awayAfter = $1.awayAfter },
        .atRunTime("detect_clones", { $0.detectsClones }) { $0.detectsClones = $1.detectsClones },
        .atStart("shards") { $0.shards },
        .atStart("state") { $0.state },
        .atStart("history.keep") { $0.history },
        .atStart("history.audit") { $0.auditAge },
        .atStart("history.postgres.connection") { $0.postgres?.connection },
        .atStart("history.postgres.password_file") { $0.postgres?.password },
        .atStart("history.postgres.keep") { $0.postgres?.keep },
        .atRunTime("log", { $0.logsJSON }) { $0.logsJSON = $1.logsJSON },
    ]

    private static let houseKeys: [ConfiguredKey<FuserConfiguration>] = [
        .atRunTime("rooms", { $0.rooms }) { $0.rooms = $1.rooms },
        .atRunTime("nodes", { $0.nodes }) { $0.nodes = $1.nodes },
        .atRunTime("persons", { $0.persons }) { $0.persons = $1.persons },
        .atRunTime("alerts", { $0.alerts }) { $0.alerts = $1.alerts },
    ]

    private static let inputKeys: [ConfiguredKey<FuserConfiguration>] = Input.allCases.map { input in
        .atStart("inputs.\(input.rawValue)") { $0.inputs.contains(input) }
    }

    private static let outputKeys: [ConfiguredKey<FuserConfiguration>] = Output.allCases.map { output in
        .atStart("outputs.\(output.rawValue)") { $0.outputs.contains(output) }
    }

    private static let homeAssistantKeys: [ConfiguredKey<FuserConfiguration>] = [
        .atStart("home_assistant.discovery_prefix") { $0.homeAssistant.discoveryPrefix },
        .atRunTime("home_assistant.tracker", { $0.homeAssistant.tracker }) {
            $0.homeAssistant.tracker = $1.homeAssistant.tracker
        },
        .atRunTime("home_assistant.zone", { $0.homeAssistant.zone }) {
            $0.homeAssistant.zone = $1.homeAssistant.zone
        },
    ]

    private static let neighbourKeys: [ConfiguredKey<FuserConfiguration>] =
        Input.allCases.map { input in
            .atStart("neighbours.topics.\(input.rawValue)") { $0.neighbours.topics[input.rawValue] }
        } + [.atStart("neighbours.aliases") { $0.neighbours.aliases }]

    private static let pageKeys: [ConfiguredKey<FuserConfiguration>] = [
        // A page that begins or ends takes its other keys along.
        .atStart("web.listen") { $0.web?.listen },
        ConfiguredKey(
            path: "web.token_file", effect: .atRunTime,
            differs: { old, new in
                guard let old = old.web, let new = new.web else { return false }
                return old.tokens != new.tokens
            },
            adopt: { if let web = $1.web { $0.web?.tokens = web.tokens } }),
        .atStart("web.certificate") { $0.web?.certificate?.chain },
        .atStart("web.key") { $0.web?.certificate?.key },
        .atStart("web.files") { $0.web?.files ?? PageSettings.installedFiles },
        .atStart("web.metrics_items") { $0.web?.countsItems ?? false },
        .atStart("web.prefix") { $0.web?.prefix ?? "" },
        .atStart("web.ingress") { $0.web?.ingress ?? [] },
        .atStart("web.sites") { $0.web?.sites },
    ]
}
