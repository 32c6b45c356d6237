/// The statements that stay prepared.
enum Query: Int, CaseIterable {
    case begin, commit, rollback
    case addState, readState, setAlive, setSeq, setEpoch, close
    case addEpoch, readEpochs, forgetEpochs
    case addEvent, readEvents, readExtents, firstYoungEvent, pruneBefore, pruneEvents, readEdge
    case setRegion, forgetRegion, readRegions
    case setCadence, forgetCadence, readCadences
    case setAlert, forgetAlert, readAlerts
    case setOffer, forgetOffer, readOffers
    case setSetting, forgetSetting, readSetting, readSettings
    case setItem, forgetItem, readItems
    case setTopic, forgetTopic, readTopics
    case setPosition, forgetPosition, readPositions
    case setTracker, forgetTracker, readTrackers
    case setPerson, forgetPerson, readPersons
    case setVisit, readVisits, readVisitsAfter, readVisitsOf, readOpenVisits, countVisits, agePruneVisits, pruneVisits
    case purgeVisits, purgeOpenVisit, cutVisit, purgeEvents, purgeLessons
    case setLesson, forgetLesson, readLessons
    case addJournal, readJournal, readJournalAfter, readJournalOf, agePruneJournal, pruneJournal, purgeJournal
    case addAudit, readAudit, readEarlierAudit, readOlderAudit, readAuditAfter, readAuditBefore,
        readAuditBetween, findChange, readLastValue, countYoungAudit, pruneAudit
    case purgeAudit
    case setTruth, forgetTruth, readTruth, readTruthOf, agePruneTruth, pruneTruth, purgeTruth
    case addTelemetry, readTelemetry, readTelemetryAfter, agePruneTelemetry, pruneTelemetry, purgeTelemetry
    case readEnds, setEnd

