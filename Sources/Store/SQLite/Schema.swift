/// The database's form: steps that each lead to the next version (PRAGMA user_version).
struct Schema {
    /// The highest plausible version number; one above it is damage, not a newer program.
    static let highestVersion: Int64 = 10_000
    /// The offset of the two numbers in the file's header, big-endian (sqlite.org/fileformat.html section 1.3).
    static let versionOffset = 60
    static let applicationOffset = 68

    /// The number that distinguishes our databases from others, and a node's from a house's (PRAGMA application_id).
    var applicationID: Int64
    /// The tables of its records.
    var tables: [StoreChange.Table]
    /// The steps; step n leads from version n to n + 1. A released step is never changed.
    var steps: [String]

    /// The newest version.
    var version: Int64 { Int64(steps.count) }

    /// The schema of a node; `Wher` in ASCII.
    static let node = Schema(applicationID: 0x5768_6572, tables: nodeTables, steps: [first])
    /// The schema of a fuser: all of a node's, and the house; `WhHo` in ASCII.
    static let house = Schema(
        applicationID: 0x5768_486F,
        tables: nodeTables + [.trackers, .visits, .lessons, .journal, .persons, .audit, .truth, .telemetry],
        steps: [
            first, ofHouse, ofJournal, ofPersons, ofJournalRows, ofAudit, ofTruth, ofExport, ofAuditTrail,
            ofRepetitions,
        ])

    private static let nodeTables: [StoreChange.Table] = [
        .regions, .cadences, .alerts, .offers, .settings, .items, .topics, .positions,
    ]

