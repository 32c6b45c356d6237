internal import Bytes
internal import WireProtocol

/// The readings of items' beacons, as they are published.
final class TelemetryPublisher: FuserComponent {
    private var table = TelemetryTable()
    private var changes = TelemetryChanges()

    func receive(_ message: HouseMessage, _ turn: Turn) {
        if case .telemetry(let item, let message) = message { recordReadings(message.payload, of: item, turn) }
    }

    func readingsReceived(_ readings: Telemetry, in window: Window, of item: String, _ turn: Turn) {
        guard turn.serves(item), let latest = table.receiveTelemetry(readings, of: item, at: window.to) else { return }
        let payload = turn.publication.payload { latest.write(to: &$0, at: window.to, node: window.node) }
        recordReadings(payload, of: item, turn)
        if changes.note(latest, of: item, at: window.to) {
            turn.publication.record(readings: payload, of: item, at: window.to)
        }
        turn.publication.sendMessage(
            Message(
                topic: turn.identity.topics.itemTelemetry(item), payload: payload, qos: .atLeastOnce, retained: true))
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        var report = PurgeReport()
        let (item, topic) = (erasure.item, turn.identity.topics.itemTelemetry(erasure.item))
        let isErased = table.removeItem(item, before: erasure.moment)
        if !erasure.isPurge { table.forgetReadings(of: item) }
        if erasure.isWhole || !erasure.isPurge { changes.forget(item) }
        // After a purge an earlier run's message may be there as well, unknown to this one.
        guard isErased || (erasure.isWhole && (erasure.isPurge || turn.publication.brokerRetains(topic))) else {
            return report
        }
        turn.publication.clear(topic, of: item)
        report.messages = isErased && turn.serves(item) ? 1 : 0
        return report
    }

    /// The readings that an item's beacon has sent, by their keys.
    func readings(of item: String) -> Set<String> { table.readings(of: item) }

    /// Records the readings of a payload: each becomes an entity of Home Assistant.
    private func recordReadings(_ payload: [UInt8], of item: String, _ turn: Turn) {
        if table.noteReadings(payload, of: item) { turn.emit { $0.entitiesChanged(of: item, turn) } }
    }
}
