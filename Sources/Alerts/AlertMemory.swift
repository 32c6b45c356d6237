internal import Bytes

/// The stored state of alerts and offers over a restart, as one JSON text for a store: a few hundred bytes for a home.
///
///     store.apply(.setting(key: "alerts", value: AlertMemory(book.snapshot, ledger.snapshot).text))
///     let memory = AlertMemory(text: value) ?? AlertMemory()
///     var ledger = VisitLedger(memory.visits)
///     let removed = book.restore(memory.alerts, at: now)
public struct AlertMemory: Hashable, Sendable {
    /// The state of the alerts.
    public var alerts: AlertSnapshot
    /// The visits with their offers.
    public var visits: [VisitLedger.Visit]

    /// A state of alerts and visits.
    public init(_ alerts: AlertSnapshot = AlertSnapshot(), _ visits: [VisitLedger.Visit] = []) {
        self.alerts = alerts
        self.visits = visits
    }

    /// The JSON text; times are in microseconds.
    public var text: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("v", 1)
        json.rows("alerts", alerts.alerts) { $0.fields(of: $1) }
        json.rows("items", alerts.items) { $0.fields(of: $1) }
        json.rows("silences", alerts.silences) { json, silence in
            json.field(of: silence.subject)
            json.field("until", silence.until.microseconds)
        }
        json.rows("visits", visits) { json, visit in
            json.field(of: visit.subject)
            json.field("since", visit.since.microseconds)
            json.field("ended", visit.hasEnded ? 1 : 0)
            json.beginArray("offers")
            for offer in visit.offers { json.value(offer) }
            json.endArray()
        }
        json.endObject()
        return json.text
    }

    /// Reads such a text; nil for one that is no JSON of this form. A row with a missing field is left out.
    public init?(text: String) {
        self.init()
        let bytes = Array(text.utf8)
        do {
            try read(bytes.span)
        } catch {
            return nil
        }
    }

    private mutating func read(_ bytes: Span<UInt8>) throws(JSONFault) {
        var json = JSONReader(bytes)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "alerts", "items", "silences", "visits":
                try json.beginArray()
                while try json.nextElement() { readRow(try MemoryRow(&json), in: key) }
            default: try json.skip()
            }
        }
        try json.end()
    }

    private mutating func readRow(_ row: MemoryRow, in table: String) {
        switch table {
        case "alerts": row.alert.map { alerts.alerts.append($0) }
        case "items": row.item.map { alerts.items.append($0) }
        case "silences":
            guard let subject = row.subject, let until = row.time("until") else { return }
            alerts.silences.append(AlertSnapshot.Silence(subject: subject, until: until))
        default:
            guard let subject = row.subject, let since = row.time("since") else { return }
            visits.append(
                VisitLedger.Visit(
                    subject: subject, since: since, offers: row.lists["offers"] ?? [],
                    hasEnded: row.numbers["ended"] == 1))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func rows<Row>(_ name: String, _ rows: [Row], _ fields: (inout JSONWriter, Row) -> Void) {
        beginArray(name)
        for row in rows {
            beginObject()
            fields(&self, row)
            endObject()
        }
        endArray()
    }

    fileprivate mutating func field(of subject: Crossing.Subject) {
        switch subject {
        case .item(let id): field("item", id)
        case .region(let id): field("region", id)
        }
    }

    fileprivate mutating func fields(of alert: AlertState) {
        field("alert", alert.alert)
        field("kind", alert.kind.rawValue)
        field("item", alert.item)
        field("phase", alert.phase.rawValue)
        field("since", alert.since.microseconds)
        field("decided", alert.decided.microseconds)
        field("told", alert.told)
        field("next", alert.next?.microseconds)
    }

    fileprivate mutating func fields(of item: WhereaboutsRecord) {
        field("item", item.item)
        field("inside", item.isInside ? 1 : 0)
        field("exited", item.exited?.microseconds)
        field("last", item.lastPacket?.microseconds)
    }
}

/// The fields of a row: texts, whole numbers and lists of texts by their keys.
private struct MemoryRow {
    var texts: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    var lists: [String: [String]] = [:]

    init(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            if key == "offers" {
                try json.beginArray()
                while try json.nextElement() { lists[key, default: []].append(try json.string()) }
            } else if json.isString {
                texts[key] = try json.string()
            } else {
                numbers[key] = try json.integer(Int64.self)
            }
        }
    }

    func time(_ key: String) -> Timestamp? { numbers[key].map { Timestamp(microseconds: $0) } }

    var subject: Crossing.Subject? { texts["item"].map { .item($0) } ?? texts["region"].map { .region($0) } }

    var alert: AlertState? {
        guard let alert = texts["alert"], let item = texts["item"],
            let kind = texts["kind"].flatMap(AlertRule.Kind.init(rawValue:)),
            let phase = texts["phase"].flatMap(AlertState.Phase.init(rawValue:)), let since = time("since"),
            let decided = time("decided")
        else { return nil }
        return AlertState(
            alert: alert, kind: kind, item: item, phase: phase, since: since, decided: decided,
            told: Int(min(max(0, numbers["told"] ?? 0), 1_000_000)), next: time("next"))
    }

    var item: WhereaboutsRecord? {
        guard let item = texts["item"], let isInside = numbers["inside"] else { return nil }
        return WhereaboutsRecord(
            item: item, isInside: isInside == 1, exited: time("exited"), lastPacket: time("last"))
    }
}
