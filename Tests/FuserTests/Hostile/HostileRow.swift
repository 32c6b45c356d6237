import WireProtocol
import Testing

/// One kind of message that no honest node sends: what comes each second, which counter has it, and what the operator reads.
struct HostileRow: Sendable, CustomTestStringConvertible {
    enum Counter: Sendable { case refused, offClock, unplaced, late, doubled }

    let testDescription: String
    let counter: Counter
    /// A part of the words that tell the operator.
    let told: String
    /// What comes beside the honest messages of the interval that ends at a second.
    let messages: @Sendable (_ end: Int) -> [Message]

    static let topics = Topics()

    /// An honest window of the keys in the kitchen, some of its values replaced by other JSON; an empty one leaves the key out.
    static func window(_ end: Int, _ changes: [(key: String, json: String)] = []) -> String {
        var fields: [(String, String)] = [
            ("v", "1"), ("seq", "\(end)"), ("from", "\(1_000_000 + end - 1)"), ("to", "\(1_000_000 + end)"),
            ("node", "\"kitchen\""), ("epoch", "\"e\""), ("id", "\"0123456789ab\""), ("item", "\"keys\""),
            ("count", "1"), ("rssi", "{\"mean\":-31,\"median\":-31,\"min\":-31,\"max\":-31}"),
        ]
        for change in changes {
            fields.removeAll { $0.0 == change.key }
            if !change.json.isEmpty { fields.append((change.key, change.json)) }
        }
        return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    /// An honest `scan`, some of its values replaced.
    static func scan(_ end: Int, _ changes: [(key: String, json: String)]) -> String {
        var fields: [(String, String)] = [
            ("v", "1"), ("from", "\(1_000_000 + end - 1)"), ("to", "\(1_000_000 + end)"), ("seq", "\(end)"),
            ("windows", "1"), ("epoch", "\"e\""),
        ]
        for change in changes {
            fields.removeAll { $0.0 == change.key }
            fields.append((change.key, change.json))
        }
        return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    static func levels(_ level: String) -> String {
        "{\"mean\":\(level),\"median\":-60,\"min\":-60,\"max\":-60}"
    }

    /// A row of one window a second on the topic of the keys in the kitchen.
    init(
        _ name: String, _ counter: Counter = .refused, told: String, _ changes: [(key: String, json: String)]
    ) {
        self.init(name, counter, told: told) { end in
            [Message(topic: Self.topics.window(beacon: "keys", node: "kitchen"), text: Self.window(end, changes))]
        }
    }

    /// A row of one payload a second on that topic.
    init(_ name: String, told: String, payload: [UInt8]) {
        self.init(name, .refused, told: told) { _ in
            [Message(topic: Self.topics.window(beacon: "keys", node: "kitchen"), payload: payload)]
        }
    }

    init(
        _ name: String, _ counter: Counter, told: String, messages: @escaping @Sendable (_ end: Int) -> [Message]
    ) {
        (testDescription, self.counter, self.told, self.messages) = (name, counter, told, messages)
    }
}
