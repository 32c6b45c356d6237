internal import Bytes
internal import Identity
internal import Integrations
internal import Metrics
internal import WireProtocol

/// Messages to the operator: warnings and notes, each until it is read, and the number of rejected messages.
final class Diagnostics {
    /// Warnings that wait at once; others are dropped.
    static let warningCapacity = 64
    /// Notes that wait at once; others are dropped.
    static let noteCapacity = 1024
    /// Seconds for which a node must publish without an `info` before it is named.
    static let unknownNodePatience = 3.0
    /// Characters of a topic in a warning.
    private static let shownLength = 200
    /// Nodes named in one warning.
    private static let named = 5

    private struct Warning {
        let text: String
        /// The names of items and persons in it.
        let names: [String]
    }

    /// Messages that were not what their topic promises, or of another clock, since the start.
    private(set) var rejected: UInt64 = 0
    private var warnings: [String: Warning] = [:]
    /// The last texts of what goes on, by their keys.
    private var ongoing: [String: String] = [:]
    private var notes: [String] = []
    /// The first message of nodes that have published no `info`, by the wall.
    private var unknownNodes: [String: Timestamp] = [:]

    /// The count of rejected messages.
    var metric: MetricFamily {
        .counter(
            "whereabouts_messages_rejected_total", "Messages that were not what their topic promises.", rejected)
    }

    /// Sets the warning of a key, which replaces the one before. The names of items and persons in it are not logged at its
    /// level.
    func warn(_ key: String, _ text: String, about names: [String] = []) {
        guard warnings.count < Self.warningCapacity || warnings[key] != nil else { return }
        warnings[key] = Warning(text: text, names: names)
    }

    /// Sets the warning of something that goes on, unless its text is that of the last call with this key.
    func warn(ofOngoing key: String, _ text: String?) {
        guard let text, text != ongoing[key] else { return }
        ongoing[key] = text
        warn(key, text)
    }

    /// Adds a note on something that is no fault.
    func addNote(_ text: @autoclosure () -> String) {
        if notes.count < Self.noteCapacity { notes.append(text()) }
    }

    /// Counts a rejected message without naming it.
    func countRejected() { rejected += 1 }

    /// Counts a rejected message, and names the last one.
    func reject(_ message: Message, _ reason: String) {
        rejected += 1
        let topic = Self.shown(message.topic)
        warn(
            "messages", "\(rejected) messages refused; the last on \(topic): \(reason)", about: Topics.names(in: topic))
    }

    /// Counts a rejected message of another system, and names the last one.
    func reject(external message: Message, _ reason: String) {
        rejected += 1
        let topic = Self.shown(message.topic)
        warn(
            "neighbours", "\(rejected) messages refused; the last of another system on \(topic): \(reason)",
            about: Topics.names(in: topic))
    }

    /// Records a message of a node without an `info`, and names such nodes once one has gone on for three seconds.
    func noteUnknownNode(_ node: String, at wall: Timestamp) {
        let since = unknownNodes[node] ?? wall
        if unknownNodes.count < Self.warningCapacity { unknownNodes[node] = since }
        // Its info may be on its way.
        guard wall.seconds(since: since) >= Self.unknownNodePatience else { return }
        let names = unknownNodes.keys.sorted()
        warn(
            "strangers",
            "left out, since no info tells where it stands: node "
                + names.prefix(Self.named).joined(separator: ", ") + (names.count > Self.named ? " …" : ""))
    }

    /// Records that a node has published its `info`.
    func noteKnownNode(_ node: String) { unknownNodes[node] = nil }

    /// The warnings since the last call, by their keys, with the names in them.
    func takeWarnings() -> [(key: String, words: String, names: [String])] {
        defer { warnings.removeAll() }
        return warnings.map { ($0.key, $0.value.text, $0.value.names) }.sorted { $0.0 < $1.0 }
    }

    /// The notes since the last call.
    func takeNotes() -> [String] {
        guard !notes.isEmpty else { return [] }
        defer { notes.removeAll() }
        return notes
    }

    /// The greatest power of ten that is not greater than a count: a text with it does not change with every message.
    static func power(of count: UInt64) -> UInt64 {
        var power: UInt64 = 1
        while count / 10 >= power { power *= 10 }
        return power
    }

    /// A topic, which may be anybody's and of any length, without the keys that ESPresense puts into it.
    static func shown(_ topic: String) -> String {
        let text = KeyText.hidden(in: ExternalName.withoutKeys(topic))
        return text.count <= shownLength ? text : "\(text.prefix(shownLength))…"
    }
}
