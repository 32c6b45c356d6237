import Testing

import Reference

/// Claims of docs/privacy.md about the broker: each title is a line of that page. `DescribedMessagesTests` compare the
/// descriptions with what programs publish.
@Suite struct PrivacyTests {
    private var retained: [String] {
        TopicDescription.all.filter(\.isRetained).map(\.pattern)
    }

    @Test("Levels, scans and events are not retained.")
    func levels() {
        let all = TopicDescription.all.map(\.pattern)
        for topic in [
            "windows/<shard>/<beacon>/<node>", "nodes/<node>/scan", "nodes/<node>/events", "items/<item>/events",
        ] { #expect(all.contains(topic) && !retained.contains(topic), "\(topic)") }
    }

    /// True if a topic is one of a single item.
    private static func isOfItem(_ pattern: String) -> Bool {
        pattern.contains("<item>") || pattern.contains("<lesson>")
    }

    @Test("Of an item the broker retains entry, location, room, alerts, readings, battery and lessons.")
    func items() {
        #expect(
            retained.filter(Self.isOfItem).sorted() == [
                "items/<item>/alert", "items/<item>/battery", "items/<item>/config", "items/<item>/location",
                "items/<item>/room", "items/<item>/telemetry", "lessons/<lesson>",
            ])
    }

    @Test("Its id is retained in the occupancy of its room, and in proximity, regions and info of gateways.")
    func ids() {
        let topics = TopicDescription.all.filter { topic in
            guard topic.isRetained, !Self.isOfItem(topic.pattern) else { return false }
            guard !topic.pattern.contains("<beacon>"), case .object(let object) = topic.payload else {
                return topic.pattern.contains("<beacon>")
            }
            // Keys that name items are described so.
            return object.keys.contains { $0.meaning.lowercased().contains("item") }
        }
        #expect(
            topics.map(\.pattern).sorted() == [
                "nodes/<node>/info", "nodes/<node>/proximity/<beacon>", "nodes/<node>/regions/<region>",
                "rooms/<room>/occupancy",
            ])
    }
}
