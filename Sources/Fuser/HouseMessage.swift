internal import Bytes
internal import WireProtocol

/// A message of the house, decoded: the one place that tells topics apart.
enum HouseMessage {
    /// An answer on an item's location.
    enum Answer {
        /// Nothing is retained of the item any more.
        case cleared
        /// This fuser's own answer has come back.
        case own
        /// Another fuser published it, or an earlier run.
        case other(Location)
    }

    case nodeStatus(node: String, isOnline: Bool, isRemoved: Bool)
    case nodeInfo(NodeInfo, node: String, isRetained: Bool)
    case nodeRemoved(node: String)
    case scan(Scan, node: String)
    case window(Window, beacon: String)
    case nodeEvent(NodeEvent, node: String)
    case commandResult(Message)
    case entry(Message)
    case location(Answer, item: String, Message)
    case itemEvent(ItemEvent, item: String)
    case alerts(ItemAlerts?, item: String, Message)
    case room(item: String, Message)
    case telemetry(item: String, Message)
    case battery(BatteryReport?, item: String, Message)
    case occupancy(Message)
    case lesson(key: String, Message)
    case plan(Message)
    case external(Message)

    /// A message of a kind; nil if the fuser does not read that kind.
    init?(_ message: Message, _ kind: TopicKind, isOwn: @autoclosure () -> Bool) throws(PayloadFault) {
        switch kind {
        case .nodeStatus(let node):
            self = .nodeStatus(
                node: node, isOnline: message.payload == Array("online".utf8), isRemoved: message.payload.isEmpty)
        case .nodeInfo(let node):
            guard !message.payload.isEmpty else {
                self = .nodeRemoved(node: node)
                return
            }
            self = .nodeInfo(try NodeInfo(payload: message.payload.span), node: node, isRetained: message.retained)
        case .scan(let node):
            self = .scan(try Scan(payload: message.payload.span), node: node)
        case .window(let beacon, let node):
            let window = try Window(payload: message.payload.span)
            guard window.node == node else { throw .outOfRange("node") }
            guard window.item ?? window.id == beacon else { throw .outOfRange("item") }
            self = .window(window, beacon: beacon)
        case .nodeEvents(let node):
            let event = try NodeEvent(payload: message.payload.span)
            guard event.node == node else { throw .outOfRange("node") }
            self = .nodeEvent(event, node: node)
        case .commandResult, .replies:
            guard !message.retained else { return nil }
            self = .commandResult(message)
        case .itemConfig: self = .entry(message)
        case .location(let item):
            if message.payload.isEmpty {
                self = .location(.cleared, item: item, message)
            } else if isOwn() {
                self = .location(.own, item: item, message)
            } else {
                self = .location(.other(try Location(payload: message.payload.span)), item: item, message)
            }
        case .itemEvents(let item):
            guard !message.retained else { return nil }
            self = .itemEvent(try ItemEvent(payload: message.payload.span), item: item)
        case .itemAlert(let item):
            let alerts = message.payload.isEmpty ? nil : try ItemAlerts(payload: message.payload.span)
            self = .alerts(alerts, item: item, message)
        case .room(let item): self = .room(item: item, message)
        case .itemTelemetry(let item): self = .telemetry(item: item, message)
        case .itemBattery(let item):
            let report = message.payload.isEmpty ? nil : try BatteryReport(payload: message.payload.span)
            self = .battery(report, item: item, message)
        case .occupancy: self = .occupancy(message)
        case .lesson(let key): self = .lesson(key: key, message)
        case .housePlan: self = .plan(message)
        case .nodeHealth, .region, .proximity, .floorPicture, .rollout, .nodeCommand, .fuserStatus, .fuserClaim,
            .fuserCommand, .fuserCommandResult:
            return nil
        }
    }
}

extension TopicKind {
    /// True for messages of one moment, which nobody retains: a retained one was forged, or its moment has passed.
    var isMomentary: Bool {
        switch self {
        case .scan, .window, .nodeEvents: true
        case .nodeStatus, .nodeInfo, .nodeHealth, .region, .proximity, .fuserStatus, .fuserClaim, .location, .room,
            .itemEvents,
            .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .itemConfig, .lesson, .housePlan, .floorPicture,
            .rollout,
            .nodeCommand,
            .commandResult, .fuserCommand,
            .fuserCommandResult, .replies:
            false
        }
    }

    /// The item whose state the broker retains on the topic; nil for other topics, and for the registry's entries.
    var describedItem: String? {
        switch self {
        case .location(let item), .room(let item), .itemAlert(let item), .itemTelemetry(let item),
            .itemBattery(let item):
            item
        case .nodeStatus, .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity, .window, .fuserStatus,
            .fuserClaim,
            .itemEvents, .occupancy, .itemConfig, .lesson, .housePlan, .floorPicture, .rollout, .nodeCommand,
            .commandResult,
            .fuserCommand,
            .fuserCommandResult, .replies:
            nil
        }
    }

    /// The item or the room of which one fuser publishes on the topic; nil for other topics.
    var servedID: String? {
        if case .occupancy(let room) = self { room } else { describedItem }
    }
}
