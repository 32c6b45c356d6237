import Alerts
import Bytes
import WireProtocol
import Testing

/// A book that returns lines, such as `15 in_room-cat 1 since 5` and `600 in_room-cat cleared over`.
private final class Lines {
    var book: AlertBook

    init(_ rules: [AlertRule]) { book = AlertBook(rules: rules) }

    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }

    private func lines(_ notices: [AlertNotice]) -> [String] {
        notices.map { notice in
            switch notice.change {
            case .told(let count):
                "\(Int(notice.at.seconds)) \(notice.alert) \(count) since \(Int(notice.since.seconds))"
            case .cleared(let reason): "\(Int(notice.at.seconds)) \(notice.alert) cleared \(reason)"
            }
        }
    }

    func place(_ room: String?, since: Double, at seconds: Double) -> [String] {
        let notices = book.recordRoom("cat", in: room, since: Self.time(since), at: Self.time(seconds))
        return lines(notices)
    }

    func silent(since: Double?, at seconds: Double) -> [String] {
        let notices = book.recordSilence("cat", silentSince: since.map(Self.time), at: Self.time(seconds))
        return lines(notices)
    }

    func battery(_ millivolts: Int, item: String = "cat", at seconds: Double) -> [String] {
        let notices = book.recordVoltage(item, millivolts: millivolts, at: Self.time(seconds))
        return lines(notices)
    }

    func advance(to seconds: Double) -> [String] {
        let notices = book.advance(to: Self.time(seconds))
        return lines(notices)
    }

    func restore(_ snapshot: AlertSnapshot, at seconds: Double) -> [String] {
        let notices = book.restore(snapshot, at: Self.time(seconds))
        return lines(notices)
    }
}

/// Alerts of a house, by the locations of items, their silence and their batteries.
@Suite struct ConditionTests {
    @Test("Count no further than other fusers read, and never trap on what another book counts")
    func mostNotices() {
        for count in [ItemAlerts.countLimit, .max] {
            var rule = AlertRule(.batteryLow, item: "cat", companions: [], grace: .zero, interval: .seconds(60))
            rule.limit = 2500
            let lines = Lines([rule])
            let word = AlertWord(alert: rule.id, kind: .batteryLow, since: Lines.time(0), count: count)
            lines.book.adopt([word], of: "cat", at: Lines.time(0), apart: .seconds(30))
            #expect(lines.advance(to: 60) == ["60 battery_low-cat \(ItemAlerts.countLimit) since 0"])
        }
    }

    private static func rule(
        _ kind: AlertRule.Kind, rooms: [String] = [], limit: Int? = nil, grace: Double = 10, interval: Double? = nil
    ) -> AlertRule {
        var rule = AlertRule(
            kind, item: "cat", companions: [], grace: .seconds(grace), interval: interval.map { .seconds($0) })
        (rule.rooms, rule.limit) = (rooms, limit)
        return rule
    }

    @Test("Publish a forbidden room after the grace, and its end as soon as the cat is elsewhere")
    func inRoom() {
        let book = Lines([Self.rule(.inRoom, rooms: ["office", "lab"])])
        #expect(book.place("hall", since: 0, at: 0).isEmpty)
        #expect(book.place("office", since: 5, at: 5).isEmpty)
        #expect(book.book.nextDeadline == Lines.time(15))
        // A move from one forbidden room to another continues the stay.
        #expect(book.place("lab", since: 12, at: 12).isEmpty)
        #expect(book.advance(to: 15) == ["15 in_room-cat 1 since 5"])
        #expect(book.advance(to: 500).isEmpty, "told once where nothing else is said")
        #expect(
            book.place(nil, since: 600, at: 600) == [
                "600 in_room-cat cleared over"
            ])
        #expect(book.place("office", since: 700, at: 700).isEmpty)
        #expect(book.place("hall", since: 705, at: 705).isEmpty, "within the grace")
        #expect(book.advance(to: 900).isEmpty)
    }

    @Test("Publish the absence of an item from its rooms, also while away, at the begin of its hours")
    func notInRoom() {
        var rule = Self.rule(.notInRoom, rooms: ["bed"], grace: 0)
        rule.hours = DailyHours(from: 22 * 3600, to: 6 * 3600, zone: .utc)
        let book = Lines([rule])
        #expect(book.place("hall", since: 0, at: 10 * 3600).isEmpty)
        #expect(book.advance(to: 12 * 3600).isEmpty)
        #expect(book.advance(to: 22 * 3600) == ["79200 not_in_room-cat 1 since 0"])
        #expect(book.place("bed", since: 80_000, at: 80_000).count == 1)
        #expect(book.place(nil, since: 81_000, at: 81_000).isEmpty)
        #expect(book.advance(to: 81_001) == ["81000 not_in_room-cat 1 since 81000"])
    }

    @Test("Publish silence after its grace, counted from the last packet")
    func notHeard() {
        let book = Lines([Self.rule(.notHeard, grace: 3600, interval: 3600)])
        #expect(book.silent(since: nil, at: 0).isEmpty)
        #expect(book.silent(since: 100, at: 110).isEmpty)
        #expect(book.silent(since: 100, at: 170).isEmpty)
        #expect(book.advance(to: 3699).isEmpty)
        #expect(book.advance(to: 3700) == ["3700 not_heard-cat 1 since 100"])
        #expect(book.advance(to: 7300) == ["7300 not_heard-cat 2 since 100"])
        #expect(
            book.silent(since: nil, at: 7400) == ["7400 not_heard-cat cleared over"])
    }

    @Test("Publish a battery near its limit once, and its end at a clear recovery")
    func battery() {
        let book = Lines([Self.rule(.batteryLow, limit: 2400, grace: 0)])
        for (second, millivolts) in [2500, 2400, 2390, 2410, 2380, 2499].enumerated() {
            let at = Double(second) * 10
            _ = book.battery(millivolts, item: "cat", at: at)
            let told = book.advance(to: at)
            #expect(told.count == (second == 2 ? 1 : 0), "\(millivolts)")
        }
        #expect(
            book.battery(2500, item: "cat", at: 99) == ["99 battery_low-cat cleared over"])
        #expect(book.battery(1000, item: "dog", at: 100).isEmpty)
    }

    @Test("Restore an open alert after a restart without publishing it twice")
    func restart() {
        let rules = [Self.rule(.inRoom, rooms: ["office"])]
        let book = Lines(rules)
        _ = book.place("office", since: 0, at: 0)
        #expect(book.advance(to: 20).count == 1)
        let text = AlertMemory(book.book.snapshot).text
        let next = Lines(rules)
        let kept = AlertMemory(text: text)?.alerts ?? AlertSnapshot()
        #expect(next.restore(kept, at: 100).isEmpty)
        #expect(next.place("office", since: 0, at: 100).isEmpty)
        #expect(next.advance(to: 200).isEmpty && next.book.standing.count == 1)
        #expect(next.book.standing(of: "cat") == next.book.standing && next.book.standing(of: "dog").isEmpty)
        #expect(next.place("hall", since: 300, at: 300).count == 1)
    }
}
