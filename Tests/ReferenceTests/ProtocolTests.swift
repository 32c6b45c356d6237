import Alerts
import Foundation
import Identity
import Reference
import WireProtocol
import Support
import Testing

@testable import Operator

/// The pages of the protocol against the encoders, the topics and the rights.
@Suite struct ProtocolTests {
    static let topics = TopicDescription.all
    static let objects: [(name: String, object: PayloadObject)] =
        topics.compactMap { topic in
            if case .object(let object) = topic.payload { (topic.pattern, object) } else { nil }
        } + AnswerDescription.all.map { ("answer \($0.name)", $0.object) }

    // MARK: Payloads

    @Test("Every key that an encoder writes is described, and no other", arguments: objects.map(\.name))
    func keys(name: String) throws {
        let object = try #require(Self.objects.first { $0.name == name }?.object)
        let described = object.keys.map(\.path)
        #expect(Set(described).count == described.count)
        for sample in object.samples { #expect(object.undescribed(in: sample.payload) == []) }
        #expect(Set(described).subtracting(object.types.keys).sorted() == [])
    }

    /// A property that no sample sets may be a key that no sample has.
    @Test("The samples leave no property of what they encode absent", arguments: objects.map(\.name))
    func samples(name: String) throws {
        let object = try #require(Self.objects.first { $0.name == name }?.object)
        let properties = object.samples.map { Properties(of: $0.value) }
        let unset = properties.reduce(Set<String>()) { $0.union($1.unset) }
        let set = properties.reduce(Set<String>()) { $0.union($1.set) }
        #expect(unset.subtracting(set).subtracting(Self.neverSet).sorted() == [])
    }

    /// Properties that are never written, or that are written where they are false or nothing.
    static let neverSet: Set<String> = [
        // `proximity` has its own topic, and no event of that kind is published.
        "NodeEvent.proximity", "NodeInfo.isStatusReadBack",
        // The nodes of a set beyond the first 64.
        "NodeSet.high",
        // The upper half of a duration, for more than nine seconds.
        "Duration._high",
        // A file's own keys of an item stay there.
        "Item.keyFile", "Item.clock",
    ]

    /// A word that the program doesn't have would be read in vain.
    @Test("The listed values are words of the program")
    func values() throws {
        let words: [(topic: String, key: String, isWord: @Sendable (String) -> Bool)] = [
            ("windows/<shard>/<beacon>/<node>", "proximity", { Window.Proximity(rawValue: $0) != nil }),
            ("nodes/<node>/regions/<region>", "state", { RegionReport.State(rawValue: $0) != nil }),
            ("nodes/<node>/regions/<region>", "problem", { RegionReport.Problem(rawValue: $0) != nil }),
            ("nodes/<node>/events", "kind", { NodeEvent.Kind(rawValue: $0) != nil }),
            ("nodes/<node>/events", "rule", { word in AlertRule.Kind.ofNodes.contains { $0.rawValue == word } }),
            ("items/<item>/location", "state", { Location.State(rawValue: $0) != nil }),
            ("items/<item>/events", "kind", { ItemEvent.Kind(rawValue: $0) != nil }),
            ("items/<item>/events", "rule", { AlertRule.Kind(rawValue: $0) != nil }),
            ("items/<item>/config", "key", { Item.KeyKind(rawValue: $0) != nil }),
            ("fuser/<fuser>/claim", "state", { Claim.State(rawValue: $0) != nil }),
            ("answer why", "why.nodes[].state", { Explanation.Node.State(rawValue: $0) != nil }),
            ("answer journal", "journal.events[].reason", { LedgerLoss.Reason(rawValue: $0) != nil }),
        ]
        for (name, key, isWord) in words {
            let object = try #require(Self.objects.first { $0.name == name }?.object)
            let unit = try #require(object.keys.first { $0.path == key }?.unit)
            let listed = unit.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }.filter { $0 != "lost" }
            #expect(!listed.isEmpty && listed.allSatisfy(isWord), "\(name): \(key)")
        }
    }

    // MARK: Topics

    /// Mirrors the cases of `TopicKind`: a new one doesn't compile here until its topic is described.
    private func described(_ kind: TopicKind) -> String {
        switch kind {
        case .nodeStatus: "nodes/<node>/status"
        case .nodeInfo: "nodes/<node>/info"
        case .scan: "nodes/<node>/scan"
        case .nodeHealth: "nodes/<node>/health"
        case .region: "nodes/<node>/regions/<region>"
        case .nodeEvents: "nodes/<node>/events"
        case .proximity: "nodes/<node>/proximity/<beacon>"
        case .window: "windows/<shard>/<beacon>/<node>"
        case .fuserStatus: "fuser/<fuser>/status"
        case .fuserClaim: "fuser/<fuser>/claim"
        case .location: "items/<item>/location"
        case .room: "items/<item>/room"
        case .itemEvents: "items/<item>/events"
        case .itemAlert: "items/<item>/alert"
        case .itemTelemetry: "items/<item>/telemetry"
        case .itemBattery: "items/<item>/battery"
        case .occupancy: "rooms/<room>/occupancy"
        case .itemConfig: "items/<item>/config"
        case .lesson: "lessons/<lesson>"
        case .housePlan: "house/plan"
        case .floorPicture: "house/pictures/<floor>"
        case .rollout: "fleet/rollout"
        case .nodeCommand(_, let sender?): "nodes/<node>/\(sender.right.rawValue)/<user>"
        case .nodeCommand: "nodes/<node>/command"
        case .commandResult: "nodes/<node>/command/result"
        case .fuserCommand(_, let sender?): "fuser/<fuser>/\(sender.right.rawValue)/<user>"
        case .fuserCommand: "fuser/<fuser>/command"
        case .fuserCommandResult: "fuser/<fuser>/command/result"
        case .replies: "replies/<client>"
        }
    }

