public import Integrations
public import WireProtocol

/// What a publisher tells Home Assistant of, and what it left under names that it had before: under these it clears what
/// nobody else stands for. Times are nanoseconds of a clock that is never set.
///
///     case .connected: desk.connected(at: now)
///     case .message(let message): if desk.receive(message, at: now) { return }
///     …
///     if desk.looks(at: now) { desk.discovery.want(…) }
///     let steps = desk.turn(at: now, owns: { … }, describe: { … })
public struct DiscoveryDesk {
    /// What is to be done.
    public struct Steps {
        /// To be published, in this order.
        public var messages: [Message] = []
        /// Devices whose states are to be told again.
        public var restated: [String] = []
        /// What an operator wants to know.
        public var words: [String] = []
        /// What is to be kept anew of what Home Assistant was told; nil where that is as it was.
        public var discovery: String?
        /// What is to be kept anew of names; nil where that is as it was.
        public var names: String?

        /// Nothing.
        public init() {}
    }

    /// Nanoseconds between two looks at whether there is something else to tell.
    private static let pause: Int64 = 1_000_000_000

    /// What Home Assistant is told.
    public var discovery: Discovery
    /// The names before.
    public private(set) var former: FormerNames
    private let kind: FormerNames.Kind
    /// The devices of former names that nobody else has now.
    private var released: Set<String> = []
    private var looksAt: Int64 = 0

    /// - Parameters:
    ///   - prefix: what all topics of the house begin with.
    ///   - discoveryPrefix: where Home Assistant is told; nil where it isn't.
    ///   - epoch: that of the state database.
    ///   - row: what an earlier run kept of what Home Assistant was told; nil where there was none.
    ///   - names: likewise of names.
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

    /// What is to be subscribed to: for each place of discovery what `filters` gives, or else all of it.
    public func subscriptions(_ filters: (DiscoveryPlace) -> [String] = { [$0.all] }) -> [String] {
        former.subscriptions + discovery.subscriptions(filters)
    }

    /// When `looks` or `turn` has something to do; nil where nothing is open.
    public var nextDeadline: Int64? {
        [discovery.book == nil ? nil : looksAt, discovery.nextDeadline, former.nextDeadline].compactMap { $0 }.min()
    }

    /// A connection was made.
    public mutating func connected(at now: Int64) {
        discovery.connected(at: now)
        former.connected(at: now)
    }

    /// Takes a message; whether it is of nothing else.
    public mutating func receive(_ message: Message, at now: Int64) -> Bool {
        discovery.receive(message, at: now) || former.receive(message, at: now)
    }

    /// Notes that the broker denies a subscription.
    public mutating func denied(_ filter: String) { former.denied(filter) }

    /// Notes that the broker grants a subscription that it had denied.
    public mutating func granted(_ filter: String, at now: Int64) {
        former.granted(filter, at: now)
        if discovery.subscriptions().contains(filter) { discovery.connected(at: now) }
    }

    /// Whether it is time to look whether there is something else to tell than before: once a second.
    public mutating func looks(at now: Int64) -> Bool {
        guard discovery.book != nil, now >= looksAt else { return false }
        looksAt = now + Self.pause
        return true
    }

    /// Lets time pass.
    ///
    /// - Parameters:
    ///   - owns: whether a device is this publisher's; those of its former names are where nobody else has them.
    ///   - isGone: whether a device that isn't wanted is gone for certain, by what it is and its model.
    ///   - describe: the document of a wanted device.
    public mutating func turn(
        at now: Int64, owns: @escaping (String) -> Bool, isGone: @escaping (String, String?) -> Bool = { _, _ in true },
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

    private mutating func leaveFormerNames(at now: Int64, _ steps: inout Steps) {
        let left = former.advance(to: now)
        steps.messages += left.cleared.map { Message.clearing($0) }
        steps.words = left.words
        if left.isChanged { steps.names = former.row }
        for name in left.released {
            released.insert(kind.device(name))
            discovery.look(at: kind.device(name))
        }
    }
}

extension FormerNames.Kind {
    /// What the devices begin with that may be a publisher's, under any of its names.
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
