/// The schema `whereabouts` of the database: steps that each lead to the next version.
enum HistorySchema {
    /// The text that tells the schema of this program from another of that name.
    static let mark = "whereabouts long history"
    /// The newest version.
    static var version: Int { steps.count }
    /// The number of the advisory lock under which the schema is changed (`Wher`).
    static let lock = 0x5768_6572

    /// The steps; a released step is never changed.
    static let steps = [tables + functions + views, trail, longVisits, repetitions]

    private static let tables = """
        CREATE TABLE whereabouts.fusers (
            site text NOT NULL, publisher text NOT NULL, seen timestamptz NOT NULL, contact timestamptz NOT NULL,
            keep interval NOT NULL, PRIMARY KEY (site, publisher));
        COMMENT ON COLUMN whereabouts.fusers.seen IS 'time in the house of its last sign: open visits last until then';
        CREATE TABLE whereabouts.cursors (
            site text NOT NULL, publisher text NOT NULL, stream text NOT NULL, epoch text NOT NULL,
            position bigint NOT NULL, written bigint NOT NULL, at timestamptz NOT NULL,
            PRIMARY KEY (site, publisher, stream, epoch));
        CREATE TABLE whereabouts.events (
            site text NOT NULL, publisher text NOT NULL, epoch text NOT NULL, seq bigint NOT NULL,
            at timestamptz NOT NULL, item text NOT NULL, kind text NOT NULL, payload jsonb NOT NULL,
            PRIMARY KEY (site, publisher, epoch, seq, at)) PARTITION BY RANGE (at);
        CREATE INDEX events_by_item ON whereabouts.events (site, item, at);
        CREATE TABLE whereabouts.events_other PARTITION OF whereabouts.events DEFAULT;
        CREATE TABLE whereabouts.visits (
            site text NOT NULL, publisher text NOT NULL, item text NOT NULL, began timestamptz NOT NULL,
            ended timestamptz, room text NOT NULL, confidence real NOT NULL,
            PRIMARY KEY (site, item, began, publisher)) PARTITION BY RANGE (began);
        CREATE INDEX visits_by_room ON whereabouts.visits (site, room, began);
        CREATE TABLE whereabouts.visits_other PARTITION OF whereabouts.visits DEFAULT;
        CREATE TABLE whereabouts.node_events (
            site text NOT NULL, node text NOT NULL, epoch text NOT NULL, seq bigint NOT NULL, last bigint,
            at timestamptz NOT NULL, kind text NOT NULL, region text, item text, payload jsonb NOT NULL,
            publisher text NOT NULL, PRIMARY KEY (site, node, epoch, seq, kind, at)) PARTITION BY RANGE (at);
        CREATE INDEX node_events_by_item ON whereabouts.node_events (site, item, at);
        CREATE TABLE whereabouts.node_events_other PARTITION OF whereabouts.node_events DEFAULT;
        CREATE TABLE whereabouts.audit (
            site text NOT NULL, publisher text NOT NULL, number bigint NOT NULL, at timestamptz NOT NULL,
            username text NOT NULL, role text NOT NULL, address text NOT NULL, method text NOT NULL, path text NOT NULL,
            status integer NOT NULL, PRIMARY KEY (site, publisher, number, at)) PARTITION BY RANGE (at);
        CREATE TABLE whereabouts.audit_other PARTITION OF whereabouts.audit DEFAULT;
        CREATE TABLE whereabouts.telemetry (
            site text NOT NULL, publisher text NOT NULL, item text NOT NULL, at timestamptz NOT NULL,
            readings jsonb NOT NULL, PRIMARY KEY (site, item, at, publisher)) PARTITION BY RANGE (at);
        CREATE TABLE whereabouts.telemetry_other PARTITION OF whereabouts.telemetry DEFAULT;

        """

    /// The authors of changes, with the values; rows of several fusers about one change have one name.
    private static let trail = """
        ALTER TABLE whereabouts.audit ADD COLUMN change text NOT NULL DEFAULT '',
            ADD COLUMN proof text NOT NULL DEFAULT 'page', ADD COLUMN action text NOT NULL DEFAULT '',
            ADD COLUMN subject text, ADD COLUMN before jsonb, ADD COLUMN after jsonb, ADD COLUMN erased timestamptz;
        CREATE INDEX audit_by_subject ON whereabouts.audit (site, subject);
        CREATE VIEW whereabouts.changes AS
        SELECT DISTINCT ON (site, change) * FROM whereabouts.audit WHERE change <> ''
        ORDER BY site, change, proof = 'page' DESC, at, publisher;
        COMMENT ON VIEW whereabouts.changes IS 'each change once, however many fusers saw it';

        """

