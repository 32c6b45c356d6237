import Bytes
import Support
import Testing

@testable import LongHistory

/// The long history in a real PostgreSQL.
@Suite(.oneByOne, .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.missing)"))
struct ServerTests {
    @Test("Make the schema, and write each row once however often it is given")
    func exactlyOnce() throws {
        let server = try PostgresServer()
        let client = try HistoryClient(server.connection)
        let first = try #require(client.connected())
        #expect(first.cursors.isEmpty)
        client.history.write(HistoryClient.events(0, 500, connection: first.number))
        #expect(client.written() == 500)
        client.history.write(HistoryClient.events(500, 700, connection: first.number))
        #expect(client.written() == 700)
        // Another process with the same name, which has older cursors, writes nothing and learns the newer ones.
        client.history.write(HistoryClient.events(500, 900, item: "other", connection: first.number))
        #expect(client.failure()?.kind == .otherWriter)
        let second = try #require(client.connected())
        #expect(second.cursors == [.events: ["0000000a": 700]])
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 700)
        #expect(try server.number("SELECT count(*) FROM whereabouts.events WHERE item = 'other'") == 0)
        #expect(
            try server.rows("SELECT payload->>'note' FROM whereabouts.events WHERE seq = 7") == ["\u{FFFD}\\u0000"],
            "jsonb has no zero")
        let days = try server.rows("SELECT tableoid::regclass FROM whereabouts.events GROUP BY 1")
        #expect(days.count == 1 && days[0].contains("events_2"), "\(days)")
    }

    @Test("Refuse a schema of another program, and one of a newer version")
    func foreignSchema() throws {
        let server = try PostgresServer()
        try server.execute("CREATE SCHEMA whereabouts; CREATE TABLE whereabouts.events (id int)")
        var client = try HistoryClient(server.connection)
        #expect(client.failure()?.kind == .foreignSchema)
        client.history.stop()
        #expect(
            try server.rows("SELECT relname FROM pg_class WHERE relnamespace = 'whereabouts'::regnamespace") == [
                "events"
            ])
        try server.execute("CREATE TABLE whereabouts.version (version int); INSERT INTO whereabouts.version VALUES (1)")
        client = try HistoryClient(server.connection)
        #expect(client.failure()?.kind == .foreignSchema)
        client.history.stop()

        try server.execute("DROP SCHEMA whereabouts CASCADE; CREATE SCHEMA whereabouts")
        client = try HistoryClient(server.connection)
        #expect(client.connected() != nil, "an empty schema is what an administrator makes for it")
        client.history.stop()
        try server.execute("UPDATE whereabouts.version SET version = 99")
        client = try HistoryClient(server.connection)
        let error = client.failure()
        #expect(error?.kind == .newerSchema(99) && error?.description.contains("newer version") == true)
    }

    @Test("Say that a password is wrong, without the password")
    func wrongPassword() throws {
        let server = try PostgresServer()
        let wrong = try HistoryClient(server.remoteConnection, password: "wrong-as-it-is")
        let error = try #require(wrong.failure())
        #expect(error.kind == .rejected && error.description.contains("password authentication failed"))
        #expect(!error.description.contains("wrong-as-it-is"))
        let none = try HistoryClient(server.remoteConnection)
        #expect(none.failure() != nil)
        let right = try HistoryClient(server.remoteConnection, password: PostgresServer.password)
        #expect(right.connected() != nil)
    }

    @Test("Say that no server answers, and go on when one does")
    func outage() throws {
        let server = try PostgresServer(started: false)
        let client = try HistoryClient(server.connection)
        #expect(client.failure()?.kind == .unreachable)
        try server.start()
        let first = try #require(client.connected())
        server.kill()
        #expect(client.failure()?.kind == .unreachable, "noticed in a pause")
        client.history.write(HistoryClient.events(0, 5, connection: first.number))
        try server.start()
        let second = try #require(client.connected())
        #expect(second.number > first.number)
        client.history.write(HistoryClient.events(0, 7, connection: second.number))
        #expect(client.written() == 7)
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 7)
    }

    @Test("Give up a server that has stopped to answer")
    func deafServer() throws {
        let listener = try Listener()
        let client = try HistoryClient("host=127.0.0.1 port=\(listener.port) dbname=x user=y connect_timeout=1")
        let error = client.failure()
        #expect(error?.kind == .unreachable && error?.words == "no answer in time")
    }

    @Test("Go on to the next host where one does not answer, and where one is read-only")
    func hosts() throws {
        let listener = try Listener()
        let server = try PostgresServer()
        let rest = "dbname=postgres user=postgres connect_timeout=1"
        let client = try HistoryClient("host=127.0.0.1,\(server.folder) port=\(listener.port),\(server.port) \(rest)")
        #expect(client.connected() != nil)
        #expect(listener.wasReached)
        client.history.stop()

        let standby = try PostgresServer(["default_transaction_read_only=on"], started: false)
        try standby.start()
        let writer = try HistoryClient(
            "host=\(standby.folder),\(server.folder) port=\(standby.port),\(server.port) \(rest) "
                + "target_session_attrs=read-write", publisher: "writer")
        #expect(writer.connected() != nil)
        #expect(try server.number("SELECT count(*) FROM whereabouts.fusers WHERE publisher = 'writer'") == 1)

        let second = try Listener()
        let none = try HistoryClient(
            "host=127.0.0.1,127.0.0.1,/nowhere port=\(listener.port),\(second.port),1 \(rest)")
        let error = try #require(none.failure())
        #expect(error.kind == .unreachable)
        #expect(
            error.words.hasPrefix("127.0.0.1: no answer in time; 127.0.0.1: no answer in time; /nowhere: "),
            "\(error.words)")
        #expect(listener.wasReached && second.wasReached)
    }

    @Test("Say at once that a server is not there, and that lists of hosts do not fit")
    func refusal() throws {
        for connection in ["host=/nowhere dbname=x", "host=a,b port=1,2,3 dbname=x"] {
            let client = try HistoryClient(connection)
            let error = client.failure()
            #expect(error?.kind == .unreachable && error?.words != "no answer in time", "\(connection)")
        }
    }

    @Test("Drop the days that nobody keeps, and keep those of a house that keeps for longer")
    func retention() throws {
        let server = try PostgresServer()
        let old = HistoryClient.start.advanced(bySeconds: -86400 * 10)
        var client = try HistoryClient(server.connection, site: "long", keep: .seconds(86400 * 400))
        var number = try #require(client.connected()).number
        #expect(client.maintained())
        client.history.write(HistoryClient.events(0, 10, connection: number, start: old))
        #expect(client.written() == 10)
        client.history.stop()
        client = try HistoryClient(server.connection, site: "short", keep: .seconds(86400 * 5))
        number = try #require(client.connected()).number
        #expect(client.maintained())
        client.history.write(HistoryClient.events(0, 10, connection: number, start: old))
        #expect(client.written() == 10)
        client.history.stop()
        let count = "SELECT site || ' ' || count(*) FROM whereabouts.events GROUP BY site ORDER BY site"
        #expect(try server.rows(count) == ["long 10", "short 10"])
        client = try HistoryClient(server.connection, site: "short", keep: .seconds(86400 * 5))
        #expect(client.maintained())
        #expect(try server.rows(count) == ["long 10"], "the rows of the house with the shorter time are deleted")
        client.history.stop()
        try server.execute("UPDATE whereabouts.fusers SET contact = now() - interval '300 days' WHERE site = 'long'")
        client = try HistoryClient(server.connection, site: "short", keep: .seconds(86400 * 5))
        #expect(client.maintained())
        #expect(try server.rows(count) == ["long 10"], "a house that is off has the rows that it keeps")
        client.history.stop()
        let days = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'whereabouts.events'::regclass"
        let before = try server.number(days)
        try server.execute("DELETE FROM whereabouts.fusers WHERE site = 'long'")
        client = try HistoryClient(server.connection, site: "short", keep: .seconds(86400 * 5))
        #expect(client.maintained())
        #expect(try server.number(days) == before - 1)
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 0)
        #expect(before == 5, "today and two days ahead, the old one, and what is beside all days")
    }

    /// Connects for a moment, with partitions looked after.
    private func care(_ server: PostgresServer, site: String = "whereabouts", keep days: Double = 30) throws {
        let client = try HistoryClient(server.connection, site: site, keep: .seconds(86400 * days))
        #expect(client.maintained())
        client.history.stop()
    }

    @Test("Keep a visit by its end, and one that lasts, also in a schema of an earlier version")
    func longVisits() throws {
        let server = try PostgresServer()
        try server.execute(
            """
            CREATE SCHEMA whereabouts;
            CREATE TABLE whereabouts.version (
                mark text NOT NULL CHECK (mark = '\(HistorySchema.mark)'), version integer NOT NULL);
            INSERT INTO whereabouts.version VALUES ('\(HistorySchema.mark)', 2);
            \(HistorySchema.steps[..<2].joined())
            """)
        var client = try HistoryClient(server.connection)
        var number = try #require(client.connected()).number
        #expect(try server.number("SELECT version FROM whereabouts.version") == HistorySchema.version)
        let day = 86400.0
        let stays: [(String, Double, Double?)] = [
            ("bed", -40, nil), ("chair", -40, -1), ("pump", -40, -35), ("lamp", -5, -4),
        ]
        for (index, (item, began, ended)) in stays.enumerated() {
            client.history.write(
                HistoryClient.visit(
                    item, "ward", began * day, ended.map { $0 * day }, from: UInt64(index), connection: number))
            #expect(client.written() == UInt64(index) + 1)
        }
        client.history.stop()
        let old =
            "SELECT to_regclass('whereabouts.' || to_char((now() AT TIME ZONE 'UTC')::date - 40, "
            + "'\"visits_\"YYYYMMDD')) IS NOT NULL"
        let visits =
            "SELECT item || CASE WHEN ended IS NULL THEN ' lasts' ELSE '' END FROM whereabouts.visits ORDER BY 1"
        #expect(try server.rows(old) == ["t"] && server.rows(visits) == ["bed lasts", "chair", "lamp", "pump"])

        try care(server)
        #expect(try server.rows(old) == ["f"], "the day is dropped")
        #expect(try server.rows(visits) == ["bed lasts", "chair", "lamp"])
        #expect(
            try server.rows("SELECT item, is_there FROM whereabouts.last_seen ORDER BY item")
                == ["bed|t", "chair|f", "lamp|f"])

        client = try HistoryClient(server.connection, keep: .seconds(day * 30))
        number = try #require(client.connected()).number
        client.history.write(
            HistoryClient.visit("bed", "ward", -40 * day, -0.5 * day, from: 4, connection: number))
        #expect(client.written() == 5)
        client.history.stop()
        #expect(try server.rows(old) == ["f"], "its end makes no day anew")
        try care(server)
        #expect(try server.rows(visits) == ["bed", "chair", "lamp"])

        try server.execute("UPDATE whereabouts.visits SET ended = now() - interval '31 days' WHERE item = 'chair'")
        try care(server)
        #expect(try server.rows(visits) == ["bed", "lamp"])
    }

    @Test("Keep a visit that lasts by the last contact of its fuser, where that has ended for ever")
    func visitsOfGoneFusers() throws {
        let server = try PostgresServer()
        for (site, publisher) in [("whereabouts", "gone"), ("other", "gone")] {
            let client = try HistoryClient(server.connection, site: site, publisher: publisher)
            let number = try #require(client.connected()).number
            client.history.write(HistoryClient.visit("bed", "ward", -86400 * 40, nil, from: 0, connection: number))
            #expect(client.written() == 1)
            client.history.stop()
        }
        try server.execute("UPDATE whereabouts.fusers SET keep = '30 days', contact = now() - interval '29 days'")
        try care(server)
        let visits = "SELECT site FROM whereabouts.visits ORDER BY 1"
        #expect(try server.rows(visits) == ["other", "whereabouts"])
        try server.execute(
            "UPDATE whereabouts.fusers SET contact = now() - interval '31 days' WHERE publisher = 'gone'")
        try care(server)
        #expect(try server.rows(visits).isEmpty)
    }

    @Test("End what an earlier state has left open, once a new one begins")
    func leftVisits() throws {
        let server = try PostgresServer()
        let client = try HistoryClient(server.connection)
        let number = try #require(client.connected()).number
        for (index, item) in ["bed", "pump"].enumerated() {
            client.history.write(
                HistoryClient.visit(item, "ward", -7200, nil, from: UInt64(index), connection: number))
            #expect(client.written() == UInt64(index) + 1)
        }
        // A restored state writes what lasts again.
        for (index, (room, began)) in [("ward", -7200.0), ("hall", 0)].enumerated() {
            client.history.write(
                HistoryClient.visit(
                    index == 0 ? "bed" : "pump", room, began, nil, from: UInt64(index), epoch: "0000000b",
                    connection: number))
            #expect(client.written() == UInt64(index) + 1)
        }
        #expect(
            try server.rows("SELECT item, room, ended IS NULL FROM whereabouts.visits ORDER BY item, began")
                == ["bed|ward|t", "pump|ward|f", "pump|hall|t"])
    }

    @Test("Move rows that a wrong clock has put beside all days into the day, when it comes")
    func strayRows() throws {
        let server = try PostgresServer()
        let client = try HistoryClient(server.connection)
        let number = try #require(client.connected()).number
        var batch = HistoryClient.events(
            0, 10, connection: number, start: HistoryClient.start.advanced(bySeconds: 86400 * 30))
        let day = try #require(batch.days.first)
        batch.days = []
        client.history.write(batch)
        #expect(client.written() == 10)
        #expect(try server.number("SELECT count(*) FROM whereabouts.events_other") == 10)
        try server.execute("SELECT whereabouts.make_day('events', date '1970-01-01' + \(day))")
        #expect(try server.number("SELECT count(*) FROM whereabouts.events_other") == 0)
        #expect(try server.number("SELECT count(*) FROM whereabouts.events") == 10)
    }

    @Test("Show who met whom, how long and where, and where each was last, over two fusers that agree")
    func views() throws {
        let server = try PostgresServer()
        for publisher in ["one", "two"] {
            let client = try HistoryClient(server.connection, publisher: publisher)
            let number = try #require(client.connected()).number
            client.history.set(time: HistoryClient.start.advanced(bySeconds: 5000))
            // The second sees the same a second later, and its visit of the pump lasts.
            let late = publisher == "two" ? 1.0 : 0
            for (index, (item, room, from, to)) in [
                ("anna", "ward", 100.0, 700.0 as Double?), ("anna", "hall", 700, 900), ("anna", "away", 900, nil),
                ("pump", "ward", 400, late == 0 ? 1000 : nil), ("bed", "hall", 0, 650),
            ].enumerated() {
                client.history.write(
                    HistoryClient.visit(
                        item, room, from + late, to.map { $0 + late }, from: UInt64(index), connection: number))
                #expect(client.written() == UInt64(index) + 1)
            }
            client.history.write(HistoryClient.events(0, 3, item: "anna", connection: number))
            #expect(client.written() == 3)
        }
        try server.execute(
            "UPDATE whereabouts.fusers SET seen = to_timestamp(\(HistoryClient.start.microseconds / 1_000_000 + 2000))")
        #expect(
            try server.rows("SELECT item, other, room, duration FROM whereabouts.who_met_whom ORDER BY item")
                == ["anna|pump|ward|00:05:01", "pump|anna|ward|00:05:01"])
        #expect(
            try server.rows(
                "SELECT item, room, sum(duration) FROM whereabouts.time_in_room GROUP BY 1, 2 ORDER BY 1, 2")
                == ["anna|hall|00:03:21", "anna|ward|00:10:01", "bed|hall|00:10:51", "pump|ward|00:26:40"])
        #expect(
            try server.rows("SELECT item, room, is_there FROM whereabouts.last_seen ORDER BY item")
                == ["anna|hall|f", "bed|hall|f", "pump|ward|t"])
        #expect(
            try server.rows("SELECT id, publisher FROM whereabouts.moves ORDER BY id") == [
                "m1|one", "m2|one", "m3|one",
            ])
    }

    @Test("Delete an item's rows of all fusers up to a time, and all of the fuser's own")
    func purge() throws {
        let server = try PostgresServer()
        for publisher in ["one", "two"] {
            let client = try HistoryClient(server.connection, publisher: publisher)
            let number = try #require(client.connected()).number
            client.history.write(HistoryClient.events(0, 10, connection: number))
            #expect(client.written() == 10)
            client.history.write(HistoryClient.events(10, 20, item: "cat", connection: number))
            #expect(client.written() == 20)
            client.history.write(HistoryClient.visit("keys", "hall", 0, 4, from: 0, connection: number))
            #expect(client.written() == 1)
            client.history.write(HistoryClient.visit("keys", "attic", 4, nil, from: 1, connection: number))
            #expect(client.written() == 2)
        }
        let client = try HistoryClient(server.connection, publisher: "one")
        _ = client.connected()
        func purged(_ purge: HistoryPurge) -> Int? {
            client.history.purge(purge)
            return client.wait { if case .purged(purge, let rows) = $0 { rows } else { nil } }
        }
        let middle = HistoryClient.start.advanced(bySeconds: 6)
        // Five events and one visit of each, and the other visit of each is cut.
        #expect(purged(HistoryPurge(item: "keys", before: middle, isWhole: false)) == 14)
        #expect(
            try server.rows("SELECT DISTINCT room, extract(second FROM began)::int FROM whereabouts.visits") == [
                "attic|6"
            ])
        #expect(purged(HistoryPurge(item: "keys", before: middle, isWhole: true)) == 6)
        let count = "SELECT publisher || ' ' || count(*) FROM whereabouts.events WHERE item = 'keys' GROUP BY publisher"
        #expect(try server.rows(count) == ["two 5"], "what the other fuser has of later is not this purge's")
        #expect(try server.number("SELECT count(*) FROM whereabouts.events WHERE item = 'cat'") == 20)
    }

    @Test("Wait while the server's disk is full, and lose nothing")
    func fullDisk() throws {
        let server = try PostgresServer()
        let client = try HistoryClient(server.connection)
        let first = try #require(client.connected())
        // A trigger made beside a partition would wait for the same locks.
        #expect(client.maintained())
        // A server without room for more connections says so in the same class of errors as one without room on its disk.
        try server.execute(
            """
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON whereabouts.events FOR EACH ROW EXECUTE FUNCTION full_disk()
            """)
        client.history.write(HistoryClient.events(0, 10, connection: first.number))
        let error = try #require(client.failure())
        #expect(error.kind == .full && error.mend.contains("make room"))
        try server.execute("DROP TRIGGER full_disk ON whereabouts.events")
        let second = try #require(client.connected())
        #expect(second.cursors.isEmpty, "the cursor is not before its rows")
        client.history.write(HistoryClient.events(0, 10, connection: second.number))
        #expect(client.written() == 10)
    }
}

