public import Bytes
public import Integrations
public import WireProtocol

/// The publication of a program's discovery documents for Home Assistant, and the removal of those under its former
/// names that nobody else owns.
///
///     case .connected: client.connected(at: now)
///     case .message(let message): if client.receive(message, at: now) { return }
///     …
///     if client.looks(at: now) { client.discovery.want(…) }
///     let steps = client.performDueSteps(at: now, owns: { … }, describe: { … })
public struct DiscoveryClient {
    /// The actions for the caller.
    public struct Steps {
        /// The messages to publish, in this order.
        public var messages: [Message] = []
        /// The devices with states to publish again.
        public var restated: [String] = []
        /// The notices for an operator.
        public var words: [String] = []
        /// The discovery state to persist; nil if it is unchanged.
        public var discovery: String?
        /// The names to persist; nil if they are unchanged.
        public var names: String?

        /// No actions.
        public init() {}
    }

    /// The time between two checks for new documents.
    private static let pause: Duration = .seconds(1)

    /// The discovery documents.
    public var discovery: Discovery
    /// The former names.
    public private(set) var former: FormerNames
    private let kind: FormerNames.Kind
    /// The devices of former names that nobody else owns now.
    private var released: Set<String> = []
    private var looksAt = MonotonicTime.start

    /// - Parameters:
    ///   - prefix: the beginning of all topics of the house.
    ///   - discoveryPrefix: the discovery prefix of Home Assistant; nil if the output is off.
    ///   - epoch: the epoch of the state database.
    ///   - row: the discovery state persisted by an earlier run; nil if there was none.
    ///   - names: the names persisted by an earlier run; nil if there were none.
    public init(
        _ kind: FormerNames.Kind, name: String, prefix: String, discoveryPrefix: String?, epoch: String,
        keeping row: String? = nil, names: String? = nil
    ) {
        self.kind = kind
        let before = FormerNames(kind, prefix: prefix, name: name, epoch: epoch, keeping: names).namesHere
        discovery = Discovery(
            prefix: discoveryPrefix, topicPrefix: prefix, kinds: kind.devices([name] + before), name: name,
            keeping: row)
        former = FormerNames(
            kind, prefix: prefix, name: name, epoch: epoch, discovery: discovery.prefixes, keeping: names)
    }

    /// The devices of former names.
    public var formerDevices: [String] { former.namesHere.sorted().map(kind.device) }

    /// The topic filters to subscribe to: for each place of discovery those of `filters`, by default all of it.
    public func subscriptions(_ filters: (DiscoveryPlace) -> [String] = { [$0.all] }) -> [String] {
        former.subscriptions + discovery.subscriptions(filters)
    }

    /// The time of the next work for `looks` or `performDueSteps`; nil if there is none.
    public var nextDeadline: MonotonicTime? {
        [discovery.book == nil ? nil : looksAt, discovery.nextDeadline, former.nextDeadline].compactMap { $0 }.min()
    }

    /// Records a new connection.
    public mutating func connected(at now: MonotonicTime) {
        discovery.connected(at: now)
        former.connected(at: now)
    }

    /// Receives a message; returns true if it concerns nothing else.
    public mutating func receive(_ message: Message, at now: MonotonicTime) -> Bool {
        discovery.receive(message, at: now) || former.receive(message, at: now)
    }

    /// Records that the broker denies a subscription.
    public mutating func recordDenial(_ filter: String) { former.recordDenial(filter) }

    /// Records that the broker grants a subscription that it had denied.
    public mutating func recordGrant(_ filter: String, at now: MonotonicTime) {
        former.recordGrant(filter, at: now)
        if discovery.subscriptions().contains(filter) { discovery.connected(at: now) }
    }

    /// Returns true if a check for new documents is due: once a second.
    public mutating func looks(at now: MonotonicTime) -> Bool {
        guard discovery.book != nil, now >= looksAt else { return false }
        looksAt = now + Self.pause
        return true
    }

    /// Carries out the steps that are due at `now`.
    ///
    /// - Parameters:
    ///   - owns: returns true if a device belongs to this publisher. Those of its former names belong to it if nobody
    ///     else owns them.
    ///   - isGone: returns true if an unwanted device is gone for certain, by its description and its model.
    ///   - describe: the document of a wanted device.
    public mutating func performDueSteps(
        at now: MonotonicTime, owns: @escaping (String) -> Bool,
        isGone: @escaping (String, String?) -> Bool = { _, _ in true },
        describe: @escaping (String) -> DiscoveryDocument?
    ) -> Steps {
        var steps = Steps()
        leaveFormerNames(at: now, &steps)
        guard let due = discovery.nextDeadline, now >= due else { return steps }
        let told = discovery.advance(
            to: now, owns: { [released] in released.contains($0) || owns($0) }, isGone: isGone, describe: describe)
        steps.messages += told.messages
        steps.restated = told.restated
        if told.isChanged { steps.discovery = discovery.row }
        return steps
    }

    private mutating func leaveFormerNames(at now: MonotonicTime, _ steps: inout Steps) {
        let left = former.advance(to: now)
        steps.messages += left.cleared.map { Message.clearing($0) }
        steps.words = left.words
        if left.isChanged { steps.names = former.row }
        for name in left.released {
            released.insert(kind.device(name))
            discovery.recheckDevice(at: kind.device(name))
        }
    }
}

extension FormerNames.Kind {
    /// The prefixes of devices that may belong to a publisher, under any of its names.
    fileprivate func devices(_ names: [String]) -> [String] {
        switch self {
        case .node: names.map(device)
        case .fuser: [DiscoveryPlace.item(""), DiscoveryPlace.room("")] + names.map(device)
        }
    }

    /// The device of a publisher itself.
    fileprivate func device(_ name: String) -> String {
        switch self {
        case .node: DiscoveryPlace.node(name)
        case .fuser: DiscoveryPlace.fuser(name)
        }
    }
}