    /// A row of the audit may count equal changes.
    private static let repetitions = """
        ALTER TABLE whereabouts.audit ADD COLUMN times integer NOT NULL DEFAULT 1, ADD COLUMN since timestamptz;
        CREATE OR REPLACE VIEW whereabouts.changes AS
        SELECT DISTINCT ON (site, change) * FROM whereabouts.audit WHERE change <> ''
        ORDER BY site, change, proof = 'page' DESC, at, publisher;

        """

    /// A partition is a day in UTC. What had its place beside all days moves into it.
    private static let functions = """
        CREATE FUNCTION whereabouts.make_day(parent text, day date) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            part text := parent || to_char(day, '"_"YYYYMMDD');
            key text := CASE parent WHEN 'visits' THEN 'began' ELSE 'at' END;
            first timestamptz := day::timestamp AT TIME ZONE 'UTC';
            after timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
        BEGIN
            IF to_regclass('whereabouts.' || part) IS NOT NULL THEN RETURN; END IF;
            PERFORM pg_advisory_xact_lock(\(lock), 2);
            IF to_regclass('whereabouts.' || part) IS NOT NULL THEN RETURN; END IF;
            EXECUTE format('CREATE TABLE whereabouts.%I (LIKE whereabouts.%I INCLUDING ALL)', part, parent);
            EXECUTE format('WITH moved AS (DELETE FROM whereabouts.%I WHERE %I >= $1 AND %I < $2 RETURNING *)
                INSERT INTO whereabouts.%I SELECT * FROM moved', parent || '_other', key, key, part) USING first, after;
            EXECUTE format('ALTER TABLE whereabouts.%I ATTACH PARTITION whereabouts.%I FOR VALUES FROM (%L) TO (%L)',
                parent, part, first, after);
        END $$;

        CREATE FUNCTION whereabouts.drop_days(before timestamptz, most integer) RETURNS integer LANGUAGE plpgsql AS $$
        DECLARE
            part text;
            count integer := 0;
        BEGIN
            FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace n ON n.oid = p.relnamespace
                WHERE n.nspname = 'whereabouts' AND c.relkind = 'r' AND c.relname ~ '_[0-9]{8}$'
                AND (right(c.relname, 8)::date + 1)::timestamp AT TIME ZONE 'UTC' <= before ORDER BY c.relname LIMIT most
            LOOP
                EXECUTE format('DROP TABLE whereabouts.%I', part);
                count := count + 1;
            END LOOP;
            RETURN count;
        END $$;

        """

