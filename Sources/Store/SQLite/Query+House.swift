/// The statements of a house's tables.
extension Query {
    /// The statement.
    var textOfHouse: String {
        switch self {
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
            "INSERT OR REPLACE INTO visits (item, began, ended, room, confidence) VALUES (?1, ?2, ?3, ?4, ?5)"
        case .readVisits: "SELECT item, began, ended, room, confidence FROM visits"
        case .readVisitsOf:
            """
            SELECT item, began, ended, room, confidence FROM visits
            WHERE item = ?1 AND began < ?3 AND (ended IS NULL OR ended > ?2) ORDER BY began LIMIT ?4
            """
        case .readOpenVisits: "SELECT item, began, ended, room, confidence FROM visits WHERE ended IS NULL"
        case .countVisits: "SELECT count(*) FROM visits WHERE ended IS NOT NULL"
        case .agePruneVisits: "DELETE FROM visits WHERE ended < ?1"
        case .pruneVisits:
            """
            DELETE FROM visits WHERE (item, began) IN
            (SELECT item, began FROM visits WHERE ended IS NOT NULL ORDER BY ended LIMIT ?1)
            """
        case .purgeVisits: "DELETE FROM visits WHERE item = ?1 AND ended <= ?2"
        case .purgeOpenVisit: "DELETE FROM visits WHERE item = ?1 AND ended IS NULL"
        case .purgeLessons: "DELETE FROM lessons WHERE item = ?1 AND taught_at < ?2"
        case .cutVisit: "UPDATE visits SET began = ?2 WHERE item = ?1 AND began < ?2"
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
        case .readJournalOf:
            """
            SELECT number, node, epoch, seq, last, at, kind, region, subject, payload FROM journal
            WHERE node = ?1 AND number > ?2 AND (?3 IS NULL OR region = ?3 OR kind = 'lost')
            AND at >= ?4 AND at < ?5 ORDER BY number LIMIT ?6
            """
        case .readJournalEnd: "SELECT coalesce(max(number), 0) FROM journal"
        case .agePruneJournal: "DELETE FROM journal WHERE at < ?1"
        case .pruneJournal: "DELETE FROM journal WHERE number <= (SELECT max(number) FROM journal) - ?1"
        case .purgeJournal: "DELETE FROM journal WHERE subject = ?1 AND at < ?2"
        default: ""
        }
    }

    /// The purpose of the statement, for an error text.
    var purposeOfHouse: String {
        switch self {
        case .setTracker, .forgetTracker: "keep an item's whereabouts"
        case .readTrackers: "read the items' whereabouts"
        case .setPerson, .forgetPerson: "keep what is remembered of a person"
        case .readPersons: "read what is remembered of persons"
        case .setVisit: "keep a visit"
        case .readVisits, .readVisitsOf, .readOpenVisits: "read the visits"
        case .countVisits, .agePruneVisits, .pruneVisits: "prune the visits"
        case .purgeVisits, .purgeOpenVisit, .cutVisit, .purgeEvents, .purgeLessons: "purge an item's history"
        case .setLesson, .forgetLesson: "keep a lesson"
        case .readLessons: "read the lessons"
        case .addJournal: "keep an event of a node"
        case .readJournal, .readJournalOf, .readJournalEnd: "read the nodes' events"
        case .agePruneJournal, .pruneJournal: "prune the nodes' events"
        case .purgeJournal: "purge an item's history"
        default: ""
        }
    }
}
