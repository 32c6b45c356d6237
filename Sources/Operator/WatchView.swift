internal import Bytes
internal import MQTT
internal import System
internal import WireProtocol

/// The lines of `whereabouts watch` for each message: a line a change, nothing for a line that was shown before.
struct WatchView {
    let topics: Topics
    private var names: NameBook
    /// Changes of room shown so far.
    private(set) var changes = 0
    /// The line shown last for each item.
    private var shown: [String: (word: String, state: Location.State)] = [:]
    /// True if any item's answer was shown.
    var hasShownAnswer: Bool { !shown.isEmpty }
    private var statuses: [String: String] = [:]
    private var width = 8

    init(topics: Topics, names: NameBook) {
        self.topics = topics
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
        case .location(let item): return locationLine(item, message).map { [timePrefix(time) + $0] } ?? []
        case .nodeStatus(let node): return statusLine("node \(node)", message).map { [timePrefix(time) + $0] } ?? []
        case .fuserStatus(let fuser): return statusLine("fuser \(fuser)", message).map { [timePrefix(time) + $0] } ?? []
        case .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity, .window, .fuserClaim, .room, .itemEvents,
            .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .lesson, .housePlan, .floorPicture, .nodeCommand,
            .commandResult,
            .fuserCommand,
            .fuserCommandResult, .replies, nil:
            return []
        }
    }

    private func timePrefix(_ time: Timestamp) -> String { LocalTime.clock(time) + "  " }

    private mutating func statusLine(_ who: String, _ message: Message) -> String? {
        let word = String(decoding: message.payload.prefix(16), as: UTF8.self)
        guard statuses[who] != word, word == "online" || word == "offline" else { return nil }
        statuses[who] = word
        return "\(who) is \(word)"
    }

    private mutating func locationLine(_ item: String, _ message: Message) -> String? {
        guard let location = try? Location(payload: message.payload.span) else { return nil }
        let before = shown[item]
        guard before?.word != location.word || before?.state != location.state else { return nil }
        shown[item] = (location.word, location.state)
        if location.isPerson { names.adoptName(person: location.name, of: item) }
        let name = names.item(item)
        width = max(width, name.count)
        let subject = name + String(repeating: " ", count: width - name.count) + "  "
        let place = location.room.map(names.room) ?? location.word
        switch location.state {
        case .unknown: return subject + "unknown: no node listens"
        case .away: return subject + "has left" + (location.previous.map { " (was in \(names.room($0)))" } ?? "")
        case .quiet: return subject + "quiet, last in \(place)"
        case .present: break
        }
        if before?.word == location.word { return subject + "heard again in \(place)" }
        let certainty = "  \(Int((location.confidence * 100).rounded())) %"
        guard let before, before.word != "unknown" else { return subject + "is in \(place)" + certainty }
        changes += 1
        if before.word == "away" { return subject + "arrived in \(place)" + certainty }
        return subject + "\(names.room(before.word)) → \(place)" + certainty
    }
}
