internal import Alerts
internal import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// Items that were removed from the registry: what is retained of them is cleared, and nothing is told of them any more.
/// Their history, and what they taught, stay until they are purged.
extension FuserPipeline {
    /// An item's entry has changed.
    mutating func noteEntry(of item: String, at wall: Timestamp, _ outbox: inout [Message]) {
        news.items.insert(item)
        if persons.contains(item) { return judgeEntry(ofPerson: item) }
        notePatience(of: item)
        let entry = registry.book.entry(item)
        guard entry?.isTombstone == true else {
            removed.remove(item)
            expect(entry, at: wall)
            return
        }
        removed.insert(item)
        let time = clock.time(atWall: wall)
        var outcomes: [Household.Outcome] = []
        household.withdraw(item, at: time) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
        effects.confidences[item] = nil
        telemetry.forgetReadings(of: item)
        places.forget(item: item)
        _ = held.take { $0 == item }
        alerts.forget(item, at: time)
        forget(itemOfPerson: item, at: time, &outbox)
        roomTeller.forget(item)
        if telemetry.forget(item, before: nil) { clear(topics.itemTelemetry(item), of: item, &outbox) }
        for topic in topicsOf(item) where retained.stands(topic) {
            clear(topic, of: item, &outbox)
        }
    }

    /// A node is gone for good, or has another name: its room goes with it where nobody else names it and nobody is in it.
    mutating func forget(node: String, _ outbox: inout [Message]) {
        household.forget(node: node)
        wills.forget(node, &outbox)
        guard let room = places.forget(node: node), !rooms.contains(room) else { return }
        clear(topics.occupancy(room), of: room, &outbox)
    }

    /// Clears what the broker kept of an item that was removed.
    mutating func withdraw(leftover message: Message, of item: String, _ outbox: inout [Message]) {
        guard !message.payload.isEmpty else { return }
        clear(message.topic, of: item, &outbox)
    }

    private mutating func clear(_ topic: String, of item: String, _ outbox: inout [Message]) {
        guard serves(item) else { return }
        outbox.append(retained.clear(topic))
    }

    /// All topics that are retained of an item but its entry.
    func topicsOf(_ item: String) -> [String] {
        [topics.location(item), topics.room(item), topics.itemAlert(item), topics.itemTelemetry(item)]
    }
}
