internal import Bytes
internal import Integrations
internal import BrokerSession
internal import Configuration
internal import Identity
internal import WireProtocol

/// The node's discovery documents for Home Assistant.
struct NodeDiscovery {
    var desk: DiscoveryClient
    private let node: String
    private var area: String
    private let hasRadio: Bool
    private let topics: Topics
    /// The regions of its configuration: their entities of the older form are taken over.
    private let configured: [String]
    private var regions: [String]?

    /// - Parameters:
    ///   - area: the area that is suggested for it.
    ///   - regions: the ids of the regions in the configuration.
    init(_ desk: DiscoveryClient, node: String, area: String, regions: [String], hasRadio: Bool, topics: Topics) {
        (self.desk, self.node, self.area, self.hasRadio, self.topics) = (desk, node, area, hasRadio, topics)
        configured = regions
    }

    /// The discovery of a configured node.
    init(_ desk: DiscoveryClient, _ configuration: AgentConfiguration, hasRadio: Bool) {
        self.init(
            desk, node: configuration.node, area: Self.area(of: configuration),
            regions: configuration.regions.map(\.id), hasRadio: hasRadio,
            topics: Topics(prefix: configuration.topicPrefix))
    }

    /// Adopts the area of a configuration.
    mutating func use(_ configuration: AgentConfiguration) {
        let area = Self.area(of: configuration)
        guard area != self.area else { return }
        self.area = area
        desk.discovery.markWanted(DiscoveryPlace.node(node))
    }

    private static func area(of configuration: AgentConfiguration) -> String {
        configuration.homeAssistant.area ?? DiscoveryDocument.name(of: configuration.room)
    }

    /// The topic filters to subscribe to: its own documents, since those of the whole house are thousands.
    var subscriptions: [String] {
        let own = DiscoveryPlace.node(node)
        return desk.subscriptions { place in
            ([own] + desk.formerDevices).map(place.device) + place.singles(ofNode: node, regions: configured)
        }
    }

    /// Carries out the steps that are due at `now`.
    mutating func performDueSteps(regions: () -> [String], version: String, at now: MonotonicTime)
        -> DiscoveryClient.Steps
    {
        let own = DiscoveryPlace.node(node)
        if desk.looks(at: now) {
            let found = regions()
            if found != self.regions {
                self.regions = found
                desk.discovery.markWanted(own)
            }
        }
        let (node, area, hasRadio, topics, found) = (node, area, hasRadio, topics, self.regions ?? [])
        return desk.performDueSteps(
            at: now, owns: { $0 == own },
            describe: { object in
                guard object == own else { return nil }
                return .node(node, area: area, version: version, regions: found, hasRadio: hasRadio, topics: topics)
            })
    }
}
