internal import Bytes
internal import MQTT
internal import System
internal import WireProtocol

/// The lines of `whereabouts watch` for each message: a line a change, nothing for a line that was shown before.
struct WatchView {
    let topics: Topics
    private var names: NameBook
    /// True for JSON objects in place of words.
    private let isJSON: Bool
    /// Changes of room shown so far.
    private(set) var changes = 0
    /// The line shown last for each item.
    private var shown: [String: (placeText: String, state: Location.State)] = [:]
    /// True if any item's answer was shown.
    var hasShownAnswer: Bool { !shown.isEmpty }
    private var statuses: [String: String] = [:]
    private var width = 8

    init(topics: Topics, names: NameBook, isJSON: Bool = false) {
        self.topics = topics
        self.isJSON = isJSON
        self.names = names
    }

    /// The filters whose messages it shows.
    var subscriptions: [Subscription] {
        // Names first, so that the first answer has its own; with QoS 1 a broker would queue only so many of them.
        [Subscription(topics.allItems("config"), qos: .atMostOnce)]
            + [topics.allItems("location"), topics.allNodes("status"), topics.allFusers("status")].map {
                Subscription($0, qos: .atLeastOnce)
            }
    }

    /// The lines for a message.
    mutating func lines(for message: Message, at time: Timestamp) -> [String] {
        switch topics.kind(of: message.topic) {
        case .itemConfig(let item):
            names.adoptConfig(message.payload.span, of: item)
            return []
        case .location(let item): return locationLine(item, message, at: time).map { [$0] } ?? []
        case .nodeStatus(let node): return statusLine("node", node, message, at: time).map { [$0] } ?? []
        case .fuserStatus(let fuser): return statusLine("fuser", fuser, message, at: time).map { [$0] } ?? []
        case .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity, .window, .fuserClaim, .room, .itemEvents,
            .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .lesson, .housePlan, .floorPicture, .rollout,
            .nodeCommand,
            .commandResult,
            .fuserCommand,
            .fuserCommandResult, .replies, nil:
            return []
        }
    }

    private func timePrefix(_ time: Timestamp) -> String { LocalTime.clock(time) + "  " }

    private mutating func statusLine(_ kind: String, _ name: String, _ message: Message, at time: Timestamp) -> String?
    {
        let (who, word) = ("\(kind) \(name)", String(decoding: message.payload.prefix(16), as: UTF8.self))
        guard statuses[who] != word, word == "online" || word == "offline" else { return nil }
        statuses[who] = word
        guard isJSON else { return timePrefix(time) + "\(who) is \(word)" }
        return JSONLine.text { json in
            json.field("at", time)
            json.field(kind, name)
            json.field("status", word)
        }
    }

    private mutating func locationLine(_ item: String, _ message: Message, at time: Timestamp) -> String? {
        guard let location = try? Location(payload: message.payload.span) else { return nil }
        let before = shown[item]
        guard before?.placeText != location.placeText || before?.state != location.state else { return nil }
        shown[item] = (location.placeText, location.state)
        if location.isPerson { names.adoptName(person: location.name, of: item) }
        let name = names.item(item)
        guard !isJSON else {
            if let before, before.placeText != location.placeText { changes += 1 }
            return JSONLine.text { json in
                json.field("at", time)
                json.field("item", item)
                json.field("name", name == item ? nil : name)
                json.field("state", location.state.rawValue)
                json.field("room", location.room)
                json.field("previous", location.previous)
                json.field("confidence", location.confidence, decimals: 3)
            }
        }
        width = max(width, name.count)
        let subject = timePrefix(time) + name + String(repeating: " ", count: width - name.count) + "  "
        let place = location.room.map(names.room) ?? location.placeText
        switch location.state {
        case .unknown: return subject + "unknown: no node listens"
        case .away: return subject + "has left" + (location.previous.map { " (was in \(names.room($0)))" } ?? "")
        case .quiet: return subject + "quiet, last in \(place)"
        case .present: break
        }
        if before?.placeText == location.placeText { return subject + "heard again in \(place)" }
        let certainty = "  \(Int((location.confidence * 100).rounded())) %"
        guard let before, before.placeText != "unknown" else { return subject + "is in \(place)" + certainty }
        changes += 1
        if before.placeText == "away" { return subject + "arrived in \(place)" + certainty }
        return subject + "\(names.room(before.placeText)) → \(place)" + certainty
    }
}
