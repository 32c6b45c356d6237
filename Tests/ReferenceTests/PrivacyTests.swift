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

    @Test(
        "Of an item the broker retains entry, location, room, alerts, readings and battery, and its proximity to each gateway."
    )
    func items() {
        let topics = retained.filter { $0.contains("<item>") || $0.contains("<beacon>") }.sorted()
        #expect(
            topics == [
                "items/<item>/alert", "items/<item>/battery", "items/<item>/config", "items/<item>/location",
                "items/<item>/room", "items/<item>/telemetry", "nodes/<node>/proximity/<beacon>",
            ])
    }
}
