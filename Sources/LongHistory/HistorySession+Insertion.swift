/// The rows of a batch as statements of PostgreSQL.
extension HistorySession {
    /// An expression for a number of microseconds as a time.
    static func time(_ expression: String) -> String {
        "(timestamptz 'epoch' + \(expression) * interval '1 microsecond')"
    }

    /// The statement that adds a batch's rows, which are its eighth value, where `moved` has moved the cursor.
    static func insertion(_ stream: HistoryStream) -> String {
        switch stream {
        case .events:
            """
            INSERT INTO whereabouts.events (site, publisher, epoch, seq, at, item, kind, payload)
            SELECT $1, $2, $4, r.seq, \(time("r.at")), r.item, r.kind, CASE WHEN r.payload ? 'seq'
                THEN r.payload || jsonb_build_object('epoch', $4::text, 'seq', r.seq) ELSE r.payload END
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(seq bigint, at bigint, item text, kind text, payload jsonb)
            ON CONFLICT DO NOTHING
            """
        case .visits:
            """
            INSERT INTO whereabouts.visits (site, publisher, item, began, ended, room, confidence)
            SELECT $1, $2, r.item, \(time("r.began")), \(time("r.ended")), r.room, r.confidence
            FROM moved, jsonb_to_recordset($8::jsonb)
                AS r(item text, began bigint, ended bigint, room text, confidence real)
            ON CONFLICT (site, item, began, publisher) DO UPDATE
            SET ended = excluded.ended, room = excluded.room, confidence = excluded.confidence
            """
        case .nodeEvents:
            """
            INSERT INTO whereabouts.node_events
                (site, node, epoch, seq, last, at, kind, region, item, payload, publisher)
            SELECT $1, r.node, r.epoch, r.seq, r.last, \(time("r.at")), r.kind, r.region, r.item, r.payload, $2
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(node text, epoch text, seq bigint, last bigint, at bigint,
                kind text, region text, item text, payload jsonb)
            ON CONFLICT DO NOTHING
            """
        case .audit:
            """
            INSERT INTO whereabouts.audit
                (site, publisher, number, at, username, role, address, method, path, status, change, proof, action,
                subject, before, after, erased, times, since)
            SELECT $1, $2, r.number, \(time("r.at")), r.username, r.role, r.address, r.method, r.path, r.status,
                r.change, r.proof, r.action, r.subject, r.before, r.after, \(time("r.erased")),
                coalesce(r.times, 1), \(time("r.since"))
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(number bigint, at bigint, username text, role text,
                address text, method text, path text, status integer, change text, proof text, action text,
                subject text, before jsonb, after jsonb, erased bigint, times integer, since bigint)
            ON CONFLICT DO NOTHING
            """
        case .telemetry:
            """
            INSERT INTO whereabouts.telemetry (site, publisher, item, at, readings)
            SELECT $1, $2, r.item, \(time("r.at")), r.readings
            FROM moved, jsonb_to_recordset($8::jsonb) AS r(item text, at bigint, readings jsonb)
            ON CONFLICT DO NOTHING
            """
        }
    }

    /// JSON without `\\u0000`, which jsonb can't hold: U+FFFD takes its place.
    static func withoutZeros(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(0x5C) else { return json }
        var json = json
        var index = 0
        let zero = Array("u0000".utf8)
        while index < json.count {
            guard json[index] == 0x5C else {
                index += 1
                continue
            }
            if json[(index + 1)...].starts(with: zero) {
                json.replaceSubrange((index + 2)..<(index + 6), with: "fffd".utf8)
            }
            index += 2
        }
        return json
    }
}
