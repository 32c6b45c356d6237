import BeaconFrames
internal import Identity
internal import WireProtocol

/// Answers to commands in which nothing is absent.
extension PayloadSample {
    private static let rescan = NodeCommand(id: "7", action: .rescan)
    private static let list = FuserCommand(id: "7", action: .learn(.list))

    private static func node(_ action: NodeCommand.Action, _ answer: NodeAnswer) -> PayloadSample {
        of(CommandResult(to: NodeCommand(id: "7", action: action), answer, at: at))
    }

    private static func fuser(_ action: FuserCommand.Action, _ answer: FuserAnswer) -> PayloadSample {
        of(FuserResult(to: FuserCommand(id: "7", action: action), answer, at: at))
    }

    static var envelopes: [PayloadSample] {
        [node(.rescan, .done), node(.rescan, .failed("this node has no radio"))]
    }

    static var nearby: PayloadSample {
        let ids = ["eddystone:00112233445566778899-0123456789ab", "aabbccddeeff"].compactMap { BeaconID($0) }
        var beacon = NearbyBeacon(id: ids[0], ids: ids, mean: -51.5, last: -50, count: 42)
        (beacon.name, beacon.url, beacon.transmitterClass) = ("Tag", "https://example.com/", .tile)
        beacon.power = -59
        let other = NearbyStranger(transmitterClass: .appleNearby, addresses: 3, mean: -60)
        return node(.nearby(for: .seconds(5)), .nearby([beacon], others: [other]))
    }

    static var audit: PayloadSample {
        var report = AuditReport()
        var entry = AuditReport.Entry(
            number: 41, at: at, user: "anna", role: "operator", address: "desk", method: "MQTT",
            path: "fuser/main/operate/anna", status: 200)
        (entry.change, entry.proof, entry.action) = ("c26e8e165e11c87f7acef947e7c79995", "broker", "silence")
        (entry.subject, entry.before) = ("keys", #"{"until":1753862400}"#)
        entry.after = #"{"until":1753866000}"#
        var purged = AuditReport.Entry(
            number: 42, at: at, user: "bert", role: "", address: "ward", method: "MQTT", path: "items/cat/config",
            status: 200)
        (purged.change, purged.proof, purged.action) = ("aa8669ab7e44ac9d93e8abd6896bd00e", "sender", "item")
        (purged.subject, purged.erased) = ("cat", at)
        (purged.times, purged.since) = (3600, from)
        (report.entries, report.next) = ([entry, purged], 42)
        return fuser(.audit(from: nil, to: nil, after: 40), .audit(report))
    }

    static var replays: [PayloadSample] {
        [
            fuser(
                .replay(epoch: epoch, fromSeq: 100),
                .replayed(ReplayReport(epoch: epoch, first: 40, last: 2500, next: 1100))),
            fuser(
                .replay(epoch: "1a2b3c4d", fromSeq: 1), .replayed(ReplayReport(unknown: "1a2b3c4d", kept: [epoch]))),
        ]
    }

    private static var lessonReport: LessonReport {
        var report = LessonReport(
            id: "7", item: "keys", room: "kitchen", isRunning: true, seconds: 42, packets: 400)
        report.limit = 60
        report.nodes = [LessonReport.Node(node: "kitchen", packets: 390, level: -61)]
        return report
    }

    static var lesson: PayloadSample { fuser(.learn(.status(item: "keys")), .lesson(lessonReport)) }

    static var taught: PayloadSample {
        var report = TaughtReport()
        var lesson = TaughtReport.Lesson(
            id: "7", item: "keys", room: "kitchen", taughtAt: at, seconds: 60, packets: 580, walk: "walk-1")
        lesson.leftOut = ["hall: another adapter"]
        report.lessons = [lesson]
        report.leftOut = [
            TaughtReport.LeftOut(item: "keys", room: "hall", taughtAt: at, seconds: 60, why: "over four hours in all")
        ]
        var room = TaughtReport.Room(id: "kitchen", seconds: 60)
        (room.nextTo, room.isStale, room.right, room.takenFor) = (["hall"], true, 0.92, "hall")
        report.rooms = [room]
        report.running = [lessonReport]
        (report.isLearning, report.right) = (true, 0.9)
        return fuser(.learn(.list), .taught(report))
    }

    static var whys: [PayloadSample] {
        var item = Explanation(
            item: "keys", at: at, state: .present, room: "kitchen", confidence: 0.93, since: from)
        (item.previous, item.lastHeard, item.runnerUp) = ("hall", at, "hall")
        (item.trust, item.loudness, item.plan) = (0.92, 3.5, 0.1)
        item.cloned = "sent by two addresses in turn at hall, to and fro 2 times in an interval"
        item.rooms = [Explanation.Probability(room: "kitchen", probability: 0.93)]
        var node = Explanation.Node(node: "kitchen", room: "kitchen", state: .heard)
        (node.weight, node.level, node.heard, node.changed) = (2.31, -67.2, at, 6)
        item.nodes = [node]
        var person = Explanation(
            item: "anna", at: at, state: .present, room: "kitchen", confidence: 0.93, since: from)
        person.items = [PersonReason(item: "phone", state: .quiet, room: "kitchen", isLeftBehind: true)]
        person.mustHave = ["phone"]
        return [fuser(.why(item: "keys"), .why(item)), fuser(.why(item: "anna"), .why(person))]
    }

    static var history: PayloadSample {
        let visit = HistoryReport.Visit(room: "kitchen", from: from, to: to, confidence: 0.93)
        let report = HistoryReport(item: "keys", now: at, visits: [visit], next: to)
        return fuser(.history(item: "keys", from: from, to: to), .history(report))
    }

    static var journal: PayloadSample {
        let loss = LedgerLoss(epoch: epoch, first: 12, last: 15, reason: .fellOut)
        let report = JournalReport(
            node: "kitchen", entries: [.lost(loss, at: at)] + events.map { .event($0) }, next: 200)
        return fuser(
            .journal(node: "kitchen", region: nil, from: nil, to: nil, after: 0), .journal(report))
    }

    static var purged: PayloadSample {
        var report = PurgeReport()
        (report.visits, report.events, report.lessons, report.messages) = (12, 30, 1, 4)
        report.waits = "postgresql"
        return fuser(.purge(item: "keys", before: nil), .purged(report))
    }
}
