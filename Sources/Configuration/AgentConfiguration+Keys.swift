internal import Alerts
internal import Identity

/// The keys of an agent's file.
extension AgentConfiguration: ReloadableConfiguration {
    /// All keys, in the order of the file's description.
    public static let configuredKeys: [ConfiguredKey<AgentConfiguration>] =
        [
            .atStart("node") { $0.node },
            .atRunTime("room", { $0.room }) { $0.room = $1.room },
            .atStart("source") { $0.source },
            .atStart("topic_prefix") { $0.topicPrefix },
            .atRunTime("window", { $0.window }) { $0.window = $1.window },
            .atRunTime("publish", { $0.publish }) { $0.publish = $1.publish },
            .atRunTime("offset_db", { $0.offset }) { $0.offset = $1.offset },
            .atRunTime("items", { ItemsFileContent($0.itemsFile, $0.items) }) {
                ($0.itemsFile, $0.items) = ($1.itemsFile, $1.items)
            },
            .atRunTime("keys", { $0.keyFolders }) { $0.keyFolders = $1.keyFolders },
            .atStart("state") { $0.state },
            .atRunTime("log", { $0.logsJSON }) { $0.logsJSON = $1.logsJSON },
        ] + brokerKeys { $0.mqtt } + [
            .atStart("radio.scan") { $0.radio.scan },
            .atStart("radio.interval") { $0.radio.interval },
            .atStart("radio.duty") { $0.radio.duty },
            .atStart("radio.phy") { $0.radio.phy },
            .atStart("radio.channel") { $0.radio.channel },
            .atRunTime("regions", { RegionsWithReactions($0.regions, $0.reactions.filter(\.isOfRegion)) }) { old, new in
                old.regions = new.regions
                old.reactions = old.reactions.filter { !$0.isOfRegion } + new.reactions.filter(\.isOfRegion)
            },
            .atRunTime("alerts", { $0.alerts }) { $0.alerts = $1.alerts },
            .atRunTime("reactions", { $0.reactions.filter { !$0.isOfRegion } }) { old, new in
                old.reactions = old.reactions.filter(\.isOfRegion) + new.reactions.filter { !$0.isOfRegion }
            },
            .atStart("outputs.home_assistant") { $0.outputs.contains(.homeAssistant) },
            .atStart("outputs.espresense") { $0.outputs.contains(.espresense) },
            .atStart("outputs.mqtt_room") { $0.outputs.contains(.mqttRoom) },
            .atStart("home_assistant.discovery_prefix") { $0.homeAssistant.discoveryPrefix },
            .atRunTime("home_assistant.area", { $0.homeAssistant.area }) {
                $0.homeAssistant.area = $1.homeAssistant.area
            },
            .atStart("neighbours.topics.espresense") { $0.neighbours.topics["espresense"] },
            .atStart("neighbours.topics.mqtt_room") { $0.neighbours.topics["mqtt_room"] },
            // A page that begins or ends takes its token along.
            .atStart("web.listen") { $0.web?.listen },
            ConfiguredKey(
                path: "web.token_file", effect: .atRunTime,
                differs: { old, new in
                    guard let old = old.web, let new = new.web else { return false }
                    return old.token != new.token
                },
                adopt: { if let web = $1.web { $0.web?.token = web.token } }),
        ]
}

/// The name of an items file and its content, which may change without the name.
struct ItemsFileContent: Equatable {
    private let path: String?
    private let items: [Item]

    init(_ path: String?, _ items: [Item]) { (self.path, self.items) = (path, items) }
}

/// Regions with the reactions that stand in them.
private struct RegionsWithReactions: Equatable {
    let regions: [Region]
    let reactions: [Reactions]

    init(_ regions: [Region], _ reactions: [Reactions]) { (self.regions, self.reactions) = (regions, reactions) }
}

extension Reactions {
    /// True if they are of a region, and stand in it.
    fileprivate var isOfRegion: Bool {
        switch subject {
        case .region: true
        case .item: false
        }
    }
}
