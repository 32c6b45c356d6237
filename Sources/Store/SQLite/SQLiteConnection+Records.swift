internal import Bytes

extension SQLiteConnection {
    /// Writes one change.
    func apply(_ change: StoreChange) throws(StoreError) {
        switch change {
        case .region(let region):
            try run(
                .setRegion, .text(region.id), .text(region.state), .time(region.since), .time(region.determinedAt),
                .text(BeaconList.text(region.beacons)), .bytes(region.detail))
        case .cadence(let cadence):
            try run(.setCadence, .text(cadence.beacon), .bytes(cadence.bytes), .time(cadence.at))
        case .alert(let alert):
            try run(
                .setAlert, .text(alert.id), .time(alert.openedAt), .time(alert.toldAt), .integer(Int64(alert.told)),
                .time(alert.silencedUntil), .bytes(alert.detail))
        case .offer(let offer): try run(.setOffer, .text(offer.region), .text(offer.visit), .time(offer.at))
        case .setting(let key, let value): try run(.setSetting, .text(key), .text(value))
        case .item(let item):
            try run(
                .setItem, .text(item.id), .bytes(item.config), .text(item.source), .time(item.at),
                .time(item.removedAt))
        case .topic(let topic): try run(.setTopic, .text(topic.topic), .time(topic.at))
        case .position(let position):
            try run(.setPosition, .text(position.source), .text(position.epoch), .count(position.seq))
        case .forgetRegion(let id): try run(.forgetRegion, .text(id))
        case .forgetCadence(let id): try run(.forgetCadence, .text(id))
        case .forgetAlert(let id): try run(.forgetAlert, .text(id))
        case .forgetOffer(let id): try run(.forgetOffer, .text(id))
        case .forgetSetting(let id): try run(.forgetSetting, .text(id))
        case .forgetItem(let id): try run(.forgetItem, .text(id))
        case .forgetTopic(let id): try run(.forgetTopic, .text(id))
        case .forgetPosition(let id): try run(.forgetPosition, .text(id))
        case .tracker(let tracker):
            try run(
                .setTracker, .text(tracker.item), .time(tracker.at), .text(tracker.state), .text(tracker.room),
                .time(tracker.since), .text(tracker.previous), .time(tracker.heard),
                .integer(tracker.silence.microseconds),
                .count(tracker.itemSeq), .bytes(tracker.belief))
        case .forgetTracker(let item): try run(.forgetTracker, .text(item))
        case .person(let person): try run(.setPerson, .text(person.person), .bytes(person.detail))
        case .forgetPerson(let id): try run(.forgetPerson, .text(id))
        case .visit(let visit):
            try run(
                .setVisit, .text(visit.item), .time(visit.from), .time(visit.to), .text(visit.room),
                .integer(Int64((min(1, max(0, visit.confidence)) * 1000).rounded())))
        case .lesson(let lesson):
            try run(
                .setLesson, .text(lesson.id), .text(lesson.item), .text(lesson.room), .time(lesson.taughtAt),
                .time(lesson.from), .time(lesson.to), .bytes(lesson.detail))
        case .forgetLesson(let id): try run(.forgetLesson, .text(id))
        case .journal(let row):
            try run(
                .addJournal, .count(row.number), .text(row.node), .text(row.epoch), .count(row.seq),
                row.last.map { .count($0) } ?? .null, .time(row.at), .text(row.kind), .text(row.region),
                .text(row.subject), .bytes(row.payload))
        case .audit(let row):
            try run(
                .addAudit, .count(row.number), .time(row.at), .text(row.user), .text(row.role), .text(row.peer),
                .text(row.method), .text(row.path), .integer(Int64(row.status)), .text(row.change), .text(row.proof),
                .text(row.action), .text(row.subject), .text(row.before), .text(row.after), .time(row.erased),
                .integer(Int64(row.times)), .time(row.since))
        case .truth(let mark):
            try run(.setTruth, .text(mark.item), .time(mark.at), .text(mark.room), .text(mark.user))
        case .forgetTruth(let item, let at): try run(.forgetTruth, .text(item), .time(at))
        case .telemetry(let row): try run(.addTelemetry, .text(row.item), .time(row.at), .bytes(row.payload))
        }
    }

