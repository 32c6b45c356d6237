internal import Daemon
internal import Neighbours
internal import Sightings

/// The node as Home Assistant is told of it.
struct NodeDiscovery: Sendable {
    /// Nanoseconds between two looks at whether there are other regions.
    private static let pause: Int64 = 1_000_000_000

    private(set) var discovery: Discovery
    private let node: String
    private let area: String
    private let hasRadio: Bool
    private let topics: Topics
    /// Names that the node had before …
    var former: Set<String> = []
    /// … and those among them that nobody else has now.
    private var released: Set<String> = []
    private var regions: [String]?
    private var looksAt: Int64 = 0

    /// - Parameter row: what an earlier run kept.
    init(_ configuration: AgentConfiguration, hasRadio: Bool, keeping row: String?) {
        node = configuration.node
        topics = Topics(prefix: configuration.topicPrefix)
        area = configuration.homeAssistant.area ?? DiscoveryDocument.name(of: configuration.room)
        self.hasRadio = hasRadio
        discovery = Discovery(
            prefix: configuration.discoveryPrefix,
            topicPrefix: configuration.topicPrefix, kinds: [DiscoveryPlace.node("")], name: configuration.node,
            keeping: row)
    }

    /// What is to be subscribed to: its own documents, since all of the house are thousands.
    var subscriptions: [String] {
        let object = DiscoveryPlace.node(node)
        return discovery.subscriptions { place in
            ([object] + former.sorted().map(DiscoveryPlace.node)).map(place.device)
                + DiscoveryDocument.nodeKeys.map { place.single("+", object, $0) }
        }
    }

    /// When `turn` has something to do; nil where nothing is open.
    var nextDeadline: Int64? {
        [discovery.book == nil ? nil : looksAt, discovery.nextDeadline].compactMap { $0 }.min()
    }

    /// A connection was made.
    mutating func connected(at now: Int64) { discovery.connected(at: now) }

    /// Takes a message; whether it is of discovery alone.
    mutating func receive(_ message: Message, at now: Int64) -> Bool { discovery.receive(message, at: now) }

    /// Says that nobody else has a former name: what stands under it is this node's to clear.
    mutating func release(_ topic: String) {
        let name: String
        switch topics.kind(of: topic) {
        case .nodeStatus(let node), .nodeInfo(let node): name = node
        default: return
        }
        guard former.contains(name), released.insert(name).inserted else { return }
        discovery.look(at: DiscoveryPlace.node(name))
    }

    /// Lets time pass.
    mutating func turn(regions: () -> [String], version: String, at now: Int64) -> DiscoveryBook.Steps {
        let own = DiscoveryPlace.node(node)
        if discovery.book != nil, now >= looksAt {
            looksAt = now + Self.pause
            let found = regions()
            if found != self.regions {
                self.regions = found
                discovery.want(own)
            }
        }
        guard let due = discovery.nextDeadline, now >= due else { return DiscoveryBook.Steps() }
        let document = DiscoveryDocument.node(
            node, area: area, version: version, regions: self.regions ?? [], hasRadio: hasRadio, topics: topics)
        let mine = released.map(DiscoveryPlace.node) + [own]
        return discovery.advance(to: now, owns: mine.contains, describe: { $0 == own ? document : nil })
    }
}