    /// Times are microseconds since the Unix epoch.
    private static let first = """
        CREATE TABLE state (
            id INTEGER PRIMARY KEY CHECK (id = 1), created INTEGER NOT NULL, epoch INTEGER NOT NULL,
            last_seq INTEGER NOT NULL, alive INTEGER, closed INTEGER);
        CREATE TABLE epochs (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, begun INTEGER NOT NULL);
        CREATE TABLE events (
            epoch INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
            payload BLOB NOT NULL, PRIMARY KEY (epoch, seq)) WITHOUT ROWID;
        CREATE TABLE regions (
            id TEXT PRIMARY KEY, state TEXT NOT NULL, since INTEGER NOT NULL, determined_at INTEGER,
            beacons TEXT NOT NULL, detail BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE cadences (beacon TEXT PRIMARY KEY, bytes BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE alerts (
            id TEXT PRIMARY KEY, opened_at INTEGER NOT NULL, told_at INTEGER, told INTEGER NOT NULL,
            silenced_until INTEGER, detail BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE offers (region TEXT PRIMARY KEY, visit TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE items (
            id TEXT PRIMARY KEY, config BLOB NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL,
            removed_at INTEGER) WITHOUT ROWID;
        CREATE TABLE topics (topic TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE positions (source TEXT PRIMARY KEY, epoch TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Confidences are thousandths.
    private static let ofHouse = """
        CREATE TABLE trackers (
            item TEXT PRIMARY KEY, at INTEGER NOT NULL, state TEXT NOT NULL, room TEXT, since INTEGER NOT NULL,
            previous TEXT, heard INTEGER NOT NULL, silence INTEGER NOT NULL, item_seq INTEGER NOT NULL,
            belief BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE visits (
            item TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER, room TEXT NOT NULL, confidence INTEGER NOT NULL,
            PRIMARY KEY (item, began)) WITHOUT ROWID;
        CREATE INDEX visits_by_end ON visits (ended);
        CREATE TABLE lessons (
            id TEXT PRIMARY KEY, item TEXT NOT NULL, room TEXT NOT NULL, taught_at INTEGER NOT NULL,
            began INTEGER NOT NULL, ended INTEGER NOT NULL, detail BLOB NOT NULL) WITHOUT ROWID;
        """

    /// A row is an event, or a gap of events that will not arrive (from `seq` to `last`, which is NULL if unknown).
    private static let ofJournal = """
        CREATE TABLE journal (
            number INTEGER PRIMARY KEY, node TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, last INTEGER,
            at INTEGER NOT NULL, kind TEXT NOT NULL, region TEXT, subject TEXT, payload BLOB NOT NULL);
        CREATE INDEX journal_by_node ON journal (node, number);
        """

    /// An event of a node has one row, even if it arrives several times.
    private static let ofJournalRows = """
        DELETE FROM journal WHERE kind <> 'lost' AND number NOT IN (
            SELECT min(number) FROM journal WHERE kind <> 'lost' GROUP BY node, epoch, seq);
        CREATE INDEX journal_by_event ON journal (node, epoch, seq);
        """

    private static let ofPersons =
        "CREATE TABLE persons (person TEXT PRIMARY KEY, detail BLOB NOT NULL) WITHOUT ROWID;"

    private static let ofAudit = """
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY, at INTEGER NOT NULL, user TEXT NOT NULL, role TEXT NOT NULL, peer TEXT NOT NULL,
            method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL);
        """

    /// A mark without a room ends a walk.
    private static let ofTruth = """
        CREATE TABLE truth (
            item TEXT NOT NULL, at INTEGER NOT NULL, room TEXT, user TEXT NOT NULL, PRIMARY KEY (item, at)) WITHOUT ROWID;
        CREATE INDEX truth_by_time ON truth (at);
        """

    /// Numbers by which rows are copied to another database. A number is never used twice, even if its row is deleted:
    /// `ends` has the last one of each table. A change of a visit gives it the next number.
    private static let ofExport = """
        CREATE TABLE ends (stream TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE telemetry (
            number INTEGER PRIMARY KEY, item TEXT NOT NULL, at INTEGER NOT NULL, payload BLOB NOT NULL);
        ALTER TABLE visits ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        UPDATE visits SET change = counted.number FROM (
            SELECT item, began, row_number() OVER (ORDER BY began, item) AS number FROM visits) AS counted
            WHERE visits.item = counted.item AND visits.began = counted.began;
        CREATE INDEX visits_by_change ON visits (change);
        INSERT INTO ends (stream, last) SELECT 'visits', count(*) FROM visits
            UNION ALL SELECT 'journal', coalesce(max(number), 0) FROM journal
            UNION ALL SELECT 'audit', coalesce(max(number), 0) FROM audit
            UNION ALL SELECT 'telemetry', 0;
        CREATE TRIGGER visit_set AFTER INSERT ON visits BEGIN
            UPDATE ends SET last = max(last, new.change) WHERE stream = 'visits'; END;
        CREATE TRIGGER visit_cut AFTER UPDATE OF change ON visits BEGIN
            UPDATE ends SET last = max(last, new.change) WHERE stream = 'visits'; END;
        CREATE TRIGGER journal_added AFTER INSERT ON journal BEGIN
            UPDATE ends SET last = max(last, new.number) WHERE stream = 'journal'; END;
        CREATE TRIGGER audit_added AFTER INSERT ON audit BEGIN
            UPDATE ends SET last = max(last, new.number) WHERE stream = 'audit'; END;
        CREATE TRIGGER telemetry_added AFTER INSERT ON telemetry BEGIN
            UPDATE ends SET last = max(last, new.number) WHERE stream = 'telemetry'; END;
        """

    /// The audit is append-only: a row is never changed, but for the values that a purge erases, and never deleted while it
    /// is younger than 30 days, unless 100,000 later ones are there.
    private static let ofAuditTrail = """
        ALTER TABLE audit ADD COLUMN change TEXT NOT NULL DEFAULT '';
        ALTER TABLE audit ADD COLUMN proof TEXT NOT NULL DEFAULT 'page';
        ALTER TABLE audit ADD COLUMN action TEXT NOT NULL DEFAULT '';
        ALTER TABLE audit ADD COLUMN subject TEXT;
        ALTER TABLE audit ADD COLUMN old TEXT;
        ALTER TABLE audit ADD COLUMN new TEXT;
        ALTER TABLE audit ADD COLUMN erased INTEGER;
        CREATE INDEX audit_by_change ON audit (change);
        CREATE INDEX audit_by_subject ON audit (subject, number);
        CREATE TRIGGER audit_once BEFORE INSERT ON audit
        WHEN EXISTS (SELECT 1 FROM audit AS there WHERE there.number = NEW.number) BEGIN SELECT RAISE(IGNORE); END;
        CREATE TRIGGER audit_fixed BEFORE UPDATE ON audit
        WHEN NOT (NEW.old IS NULL AND NEW.new IS NULL AND NEW.erased IS NOT NULL AND NEW.number = OLD.number
            AND NEW.at = OLD.at AND NEW.user = OLD.user AND NEW.role = OLD.role AND NEW.peer = OLD.peer
            AND NEW.method = OLD.method AND NEW.path = OLD.path AND NEW.status = OLD.status
            AND NEW.change = OLD.change AND NEW.proof = OLD.proof AND NEW.action = OLD.action
            AND NEW.subject IS OLD.subject)
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit
        WHEN OLD.at > CAST(strftime('%s', 'now') AS INTEGER) * 1000000 - 2592000000000
            AND OLD.number > (SELECT max(number) FROM audit) - 100000
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
        """

    /// A row of the audit may count equal changes.
    private static let ofRepetitions = """
        ALTER TABLE audit ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE audit ADD COLUMN since INTEGER;
        CREATE TRIGGER audit_counted BEFORE UPDATE ON audit
        WHEN NEW.times <> OLD.times OR NEW.since IS NOT OLD.since
        BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
        """
}