    /// The statement.
    var text: String {
        switch self {
        case .begin: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"

        case .addState: "INSERT INTO state (id, created, epoch, last_seq) VALUES (1, ?1, 1, 0)"
        case .readState: "SELECT created, epoch, last_seq, alive, closed FROM state WHERE id = 1"
        case .setAlive: "UPDATE state SET alive = ?1, closed = NULL WHERE id = 1"
        case .setSeq: "UPDATE state SET alive = ?1, closed = NULL, last_seq = ?2 WHERE id = 1"
        case .setEpoch: "UPDATE state SET epoch = ?1, last_seq = ?2 WHERE id = 1"
        case .close: "UPDATE state SET alive = ?1, closed = ?1 WHERE id = 1"

        case .addEpoch: "INSERT INTO epochs (number, name, begun) VALUES (?1, ?2, ?3)"
        case .readEpochs: "SELECT number, name FROM epochs ORDER BY number"
        case .forgetEpochs:
            """
            DELETE FROM epochs WHERE number <> (SELECT epoch FROM state WHERE id = 1)
            AND number NOT IN (SELECT epoch FROM events)
            """

        case .addEvent: "INSERT INTO events (epoch, seq, at, kind, payload) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .readEvents:
            "SELECT seq, at, kind, payload FROM events WHERE epoch = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3"
        case .readExtents:
            "SELECT epoch, min(seq), max(seq), count(*) FROM events GROUP BY epoch ORDER BY epoch"
        // The first event that is young enough: the ledger loses its oldest events, never any in the middle.
        case .firstYoungEvent: "SELECT epoch, seq FROM events WHERE at >= ?1 ORDER BY epoch, seq LIMIT 1"
        case .pruneBefore: "DELETE FROM events WHERE (epoch, seq) < (?1, ?2)"
        case .pruneEvents:
            """
            DELETE FROM events WHERE (epoch, seq) IN (
                SELECT epoch, seq FROM events WHERE (epoch, seq) <= (?2, ?3) ORDER BY epoch, seq LIMIT ?1)
            """

        case .readEdge: "SELECT number FROM epochs WHERE name = ?1"

        case .setRegion:
            """
            INSERT OR REPLACE INTO regions (id, state, since, determined_at, beacons, detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        case .forgetRegion: "DELETE FROM regions WHERE id = ?1"
        case .readRegions: "SELECT id, state, since, determined_at, beacons, detail FROM regions"

        case .setCadence: "INSERT OR REPLACE INTO cadences (beacon, bytes, at) VALUES (?1, ?2, ?3)"
        case .forgetCadence: "DELETE FROM cadences WHERE beacon = ?1"
        case .readCadences: "SELECT beacon, bytes, at FROM cadences"

        case .setAlert:
            """
            INSERT OR REPLACE INTO alerts (id, opened_at, told_at, told, silenced_until, detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        case .forgetAlert: "DELETE FROM alerts WHERE id = ?1"
        case .readAlerts: "SELECT id, opened_at, told_at, told, silenced_until, detail FROM alerts"

        case .setOffer: "INSERT OR REPLACE INTO offers (region, visit, at) VALUES (?1, ?2, ?3)"
        case .forgetOffer: "DELETE FROM offers WHERE region = ?1"
        case .readOffers: "SELECT region, visit, at FROM offers"

        case .setSetting: "INSERT OR REPLACE INTO settings (key, value) VALUES (?1, ?2)"
        case .forgetSetting: "DELETE FROM settings WHERE key = ?1"
        case .readSetting: "SELECT value FROM settings WHERE key = ?1"
        case .readSettings: "SELECT key, value FROM settings WHERE key >= ?1 AND key <= ?1 || char(0x10FFFF)"

        case .setItem:
            "INSERT OR REPLACE INTO items (id, config, source, at, removed_at) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .forgetItem: "DELETE FROM items WHERE id = ?1"
        case .readItems: "SELECT id, config, source, at, removed_at FROM items"

        case .setTopic: "INSERT OR REPLACE INTO topics (topic, at) VALUES (?1, ?2)"
        case .forgetTopic: "DELETE FROM topics WHERE topic = ?1"
        case .readTopics: "SELECT topic, at FROM topics"

        case .setPosition: "INSERT OR REPLACE INTO positions (source, epoch, seq) VALUES (?1, ?2, ?3)"
        case .forgetPosition: "DELETE FROM positions WHERE source = ?1"
        case .readPositions: "SELECT source, epoch, seq FROM positions"

        case .setTracker:
            """
            INSERT OR REPLACE INTO trackers
            (item, at, state, room, since, previous, heard, silence, item_seq, belief)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        case .forgetTracker: "DELETE FROM trackers WHERE item = ?1"
        case .readTrackers:
            "SELECT item, at, state, room, since, previous, heard, silence, item_seq, belief FROM trackers"

        case .setPerson: "INSERT OR REPLACE INTO persons (person, detail) VALUES (?1, ?2)"
        case .forgetPerson: "DELETE FROM persons WHERE person = ?1"
        case .readPersons: "SELECT person, detail FROM persons"

        case .setVisit:
            """
            INSERT OR REPLACE INTO visits (item, began, ended, room, confidence, change)
            VALUES (?1, ?2, ?3, ?4, ?5, (SELECT last + 1 FROM ends WHERE stream = 'visits'))
            """
        case .readVisits: "SELECT item, began, ended, room, confidence FROM visits"
        case .readVisitsAfter:
            """
            SELECT item, began, ended, room, confidence, change FROM visits WHERE change > ?1 ORDER BY change LIMIT ?2
            """
        case .readVisitsOf:
            """
            SELECT item, began, ended, room, confidence FROM visits
            WHERE item = ?1 AND began < ?3 AND (ended IS NULL OR ended > ?2) ORDER BY began LIMIT ?4
            """
        case .readOpenVisits: "SELECT item, began, ended, room, confidence FROM visits WHERE ended IS NULL"
        case .countVisits: "SELECT count(*) FROM visits WHERE ended IS NOT NULL"
        case .agePruneVisits: "DELETE FROM visits WHERE ended < ?1 AND change <= ?2"
        case .pruneVisits:
            """
            DELETE FROM visits WHERE (item, began) IN
            (SELECT item, began FROM visits WHERE ended IS NOT NULL AND change <= ?2 ORDER BY ended LIMIT ?1)
            """
        case .purgeVisits: "DELETE FROM visits WHERE item = ?1 AND ended <= ?2"
        case .purgeOpenVisit: "DELETE FROM visits WHERE item = ?1 AND ended IS NULL"
        case .purgeLessons: "DELETE FROM lessons WHERE item = ?1 AND taught_at < ?2"
        case .cutVisit:
            """
            UPDATE visits SET began = ?2, change = (SELECT last + 1 FROM ends WHERE stream = 'visits')
            WHERE item = ?1 AND began < ?2
            """
        // The number is retained: a ledger has no gaps.
        case .purgeEvents:
            """
            UPDATE events SET kind = '', payload = x'' WHERE at < ?2
            AND substr(payload, 1, length(?1) + 1) = CAST(?1 || char(10) AS BLOB)
            """

        case .setLesson:
            """
            INSERT OR REPLACE INTO lessons (id, item, room, taught_at, began, ended, detail)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        case .forgetLesson: "DELETE FROM lessons WHERE id = ?1"
        case .readLessons: "SELECT id, item, room, taught_at, began, ended, detail FROM lessons"

        case .addJournal:
            """
            INSERT OR REPLACE INTO journal (number, node, epoch, seq, last, at, kind, region, subject, payload)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT EXISTS (
                SELECT 1 FROM journal WHERE node = ?2 AND epoch = ?3 AND seq = ?4 AND number <> ?1
                AND ((?7 <> 'lost' AND kind <> 'lost') OR (?7 = 'lost' AND kind = 'lost' AND last IS ?5)))
            """
        case .readJournal:
            "SELECT number, node, epoch, seq, last, at, kind, region, subject, payload FROM journal"
        case .readJournalAfter:
            """
            SELECT number, node, epoch, seq, last, at, kind, region, subject, payload FROM journal
            WHERE number > ?1 ORDER BY number LIMIT ?2
            """
        case .readJournalOf:
            """
            SELECT number, node, epoch, seq, last, at, kind, region, subject, payload FROM journal
            WHERE node = ?1 AND number > ?2 AND (?3 IS NULL OR region = ?3 OR kind = 'lost')
            AND at >= ?4 AND at < ?5 ORDER BY number LIMIT ?6
            """
        case .agePruneJournal: "DELETE FROM journal WHERE at < ?1 AND number <= ?2"
        case .pruneJournal:
            "DELETE FROM journal WHERE number <= (SELECT max(number) FROM journal) - ?1 AND number <= ?2"
        case .purgeJournal: "DELETE FROM journal WHERE subject = ?1 AND at < ?2"

        case .addAudit:
            """
            INSERT INTO audit (\(Self.auditColumns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """
        case .readAudit: "SELECT \(Self.auditColumns) FROM audit"
        case .readEarlierAudit: "SELECT \(Self.earlierAuditColumns), 1, NULL FROM audit"
        case .readOlderAudit:
            """
            SELECT number, at, user, role, peer, method, path, status, '', 'page', '', NULL, NULL, NULL, NULL, 1, NULL
            FROM audit
            """
        case .readAuditBefore:
            """
            SELECT \(Self.auditColumns) FROM audit
            WHERE number < ?1 ORDER BY number DESC LIMIT ?2
            """
        case .readAuditAfter:
            """
            SELECT \(Self.auditColumns) FROM audit
            WHERE number > ?1 ORDER BY number LIMIT ?2
            """
        case .pruneAudit:
            """
            DELETE FROM audit WHERE number <= ?3 AND (number <= (SELECT max(number) FROM audit) - ?2
            OR at <= CAST(strftime('%s', 'now') AS INTEGER) * 1000000 - ?1)
            """
        case .countYoungAudit:
            """
            SELECT count(*) FROM audit WHERE number <= (SELECT max(number) FROM audit) - ?2
            AND at > CAST(strftime('%s', 'now') AS INTEGER) * 1000000 - ?1
            """
        case .readAuditBetween:
            """
            SELECT \(Self.auditColumns) FROM audit
            WHERE number > ?1 AND at >= ?2 AND at < ?3 ORDER BY number LIMIT ?4
            """
        case .findChange: "SELECT count(*) FROM audit WHERE change = ?1"
        case .readLastValue:
            """
            SELECT new FROM audit
            WHERE subject = ?1 AND action = ?2 AND status < 400 ORDER BY number DESC LIMIT 1
            """
        case .purgeAudit:
            """
            UPDATE audit SET old = NULL, new = NULL, erased = ?3
            WHERE subject = ?1 AND coalesce(since, at) < ?2 AND (old IS NOT NULL OR new IS NOT NULL)
            """

        case .setTruth: "INSERT OR REPLACE INTO truth (item, at, room, user) VALUES (?1, ?2, ?3, ?4)"
        case .forgetTruth: "DELETE FROM truth WHERE item = ?1 AND at = ?2"
        case .readTruth: "SELECT item, at, room, user FROM truth"
        case .readTruthOf: "SELECT item, at, room, user FROM truth WHERE item = ?1 ORDER BY at DESC LIMIT ?2"
        case .agePruneTruth: "DELETE FROM truth WHERE at < ?1"
        case .pruneTruth:
            """
            DELETE FROM truth WHERE (item, at) IN (SELECT item, at FROM truth ORDER BY at DESC LIMIT -1 OFFSET ?1)
            """
        case .purgeTruth: "DELETE FROM truth WHERE item = ?1 AND at < ?2"

        case .addTelemetry:
            """
            INSERT INTO telemetry (number, item, at, payload)
            VALUES ((SELECT last + 1 FROM ends WHERE stream = 'telemetry'), ?1, ?2, ?3)
            """
        case .readTelemetry: "SELECT number, item, at, payload FROM telemetry"
        case .readTelemetryAfter:
            "SELECT number, item, at, payload FROM telemetry WHERE number > ?1 ORDER BY number LIMIT ?2"
        case .agePruneTelemetry: "DELETE FROM telemetry WHERE at < ?1"
        case .pruneTelemetry: "DELETE FROM telemetry WHERE number <= ?1"
        case .purgeTelemetry: "DELETE FROM telemetry WHERE item = ?1 AND at < ?2"

        case .readEnds: "SELECT stream, last FROM ends"
        case .setEnd: "UPDATE ends SET last = max(last, ?2) WHERE stream = ?1"
        }
    }

    private static let auditColumns = earlierAuditColumns + ", times, since"
    private static let earlierAuditColumns =
        "number, at, user, role, peer, method, path, status, change, proof, action, subject, old, new, erased"

    /// The purpose of the statement, for an error text.
    var purpose: String {
        switch self {
        case .begin: "begin a transaction"
        case .commit: "commit a transaction"
        case .rollback: "roll a transaction back"
        case .addState: "make the database"
        case .readState: "read the state"
        case .setAlive: "store the time"
        case .setSeq: "store the number of the last event"
        case .setEpoch, .addEpoch: "begin an epoch"
        case .close: "store the end of the run"
        case .readEpochs: "read the epochs"
        case .forgetEpochs: "delete old epochs"
        case .addEvent: "append an event"
        case .readEvents: "read events"
        case .readExtents: "read the ledger's extent"
        case .firstYoungEvent, .pruneBefore, .pruneEvents, .readEdge: "prune the ledger"
        case .setRegion, .forgetRegion: "store a region"
        case .readRegions: "read the regions"
        case .setCadence, .forgetCadence: "store a cadence"
        case .readCadences: "read the cadences"
        case .setAlert, .forgetAlert: "store an alert"
        case .readAlerts: "read the alerts"
        case .setOffer, .forgetOffer: "store an offer"
        case .readOffers: "read the offers"
        case .setSetting, .forgetSetting: "store a setting"
        case .readSetting, .readSettings: "read the settings"
        case .setItem, .forgetItem: "store an item"
        case .readItems: "read the items"
        case .setTopic, .forgetTopic: "store a topic"
        case .readTopics: "read the topics"
        case .setPosition, .forgetPosition: "store a position"
        case .readPositions: "read the positions"
        case .setTracker, .forgetTracker: "store an item's state"
        case .readTrackers: "read the items' states"
        case .setPerson, .forgetPerson: "store a person's state"
        case .readPersons: "read the persons' states"
        case .setVisit: "store a visit"
        case .readVisits, .readVisitsAfter, .readVisitsOf, .readOpenVisits: "read the visits"
        case .countVisits, .agePruneVisits, .pruneVisits: "prune the visits"
        case .purgeVisits, .purgeOpenVisit, .cutVisit, .purgeEvents, .purgeLessons, .purgeTruth, .purgeTelemetry,
            .purgeAudit:
            "purge an item's history"
        case .setLesson, .forgetLesson: "store a lesson"
        case .readLessons: "read the lessons"
        case .addJournal: "store an event of a node"
        case .readJournal, .readJournalAfter, .readJournalOf: "read the nodes' events"
        case .agePruneJournal, .pruneJournal: "prune the nodes' events"
        case .purgeJournal: "purge an item's history"
        case .addAudit: "record a change in the audit"
        case .readAudit, .readEarlierAudit, .readOlderAudit, .readAuditAfter, .readAuditBefore, .readAuditBetween,
            .findChange, .readLastValue:
            "read the audit"
        case .countYoungAudit, .pruneAudit: "prune the audit"
        case .setTruth, .forgetTruth: "store a true room"
        case .readTruth, .readTruthOf: "read the true rooms"
        case .agePruneTruth, .pruneTruth: "prune the true rooms"
        case .addTelemetry: "store readings"
        case .readTelemetry, .readTelemetryAfter: "read the readings"
        case .agePruneTelemetry, .pruneTelemetry: "prune the readings"
        case .readEnds, .setEnd: "read the last numbers"
        }
    }
}