    @Test("A described topic is of the kind that it says", arguments: topics.map(\.pattern))
    func kind(pattern: String) {
        let kind = Topics().kind(of: Self.filled("whereabouts/" + pattern))
        // Offers are for programs that know them.
        let expected = pattern == "nodes/<node>/offers/<id>" ? nil : pattern
        #expect(kind.map(described) == expected)
    }

    /// The rights that `whereabouts acl` grants to programs are those of who publishes.
    @Test("Nodes and fusers may write the topics that they are said to publish on, and no others")
    func publishers() {
        let topics = Topics()
        let roles: [(TopicDescription.Publisher, AccessRole)] = [
            (.node, .node("kitchen", publishes: [], offers: true, regions: [])),
            (.fuser, .fuser("main", shards: 0...255)),
        ]
        for (publisher, role) in roles {
            let writable = role.rules(topics).filter(\.right.writes).map(\.filter)
            for topic in Self.topics {
                // A fuser is a user of other fusers.
                let name = Self.filled("whereabouts/" + topic.pattern.replacing("<user>", with: "peer-main"))
                let isWritable = writable.contains { TopicFilter.matches($0, name) }
                #expect(isWritable == topic.publishers.contains(publisher), "\(publisher): \(topic.pattern)")
            }
        }
    }

    /// Messages of an agent in a recorded household, with `*` for values of the run; `retained` before what stands at its end.
    @Test("What an agent publishes is described, retained or not")
    func household() throws {
        let path = Repository.root + "/Tests/Fixtures/household.published.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        var standing: Set<String> = []
        var published: [(topic: String, payload: String)] = []
        for line in lines {
            let isRetained = line.hasPrefix("retained ")
            let words = (isRetained ? line.dropFirst("retained ".count) : line).split(separator: " ", maxSplits: 1)
            let (topic, payload) = (String(words[0]), String(words[1].replacing(":*", with: ":0")))
            if isRetained { standing.insert(topic) } else { published.append((topic, payload)) }
        }
        #expect(published.count > 100 && !standing.isEmpty)
        for (topic, payload) in published {
            let isRetained: Bool? = standing.contains(topic) ? true : topic.contains("/proximity/") ? nil : false
            let message = PublishedMessage(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
            #expect(message.contradictions() == [])
        }
    }

    // MARK: Commands

    @Test("Every action is described, with every field that its encoder writes")
    func commands() {
        #expect(Set(CommandDescription.toNode.map(\.action)) == Set(NodeCommand.actions))
        #expect(Set(CommandDescription.toFuser.map(\.action)) == Set(FuserCommand.actions))
        for command in CommandDescription.toNode + CommandDescription.toFuser {
            #expect(command.written.sorted() == command.fields.map(\.key).sorted(), "\(command.action)")
            for field in command.fields {
                #expect(!command.rule(of: field.key).expected.isEmpty, "\(command.action): \(field.key)")
            }
        }
    }

    /// A topic of a pattern, with a name for each level that varies.
    static func filled(_ pattern: String) -> String {
        let names = [
            "node": "kitchen", "fuser": "main", "region": "office", "beacon": "keys", "shard": "0a", "item": "keys",
            "room": "hall", "client": "whereabouts-fuser-main", "id": "office", "floor": "ground",
            "lesson": "keys-1753862400123", "user": "anna",
        ]
        return names.reduce(pattern) { $0.replacing("<\($1.key)>", with: $1.value) }
    }
}

/// The properties of a value and of all within it, by type and name: those that hold something, and those that hold nothing.
struct Properties {
    private(set) var set: Set<String> = []
    private(set) var unset: Set<String> = []

    init(of value: Any) { add(value) }

    private mutating func add(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        let type = "\(type(of: value))"
        for child in mirror.children {
            guard let label = child.label, mirror.displayStyle == .struct else {
                add(child.value)
                continue
            }
            let name = "\(type).\(label)"
            if Self.isNothing(child.value) { unset.insert(name) } else { set.insert(name) }
            add(child.value)
        }
    }

    private static func isNothing(_ value: Any) -> Bool {
        switch value {
        case let number as any BinaryInteger: return number.description == "0"
        case let number as Double: return number == 0
        case let flag as Bool: return !flag
        case let text as String: return text.isEmpty
        default:
            let mirror = Mirror(reflecting: value)
            switch mirror.displayStyle {
            case .optional, .collection, .dictionary, .set: return mirror.children.isEmpty
            default: return false
            }
        }
    }
}