    /// The records of a table, each as the change that sets it.
    func records(_ table: StoreChange.Table) throws(StoreError) -> [StoreChange] {
        switch table {
        case .regions:
            try rows(.readRegions) { row in
                .region(
                    RegionRecord(
                        id: row.text(0), state: row.text(1), since: row.time(2), determinedAt: row.optionalTime(3),
                        beacons: BeaconList.beacons(row.bytes(4)), detail: row.bytes(5)))
            }
        case .cadences:
            try rows(.readCadences) {
                .cadence(CadenceRecord(beacon: $0.text(0), bytes: $0.bytes(1), at: $0.time(2)))
            }
        case .alerts:
            try rows(.readAlerts) { row in
                .alert(
                    AlertRecord(
                        id: row.text(0), openedAt: row.time(1), toldAt: row.optionalTime(2),
                        told: UInt32(clamping: row.integer(3)), silencedUntil: row.optionalTime(4),
                        detail: row.bytes(5)))
            }
        case .offers:
            try rows(.readOffers) { .offer(OfferRecord(region: $0.text(0), visit: $0.text(1), at: $0.time(2))) }
        case .settings: try rows(.readSettings, [.text("")]) { .setting(key: $0.text(0), value: $0.text(1)) }
        case .items:
            try rows(.readItems) { row in
                .item(
                    ItemRecord(
                        id: row.text(0), config: row.bytes(1), source: row.text(2), at: row.time(3),
                        removedAt: row.optionalTime(4)))
            }
        case .topics: try rows(.readTopics) { .topic(TopicRecord(topic: $0.text(0), at: $0.time(1))) }
        case .positions:
            try rows(.readPositions) {
                .position(PositionRecord(source: $0.text(0), epoch: $0.text(1), seq: $0.count(2)))
            }
        case .trackers: try trackers().map { .tracker($0) }
        case .visits: try rows(.readVisits, [], Self.visit).map { .visit($0) }
        case .lessons: try lessons().map { .lesson($0) }
        case .journal: try rows(.readJournal, [], Self.journal).map { .journal($0) }
        case .audit: try rows(.readAudit, [], Self.audit).map { .audit($0) }
        case .truth: try rows(.readTruth, [], Self.truth).map { .truth($0) }
        case .telemetry: try rows(.readTelemetry, [], Self.telemetry).map { .telemetry($0) }
        case .persons: try rows(.readPersons) { .person(PersonRecord(person: $0.text(0), detail: $0.bytes(1))) }
        }
    }
}

/// The beacons of a region as one column: `[{"id":"keys","at":1700000000000000}]`.
enum BeaconList {
    static func text(_ beacons: [RegionRecord.Beacon]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for beacon in beacons {
            json.beginObject()
            json.field("id", beacon.id)
            json.field("at", beacon.lastHeard.microseconds)
            json.endObject()
        }
        json.endArray()
        return json.text
    }

    /// The beacons that can be read. A damaged rest is left out; those beacons are received again or exit in time.
    static func beacons(_ text: [UInt8]) -> [RegionRecord.Beacon] {
        var beacons: [RegionRecord.Beacon] = []
        do throws(JSONFault) {
            var json = JSONReader(text.span)
            try json.beginArray()
            while try json.nextElement() {
                var id: String?
                var at: Int64?
                try json.beginObject()
                while let key = try json.nextKey() {
                    switch key {
                    case "id": id = try json.string()
                    case "at": at = try json.integer(Int64.self)
                    default: try json.skip()
                    }
                }
                if let id, let at {
                    beacons.append(RegionRecord.Beacon(id: id, lastHeard: Timestamp(microseconds: at)))
                }
            }
        } catch {}
        return beacons
    }
}

/// The records of a house.
extension SQLiteConnection {
    func trackers() throws(StoreError) -> [TrackerRecord] {
        try rows(.readTrackers) { row in
            var tracker = TrackerRecord(
                item: row.text(0), at: row.time(1), state: row.text(2), since: row.time(4), heard: row.time(6))
            (tracker.room, tracker.previous) = (row.optionalText(3), row.optionalText(5))
            (tracker.silence, tracker.itemSeq) = (.microseconds(row.integer(7)), row.count(8))
            tracker.belief = row.bytes(9)
            return tracker
        }
    }

    func lessons() throws(StoreError) -> [LessonRecord] {
        try rows(.readLessons) { row in
            LessonRecord(
                id: row.text(0), item: row.text(1), room: row.text(2), taughtAt: row.time(3), from: row.time(4),
                to: row.time(5), detail: row.bytes(6))
        }
    }

    /// A row of visits.
    static func visit(_ row: borrowing SQLiteRow) -> VisitRecord {
        VisitRecord(
            item: row.text(0), room: row.text(3), from: row.time(1), to: row.optionalTime(2),
            confidence: Double(row.integer(4)) / 1000)
    }

    /// A row of the journal.
    static func journal(_ row: borrowing SQLiteRow) -> JournalRecord {
        JournalRecord(
            number: row.count(0), node: row.text(1), epoch: row.text(2), seq: row.count(3),
            last: row.isNull(4) ? nil : row.count(4), at: row.time(5), kind: row.text(6), region: row.optionalText(7),
            subject: row.optionalText(8), payload: row.bytes(9))
    }

    /// A row of the audit.
    static func audit(_ row: borrowing SQLiteRow) -> AuditRecord {
        var record = AuditRecord(
            number: row.count(0), at: row.time(1), user: row.text(2), role: row.text(3), peer: row.text(4),
            method: row.text(5), path: row.text(6), status: Int(row.integer(7)))
        (record.change, record.proof, record.action) = (row.text(8), row.text(9), row.text(10))
        (record.subject, record.before, record.after) = (
            row.optionalText(11), row.optionalText(12), row.optionalText(13)
        )
        record.erased = row.optionalTime(14)
        (record.times, record.since) = (Int(row.integer(15)), row.optionalTime(16))
        return record
    }

    /// A mark of a true room.
    static func truth(_ row: borrowing SQLiteRow) -> TruthRecord {
        TruthRecord(item: row.text(0), at: row.time(1), room: row.optionalText(2), user: row.text(3))
    }

    /// Readings.
    static func telemetry(_ row: borrowing SQLiteRow) -> TelemetryRecord {
        TelemetryRecord(number: row.count(0), item: row.text(1), at: row.time(2), payload: row.bytes(3))
    }
}
