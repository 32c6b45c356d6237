public import Bytes

/// One change of the state beside the events: a record set, or deleted by its id.
public enum StoreChange: Hashable, Sendable {
    /// Sets a region's state.
    case region(RegionRecord)
    /// Deletes a region.
    case forgetRegion(String)
    /// Sets the learned cadence of a beacon.
    case cadence(CadenceRecord)
    /// Deletes a beacon's cadence.
    case forgetCadence(String)
    /// Opens an alert, or sets its state.
    case alert(AlertRecord)
    /// Closes an alert.
    case forgetAlert(String)
    /// Sets the visit for which a region's offer was made.
    case offer(OfferRecord)
    /// Deletes the offer of a region.
    case forgetOffer(String)
    /// Sets a setting changed at run time.
    case setting(key: String, value: String)
    /// Deletes such a setting.
    case forgetSetting(String)
    /// Sets a registry entry or its tombstone.
    case item(ItemRecord)
    /// Deletes a registry entry or tombstone.
    case forgetItem(String)
    /// Records a retained topic as published.
    case topic(TopicRecord)
    /// Deletes a retained topic, after it was cleared.
    case forgetTopic(String)
    /// Sets the position in another ledger.
    case position(PositionRecord)
    /// Deletes such a position.
    case forgetPosition(String)
    /// Sets an item's whereabouts.
    case tracker(TrackerRecord)
    /// Deletes an item's whereabouts.
    case forgetTracker(String)
    /// Sets the state of a person.
    case person(PersonRecord)
    /// Deletes a person.
    case forgetPerson(String)
    /// Sets an item's stay in a room, identified by its item and beginning.
    case visit(VisitRecord)
    /// Sets a lesson.
    case lesson(LessonRecord)
    /// Deletes a lesson.
    case forgetLesson(String)

    /// Adds a row to the journal.
    case journal(JournalRecord)
    /// Adds a row to the audit.
    case audit(AuditRecord)
    /// Sets a mark of an item's true room, identified by its item and time.
    case truth(TruthRecord)
    /// Deletes such a mark.
    case forgetTruth(item: String, at: Timestamp)
    /// Adds readings of an item; the store numbers them.
    case telemetry(TelemetryRecord)

    /// The tables of such changes; those of the second row exist only for a house.
    enum Table {
        case regions, cadences, alerts, offers, settings, items, topics, positions
        case trackers, visits, lessons, journal, persons, audit, truth, telemetry
    }

    /// The subject of a change: a later change with the same key replaces it.
    struct Key: Hashable {
        var table: Table
        var id: String

        init(_ table: Table, _ id: String) {
            self.table = table
            self.id = id
        }
    }

    var key: Key {
        switch self {
        case .region(let record): Key(.regions, record.id)
        case .forgetRegion(let id): Key(.regions, id)
        case .cadence(let record): Key(.cadences, record.beacon)
        case .forgetCadence(let id): Key(.cadences, id)
        case .alert(let record): Key(.alerts, record.id)
        case .forgetAlert(let id): Key(.alerts, id)
        case .offer(let record): Key(.offers, record.region)
        case .forgetOffer(let id): Key(.offers, id)
        case .setting(let key, _): Key(.settings, key)
        case .forgetSetting(let id): Key(.settings, id)
        case .item(let record): Key(.items, record.id)
        case .forgetItem(let id): Key(.items, id)
        case .topic(let record): Key(.topics, record.topic)
        case .forgetTopic(let id): Key(.topics, id)
        case .position(let record): Key(.positions, record.source)
        case .forgetPosition(let id): Key(.positions, id)
        case .tracker(let record): Key(.trackers, record.item)
        case .forgetTracker(let id): Key(.trackers, id)
        case .person(let record): Key(.persons, record.person)
        case .forgetPerson(let id): Key(.persons, id)
        case .visit(let record): Key(.visits, "\(record.item) \(record.from.microseconds)")
        case .lesson(let record): Key(.lessons, record.id)
        case .forgetLesson(let id): Key(.lessons, id)
        case .journal(let record): Key(.journal, "\(record.number)")
        case .audit(let record): Key(.audit, "\(record.number)")
        case .truth(let record): Key(.truth, "\(record.item) \(record.at.microseconds)")
        case .forgetTruth(let item, let at): Key(.truth, "\(item) \(at.microseconds)")
        case .telemetry(let record): Key(.telemetry, "\(record.item) \(record.at.microseconds)")
        }
    }

    /// True if it must survive a power cut at once. State that is learned or received again isn't worth a flush of the
    /// card.
    var isUrgent: Bool {
        switch key.table {
        case .alerts, .offers, .settings, .items, .positions, .lessons, .journal, .audit, .truth: true
        case .regions, .cadences, .topics, .trackers, .visits, .persons, .telemetry: false
        }
    }

    /// True if it takes an item's entry out of the registry, or puts a tombstone in its place.
    var removesItem: Bool {
        switch self {
        case .item(let record): record.removedAt != nil
        case .forgetItem: true
        default: false
        }
    }
}
