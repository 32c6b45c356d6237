internal import Alerts
internal import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// An item of which nothing is to be known any more.
extension FuserPipeline {
    /// Whether all that is known of an item is of before a moment of the house; of no moment, all is.
    func isAll(of item: String, before moment: Timestamp?) -> Bool {
        guard persons.contains(item) else { return household.isAll(of: item, before: moment) }
        guard let moment, let heard = lastHeard(of: item) else { return true }
        return heard < moment
    }

    /// Forgets what is known of an item from before a moment, and clears what is retained of it; all of it where it wasn't
    /// heard since. What is kept elsewhere of visits and events is not this one's.
    mutating func purge(
        _ item: String, before moment: Timestamp?, at wall: Timestamp, _ outbox: inout [Message]
    ) -> PurgeReport {
        var report = PurgeReport()
        let answers = [topics.location(item), topics.room(item), topics.itemAlert(item)]
        let isAll = isAll(of: item, before: moment)
        let time = clock.time(atWall: wall)
        var outcomes: [Household.Outcome] = []
        let others = shelf.words.filter { $0.value == .taught }.map(\.key)
        report.lessons = household.forget(item, before: moment, others: others, at: time) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
        var told = telemetry.forget(item, before: moment) ? [topics.itemTelemetry(item)] : []
        if isAll {
            effects.confidences[item] = nil
            _ = held.take { $0 == item }
            alerts.forget(item, at: time)
            persons.forget(item, at: time)
            forget(itemOfPerson: item, at: time, &outbox)
            roomTeller.forget(item)
            told += answers.filter { topic in
                isUnnamedPerson(item) || retained.isInherited(topic)
                    || retained[topic].map { !$0.payload.isEmpty } ?? false
            }
        }
        if isAll { expect(registry.book.entry(item), at: wall) }
        guard serves(item) else { return report }
        if isUnnamedPerson(item) {
            unnamed.noteFormer(item)
            if unnamed.cleared(item) { effects.gonePersons.append(item) }
            // Home Assistant is told, too.
            news.items.insert(item)
        }
        report.messages = told.count
        // What an earlier run told may be there as well.
        for topic in isAll ? topicsOf(item) : told {
            outbox.append(retained.clear(topic))
        }
        return report
    }
}