/// The checks without a server.
@Suite struct HistorySettingsTests {
    @Test("Refuse a connection that libpq can't read, or that has a password, and never repeat the text")
    func connections() throws {
        for (text, words) in [
            ("host=db.lan pass=quiet", "invalid connection option \"pass\""), ("quiet otter", "neither"),
            ("host=db.lan password=quiet", "password_file"), ("postgresql://fuser:quiet@db.lan/house", "password_file"),
        ] {
            let error = #expect(throws: HistoryError.self) { try HistorySettings.validate(connection: text) }
            #expect(error?.description.contains(words) == true && error?.kind == .settings, "\(text): \(error!)")
            #expect(error?.description.contains("quiet") == false)
        }
        try HistorySettings.validate(connection: "host=/run/postgresql dbname='the house' user=fuser")
        try HistorySettings.validate(connection: "postgresql://fuser@db.lan/house?sslmode=verify-full")
        #expect(HistorySettings.remark(on: "host=/run/postgresql") == nil)
        #expect(HistorySettings.remark(on: "host=db.lan sslmode=verify-full") == nil)
        #expect(HistorySettings.remark(on: "host=db.lan")?.contains("sslmode=verify-full") == true)
    }

    @Test("Split a list of hosts, and leave one to libpq whose lengths do not fit")
    func hosts() throws {
        for (connection, expected) in [
            ("host=a,b port=1,2", ["a||1", "b||2"]), ("host=a,b port=1", ["a||1", "b||1"]),
            ("host=a,b", ["a||", "b||"]),
            ("postgresql://u@a:1,[::1]:2/x", ["a||1", "::1||2"]), ("host=a", ["a||"]), ("dbname=x", ["||"]),
            ("hostaddr=1.1.1.1,2.2.2.2 port=5,", ["|1.1.1.1|5", "|2.2.2.2|"]),
            ("host=a,b hostaddr=1.1.1.1,2.2.2.2", ["a|1.1.1.1|", "b|2.2.2.2|"]),
            ("host=a,b port=1,2,3", ["a,b||1,2,3"]), ("host=a,b hostaddr=1.1.1.1", ["a,b|1.1.1.1|"]),
        ] {
            let options = try ConnectionOptions.complete(connection, password: "quiet", program: "test")
            let hosts = ConnectionOptions.splitHosts(options)
            let found = hosts.map { options in
                ["host", "hostaddr", "port"].map { key in options.first { $0.key == key }?.value ?? "" }
                    .joined(separator: "|")
            }
            #expect(found == expected, "\(connection)")
            #expect(hosts.allSatisfy { host in host.contains { $0.key == "password" && $0.value == "quiet" } })
        }
    }

    @Test("Replace what jsonb can't hold, and nothing else")
    func zeros() {
        for (text, expected) in [
            (#"["a\u0000b"]"#, #"["a\ufffdb"]"#), (#"["\\u0000"]"#, #"["\\u0000"]"#),
            (#"["\\\u0000"]"#, #"["\\\ufffd"]"#),
            (#"["\u00001\u0000"]"#, #"["\ufffd1\ufffd"]"#), (#"["\u0001"]"#, #"["\u0001"]"#), (#"["\"#, #"["\"#),
        ] {
            #expect(String(decoding: HistorySession.withoutZeros(Array(text.utf8)), as: UTF8.self) == expected)
        }
    }
}
