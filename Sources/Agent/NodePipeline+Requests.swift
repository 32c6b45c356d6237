internal import Alerts
internal import Configuration
public import Bytes
public import Identity
internal import Presence
public import WireProtocol

/// The requests of commands and the broker to a running node.
extension NodePipeline {
    /// Applies other settings from the next interval on, which is announced in `info`. Node, topics, version and adapter
    /// stay.
    public mutating func use(_ settings: NodeSettings) {
        pending.settings = settings
    }

    /// Applies another registry from the next interval on: a window belongs to one of them.
    public mutating func use(_ registry: Registry) {
        pending.registry = registry
    }

    /// Applies other alerts and reactions. The registry must contain their implicit regions (`watched`) from the next interval
    /// on.
    mutating func use(rules: [AlertRule], reactions: [Reactions], at time: Timestamp) {
        presence?.use(rules: rules, reactions: reactions, at: time)
        beginning?.reactions.use(rules: rules, reactions: reactions, at: time)
    }

    /// Regions, and implicit ones of the items of alerts and reactions.
    func watched(beside regions: [Region]) -> [Region] {
        presence?.watched(beside: regions) ?? beginning?.reactions.watched(beside: regions) ?? regions
    }

    /// Records that the broker retains an earlier run's message of a beacon's proximity. From the next interval on this
    /// run owns it, or withdraws it if the registry has no such item.
    public mutating func adoptRetained(proximityOf beacon: String) {
        guard pending.inherited.count < ProximityTable.capacity else { return }
        pending.inherited.append(beacon)
    }

    /// True if a region's state belongs to this node.
    public func watches(_ region: String) -> Bool {
        Region.implicitItem(of: region) == nil
            && (pending.registry ?? builder.resolver.currentRegistry).regions.contains { $0.id == region }
    }

    /// Publishes states again as `determined`: of the region with this id, or of all. Throws if there is no such
    /// region.
    public mutating func determine(_ region: String?, at time: Timestamp) throws(CommandFault) {
        let regions = builder.resolver.currentRegistry.regions
        let place = region.flatMap { id in regions.firstIndex { $0.id == id } }
        if let region, place == nil {
            throw .failed("there is no region '\(region)'\(Self.regionsHint(of: regions))")
        }
        presence?.determine(place.map { Int32($0) }, at: time)
    }

    /// The subjects of a command.
    func subjects(_ subject: NodeCommand.Subject) -> [Crossing.Subject] {
        switch subject {
        case .item(let id): [.item(id)]
        case .region(let id): [.region(id)]
        case .all: presence?.subjects ?? []
        }
    }

    /// Silences an item's alerts, or the reactions to an item or a region, for a time.
    mutating func silence(
        _ subject: Crossing.Subject, for duration: Duration, at time: Timestamp
    ) throws(CommandFault) {
        guard presence != nil else { throw .failed("the node hasn't begun to listen; ask again") }
        try presence?.silence(subject, for: duration, at: time)
    }

    /// Makes the next effects contain the whole state, as for a new store.
    public mutating func rememberAll() {
        presence?.rememberAll()
        radioEvents.rememberAll()
        builder.resolver.rememberAllKeys()
    }

    /// Begins to collect unregistered beacons. Throws if too many requests are open.
    public mutating func openNearby(
        _ command: NodeCommand, reply: ReplyAddress, at time: Timestamp
    ) throws(CommandFault) {
        try nearby.openRequest(command, reply: reply, at: time)
    }

    /// The answers to expired `nearby` requests, with their destinations; each returned once.
    public mutating func takeNearby(at time: Timestamp) -> [(result: CommandResult, reply: ReplyAddress)] {
        nearby.isEmpty ? [] : nearby.takeResults(at: time)
    }

    /// Applies settings that waited for the end of an interval.
    mutating func apply(_ change: NodeSettings, at time: Timestamp) {
        builder.length = change.window
        builder.keepsAll = change.publishesAll
        if change.exitAfter != settings.exitAfter { presence?.use(exitAfter: change.exitAfter, at: time) }
        if settings.publishesAll, !change.publishesAll { presence?.forgetStrangers() }
        integrations.use(change)
        settings = change
    }

    private static func regionsHint(of regions: [Region]) -> String {
        guard !regions.isEmpty else { return "; the node watches none" }
        let shown = regions.prefix(10).map(\.id).joined(separator: ", ")
        return "; there are \(shown)\(regions.count > 10 ? " …" : "")"
    }
}

/// The handling of keys in a node.
extension NodePipeline {
    /// The most items with a reported key problem.
    static let keyProblemBound = 20

    /// The problems with the identification of items, a sentence each, by item; those with the first ids.
    public mutating func keyProblems(at time: Timestamp) -> [(item: String, words: String)] {
        var findings = builder.resolver.findings(at: time)
        for item in builder.changing where findings[item] == nil { findings[item] = .changingAddress }
        guard !findings.isEmpty else { return [] }
        return findings.sorted { $0.key < $1.key }.prefix(Self.keyProblemBound).map { item, finding in
            (item, "'\(item)' \(finding.words)")
        }
    }
}
