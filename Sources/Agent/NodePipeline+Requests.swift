internal import Alerts
public import Bytes
public import Identity
internal import Presence
public import WireProtocol

/// What commands and the broker ask of a node while it runs.
extension NodePipeline {
    /// Puts other settings in force, from the next interval on, which says so in `info`. Node, room, topics, version
    /// and adapter stay.
    public mutating func use(_ settings: NodeSettings) {
        nextSettings = settings
    }

    /// Puts another registry in force, from the next interval on: a window belongs to one of them.
    public mutating func use(_ registry: Registry) {
        nextRegistry = registry
    }

    /// Has `info` tell what is found of the registry; whether that is news.
    public mutating func tell(_ findings: RegistryFindings) -> Bool {
        defer { self.findings = findings }
        return findings != self.findings
    }

    /// Says that the broker retains what an earlier run has published of a beacon's proximity. From the next interval on
    /// it is this run's, or withdrawn where the registry knows no such item.
    public mutating func inherit(proximityOf beacon: String) {
        guard inherited.count < ProximityTable.capacity else { return }
        inherited.append(beacon)
    }

    /// Whether a region's state is this node's to tell.
    public func watches(_ region: String) -> Bool {
        Region.implicitItem(of: region) == nil
            && (nextRegistry ?? listener.resolver.currentRegistry).regions.contains { $0.id == region }
    }

    /// Tells states anew as `determined`: of the region with this id, or of all. Throws where there is no such region.
    public mutating func determine(_ region: String?, at time: Timestamp) throws(CommandFault) {
        let regions = listener.resolver.currentRegistry.regions
        let place = region.flatMap { id in regions.firstIndex { $0.id == id } }
        if let region, place == nil {
            throw .failed("there is no region '\(region)'\(Self.hint(of: regions))")
        }
        presence?.determine(place.map { Int32($0) }, at: time)
    }

    /// Whom a command is about.
    func subjects(_ subject: NodeCommand.Subject) -> [Crossing.Subject] {
        switch subject {
        case .item(let id): [.item(id)]
        case .region(let id): [.region(id)]
        case .all: presence?.subjects ?? []
        }
    }

    /// Keeps an item's alerts, or what is done about an item or a region, quiet for so many microseconds.
    mutating func silence(
        _ subject: Crossing.Subject, for duration: Int64, at time: Timestamp
    ) throws(CommandFault) {
        guard presence != nil else { throw .failed("the node hasn't begun to listen; ask again") }
        try presence?.silence(subject, for: duration, at: time)
    }

    /// Lets the next effects tell all that is to be remembered, as for a new store.
    public mutating func rememberAll() {
        presence?.rememberAll()
        radioEvents.rememberAll()
        listener.resolver.rememberAllKeys()
    }

    /// Begins to listen for unregistered beacons. Throws where too many requests are open.
    public mutating func openNearby(
        _ command: NodeCommand, reply: ReplyAddress, at time: Timestamp
    ) throws(CommandFault) {
        try nearby.open(command, reply: reply, at: time)
    }

    /// The answers to `nearby` requests whose time is over, and where they go; each given once.
    public mutating func takeNearby(at time: Timestamp) -> [(result: CommandResult, reply: ReplyAddress)] {
        nearby.isEmpty ? [] : nearby.takeResults(at: time)
    }

    /// What waited for an interval to end.
    mutating func apply(_ change: NodeSettings, at time: Timestamp) {
        listener.length = change.window
        listener.keepsAll = change.publishesAll
        if change.exitAfter != settings.exitAfter { presence?.use(exitAfter: change.exitAfter, at: time) }
        if settings.publishesAll, !change.publishesAll { presence?.forgetStrangers() }
        settings = change
    }

    private static func hint(of regions: [Region]) -> String {
        guard !regions.isEmpty else { return "; the node watches none" }
        let shown = regions.prefix(10).map(\.id).joined(separator: ", ")
        return "; there are \(shown)\(regions.count > 10 ? " …" : "")"
    }
}