    /// A visit is kept by its end, and one that lasts by the last contact of its fuser. It moves beside all days when
    /// the day of its beginning is dropped. A day before all that is kept is not made again.
    private static let longVisits = """
        CREATE OR REPLACE FUNCTION whereabouts.make_day(parent text, day date) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            part text := parent || to_char(day, '"_"YYYYMMDD');
            key text := CASE parent WHEN 'visits' THEN 'began' ELSE 'at' END;
            first timestamptz := day::timestamp AT TIME ZONE 'UTC';
            after timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
        BEGIN
            IF to_regclass('whereabouts.' || part) IS NOT NULL THEN RETURN; END IF;
            IF after <= (SELECT now() - max(f.keep) FROM whereabouts.fusers f) THEN RETURN; END IF;
            PERFORM pg_advisory_xact_lock(\(lock), 2);
            IF to_regclass('whereabouts.' || part) IS NOT NULL THEN RETURN; END IF;
            EXECUTE format('CREATE TABLE whereabouts.%I (LIKE whereabouts.%I INCLUDING ALL)', part, parent);
            EXECUTE format('WITH moved AS (DELETE FROM whereabouts.%I WHERE %I >= $1 AND %I < $2 RETURNING *)
                INSERT INTO whereabouts.%I SELECT * FROM moved', parent || '_other', key, key, part) USING first, after;
            EXECUTE format('ALTER TABLE whereabouts.%I ATTACH PARTITION whereabouts.%I FOR VALUES FROM (%L) TO (%L)',
                parent, part, first, after);
        END $$;

        CREATE OR REPLACE FUNCTION whereabouts.drop_days(before timestamptz, most integer) RETURNS integer
        LANGUAGE plpgsql AS $$
        DECLARE
            parent text;
            part text;
            count integer := 0;
        BEGIN
            PERFORM pg_advisory_xact_lock(\(lock), 2);
            FOR parent, part IN SELECT p.relname, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace n ON n.oid = p.relnamespace
                WHERE n.nspname = 'whereabouts' AND c.relkind = 'r' AND c.relname ~ '_[0-9]{8}$'
                AND (right(c.relname, 8)::date + 1)::timestamp AT TIME ZONE 'UTC' <= before
                ORDER BY c.relname LIMIT most
            LOOP
                IF parent = 'visits' THEN
                    EXECUTE format('ALTER TABLE whereabouts.visits DETACH PARTITION whereabouts.%I', part);
                    EXECUTE format('INSERT INTO whereabouts.visits SELECT v.* FROM whereabouts.%I v
                        LEFT JOIN whereabouts.fusers f USING (site, publisher)
                        WHERE coalesce(v.ended, f.contact, v.began) >= $1', part) USING before;
                END IF;
                EXECUTE format('DROP TABLE whereabouts.%I', part);
                count := count + 1;
            END LOOP;
            DELETE FROM whereabouts.visits_other v WHERE v.began < before AND coalesce(v.ended,
                (SELECT f.contact FROM whereabouts.fusers f WHERE f.site = v.site AND f.publisher = v.publisher),
                v.began) < before;
            RETURN count;
        END $$;

        """

    /// Rows of several fusers about one thing count once.
    private static let views = """
        CREATE VIEW whereabouts.moves AS
        SELECT DISTINCT ON (site, id) * FROM (
            SELECT site, payload->>'id' AS id, at, item, kind, payload->>'previous' AS previous, payload->>'room' AS room,
                publisher FROM whereabouts.events WHERE kind IN ('moved', 'arrived', 'left')) AS moves
        ORDER BY site, id, at, publisher;

        CREATE VIEW whereabouts.spans AS
        SELECT v.site, v.publisher, v.item, v.room, v.began,
            greatest(v.began, coalesce(v.ended, f.seen, v.began)) AS ended, v.ended IS NULL AS lasts, v.confidence
        FROM whereabouts.visits v LEFT JOIN whereabouts.fusers f USING (site, publisher);
        COMMENT ON VIEW whereabouts.spans IS 'visits of each fuser; one that lasts ends with the last sign of its fuser';

        CREATE VIEW whereabouts.time_in_room AS
        SELECT site, item, room, lower(span) AS began, upper(span) AS ended, upper(span) - lower(span) AS duration
        FROM (SELECT site, item, room, unnest(range_agg(tstzrange(began, ended))) AS span
            FROM whereabouts.spans WHERE room <> 'away' GROUP BY site, item, room) AS merged;

        CREATE VIEW whereabouts.who_met_whom AS
        SELECT site, item, other, room, lower(span) AS began, upper(span) AS ended, upper(span) - lower(span) AS duration
        FROM (SELECT a.site, a.item, b.item AS other, a.room,
                unnest(range_agg(tstzrange(greatest(a.began, b.began), least(a.ended, b.ended)))) AS span
            FROM whereabouts.spans a JOIN whereabouts.spans b
                ON b.site = a.site AND b.publisher = a.publisher AND b.room = a.room AND b.item <> a.item
                AND b.began < a.ended AND b.ended > a.began
            WHERE a.room <> 'away' AND a.began < a.ended AND b.began < b.ended
            GROUP BY a.site, a.item, b.item, a.room) AS merged;

        CREATE VIEW whereabouts.last_seen AS
        SELECT DISTINCT ON (site, item) site, item, room, began AS since, ended AS until, lasts AS is_there, publisher
        FROM whereabouts.spans WHERE room <> 'away' ORDER BY site, item, ended DESC, began DESC, publisher;

        """
}
