internal import Bytes

/// One change of what is kept beside the events: a record set, or forgotten by its id.
public enum StoreChange: Hashable, Sendable {
    /// Sets a region's state.
    case region(RegionRecord)
    /// Forgets a region.
    case forgetRegion(String)
    /// Sets what was learned of a beacon's cadence.
    case cadence(CadenceRecord)
    /// Forgets a beacon's cadence.
    case forgetCadence(String)
    /// Opens an alert, or sets what is known of it.
    case alert(AlertRecord)
    /// Closes an alert.
    case forgetAlert(String)
    /// Sets the visit for which a region's offer was made.
    case offer(OfferRecord)
    /// Forgets the offer of a region.
    case forgetOffer(String)
    /// Sets a value that was set at run time.
    case setting(key: String, value: String)
    /// Forgets such a value.
    case forgetSetting(String)
    /// Sets a registry entry or its tombstone.
    case item(ItemRecord)
    /// Forgets a registry entry or tombstone.
    case forgetItem(String)
    /// Notes a retained topic as published.
    case topic(TopicRecord)
    /// Forgets a retained topic, once it was cleared.
    case forgetTopic(String)
    /// Sets how far someone else's events were taken.
    case position(PositionRecord)
    /// Forgets that.
    case forgetPosition(String)
    /// Sets what is known of an item's whereabouts.
    case tracker(TrackerRecord)
    /// Forgets an item's whereabouts.
    case forgetTracker(String)
    /// Sets what is remembered of a person.
    case person(PersonRecord)
    /// Forgets a person.
    case forgetPerson(String)
    /// Sets an item's stay in a room; its item and begin name it.
    case visit(VisitRecord)
    /// Sets a lesson.
    case lesson(LessonRecord)
    /// Forgets a lesson.
    case forgetLesson(String)

    /// Adds a row to the journal.
    case journal(JournalRecord)

    /// The tables of such changes; those of the second row are a house's alone.
    enum Table {
        case regions, cadences, alerts, offers, settings, items, topics, positions
        case trackers, visits, lessons, journal, persons
    }

    /// What a change is about: a later change of the same key replaces it.
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
        }
    }

    /// Whether it must outlast a power cut at once. What is learned or heard again is not worth a flush of the card.
    var isUrgent: Bool {
        switch key.table {
        case .alerts, .offers, .settings, .items, .positions, .lessons, .journal: true
        case .regions, .cadences, .topics, .trackers, .visits, .persons: false
        }
    }
}
