import Bytes
import WireProtocol
import Testing

@Suite("Commands to a fuser")
struct FuserCommandTests {
    static func read(_ text: String) throws(CommandRefusal) -> FuserCommand {
        try FuserCommand(payload: Array(text.utf8).span)
    }

    static let moment = Timestamp(microseconds: 1_753_862_400_123_000)
    static let later = moment.advanced(bySeconds: 9)

    static let changes: FuserChanges = {
        var changes = FuserChanges()
        (changes.awayAfter, changes.detectsClones) = (.override(.milliseconds(90_500)), .override(false))
        return changes
    }()

    static let restoring: FuserChanges = {
        var changes = FuserChanges()
        (changes.awayAfter, changes.detectsClones) = (.restore, .override(true))
        return changes
    }()

    @Test(
        "Read a command back as it was sent",
        arguments: [
            .why(item: "keys"), .history(item: "keys", from: nil, to: nil),
            .history(item: "keys", from: moment, to: later), .purge(item: "keys", before: nil),
            .purge(item: "keys", before: moment), .silence(item: "keys", for: .milliseconds(90_500)),
            .silence(item: "keys", for: .zero), .set(changes), .set(restoring), .replay(epoch: nil, fromSeq: 1),
            .replay(epoch: "5f1c09aa", fromSeq: 1 << 53), .learn(.list), .learn(.undo("12")),
            .learn(.status(item: "keys")),
            .learn(.stop(item: "keys", keeps: true)), .learn(.stop(item: "keys", keeps: false)),
            .learn(.start(item: "keys", room: "hall", for: nil, walk: nil)),
            .learn(.start(item: "keys", room: "hall", for: .milliseconds(60_500), walk: "5f1c09aa")),
        ] as [FuserCommand.Action])
    func roundTrip(_ action: FuserCommand.Action) throws {
        for id in ["7", nil] {
            let command = FuserCommand(id: id, action: action)
            #expect(try FuserCommand(payload: command.payload.span) == command)
        }
    }

    @Test("Accept numbers as ids, ignore any number of unknown keys, and use the last of two equal keys")
    func lenience() throws {
        #expect(
            try Self.read(#"{"id":7,"action":"learn","undo":3,"x":{"y":[1]}}"#)
                == FuserCommand(id: "7", action: .learn(.undo("3"))))
        #expect(
            try Self.read(#"{"action":"learn","item":"keys","room":"hall","start":true}"#)
                == FuserCommand(id: nil, action: .learn(.start(item: "keys", room: "hall", for: nil, walk: nil))))
        #expect(
            try Self.read(#"{"action":"dance","action":"why","item":"cat","item":"keys"}"#).action
                == .why(item: "keys"))
    }

    @Test(
        "Answer an invalid command with the reason, under the command's id if there is one",
        arguments: [
            ("", nil, "not the expected JSON"), ("[1]", nil, "not the expected JSON"),
            (#"{"id":"7","action":"why""#, "7", "not the expected JSON"),
            (
                #"{"id":"7"}"#, "7",
                "'action' is missing; one of learn, why, history, purge, audit, silence, set, replay"
            ),
            (#"{"id":"7","action":null}"#, "7", "'action': expected text"),
            (
                #"{"id":"7","action":"nearby"}"#, "7",
                "there is no action 'nearby'; one of learn, why, history, purge, audit, silence, set, replay"
            ),
            (#"{"id":[],"action":"why"}"#, nil, "'id': expected"),
            (#"{"id":"7","action":"why"}"#, "7", "'item' is missing, which why needs"),
            (#"{"id":"7","action":"why","item":"A b"}"#, "7", "'item': expected an id"),
            (#"{"id":"7","action":"learn","room":"hall","start":true}"#, "7", "'item' is missing, which learn needs"),
            (
                #"{"id":"7","action":"learn","item":"keys","room":"hall"}"#, "7",
                "'room': expected 'start': true beside it"
            ),
            (
                #"{"id":"7","action":"learn","item":"keys","room":"hall","start":false}"#, "7",
                "'room': expected 'start'"
            ),
            (#"{"id":"7","action":"learn","item":"keys","room":"hall","stop":true}"#, "7", "'room': expected 'start'"),
            (#"{"id":"7","action":"learn","item":"keys","for":60}"#, "7", "'for': expected 'start': true beside it"),
            (#"{"id":"7","action":"learn","undo":"3","item":"keys"}"#, "7", "'item': expected no 'undo' beside it"),
            (#"{"id":"7","action":"learn","item":"keys","start":true}"#, "7", "'room' is missing"),
            (#"{"id":"7","action":"learn","item":"keys","start":true,"room":"away"}"#, "7", "'room': expected an id"),
            (
                #"{"id":"7","action":"learn","item":"keys","start":true,"room":"a","for":1}"#, "7",
                "'for': expected seconds from 5.0"
            ),
            (#"{"id":"7","action":"learn","item":"keys","start":true,"room":"a","for":1e308}"#, "7", "to 1800.0"),
            (
                #"{"id":"7","action":"learn","item":"keys","start":true,"room":"a","for":"60s"}"#, "7",
                "'for': expected seconds"
            ),
            (
                #"{"id":"7","action":"learn","item":"keys","start":true,"room":"a","walk":"a/b"}"#, "7",
                "'walk': expected an id"
            ),
            (#"{"id":"7","action":"learn","item":"keys","start":true,"stop":true}"#, "7", "either 'start' or 'stop'"),
            (#"{"id":"7","action":"learn","item":"keys","stop":"yes"}"#, "7", "'stop': expected true or false"),
            (
                #"{"id":"7","action":"history","item":"keys","from":"soon"}"#, "7",
                "'from': expected a time in Unix seconds"
            ),
            (#"{"id":"7","action":"history"}"#, "7", "'item' is missing, which history needs"),
            (#"{"id":"7","action":"purge","item":"keys","before":1e308}"#, "7", "'before': expected a time"),
            (
                #"{"id":"7","action":"silence","item":"keys","for":3e6}"#, "7",
                "'for': expected seconds from 0.0 to 2592000"
            ),
            (#"{"id":"7","action":"silence","for":3}"#, "7", "'item' is missing, which silence needs"),
            (#"{"id":"7","action":"set"}"#, "7", "'away_after or detect_clones' is missing, which set needs"),
            (#"{"id":"7","action":"set","window":1}"#, "7", "'away_after or detect_clones' is missing"),
            (#"{"id":"7","action":"set","away_after":0.5}"#, "7", "'away_after': expected seconds from 1.0 to 86400.0"),
            (#"{"id":"7","action":"set","away_after":1e308}"#, "7", "'away_after': expected seconds"),
            (#"{"id":"7","action":"set","away_after":-1e308}"#, "7", "'away_after': expected seconds"),
            (#"{"id":"7","action":"set","away_after":"90s"}"#, "7", "'away_after': expected seconds"),
            (#"{"id":"7","action":"set","away_after":{}}"#, "7", "'away_after': expected seconds"),
            (#"{"id":"7","action":"set","detect_clones":1}"#, "7", "'detect_clones': expected true or false"),
            (#"{"id":"7","action":"set","detect_clones":"yes"}"#, "7", "'detect_clones': expected true or false"),
            // Of a command with a fault nothing is done.
            (#"{"id":"7","action":"set","away_after":90,"detect_clones":[]}"#, "7", "'detect_clones': expected"),
            (#"{"id":"7","action":"replay"}"#, "7", "'from_seq' is missing, which replay needs"),
            (#"{"id":"7","action":"replay","from_seq":-1}"#, "7", "'from_seq': expected a whole number"),
            (#"{"id":"7","action":"replay","from_seq":1.5}"#, "7", "'from_seq': expected a whole number"),
            (#"{"id":"7","action":"replay","from_seq":1,"epoch":""}"#, "7", "'epoch': expected an epoch"),
            (#"{"id":"7","action":"learn","undo":""}"#, "7", "'undo': expected a lesson's id"),
        ] as [(String, String?, String)])
    func refusals(_ text: String, _ id: String?, _ words: String) {
        #expect {
            try Self.read(text)
        } throws: { error in
            guard let refusal = error as? CommandRefusal else { return false }
            return refusal.id == id && "\(refusal.fault)".contains(words)
        }
    }

    @Test("Reject an oversized command before it is read")
    func length() {
        let text = #"{"action":"why","item":"\#(String(repeating: "k", count: 70_000))"}"#
        #expect(throws: CommandRefusal(id: nil, action: nil, fault: .tooLong(limit: 65_536))) { try Self.read(text) }
    }

    static let lesson: LessonReport = {
        var report = LessonReport(
            id: "3", item: "keys", room: "hall", isRunning: false, seconds: 59, packets: 180)
        report.limit = 60
        report.nodes = [
            .init(node: "kitchen", packets: 170, level: -61.5), .init(node: "attic", packets: 10, level: -90),
        ]
        return report
    }()

    static let taught: TaughtReport = {
        let at = Timestamp(microseconds: 1_753_862_400_123_000)
        var report = TaughtReport()
        report.lessons = [
            .init(id: "3", item: "keys", room: "hall", taughtAt: at, seconds: 59, packets: 180, walk: "5f1c09aa"),
            .init(id: "4", item: "cat", room: "attic", taughtAt: at, seconds: 29.5, packets: 80, walk: nil),
        ]
        report.lessons[1].leftOut = ["kitchen: another adapter"]
        report.rooms = [.init(id: "hall", seconds: 59), .init(id: "attic", seconds: 29.5)]
        report.rooms[0].nextTo = ["attic"]
        (report.rooms[0].right, report.rooms[0].takenFor, report.rooms[1].isStale) = (0.95, "attic", true)
        var running = lesson
        (running.id, running.isRunning) = (nil, true)
        report.running = [running]
        (report.isLearning, report.isKept, report.right) = (true, false, 0.9)
        return report
    }()

    static let why: Explanation = {
        let at = Timestamp(microseconds: 1_753_862_400_123_000)
        var why = Explanation(item: "keys", at: at, state: .quiet, room: "hall", confidence: 0.91, since: at)
        (why.previous, why.lastHeard, why.runnerUp, why.trust) = ("attic", at, "attic", 0.8)
        (why.loudness, why.plan) = (-7.5, 0.5)
        why.rooms = [.init(room: "hall", probability: 0.95), .init(room: "attic", probability: 0.05)]
        why.nodes = [.init(node: "kitchen", room: "hall", state: .heard), .init(node: "b", room: nil, state: .deaf)]
        (why.nodes[0].weight, why.nodes[0].level, why.nodes[0].changed) = (-2.5, -61.5, 6.5)
        why.nodes[0].heard = at
        return why
    }()

    static let history = HistoryReport(
        item: "keys", now: later,
        visits: [
            .init(room: "hall", from: moment, to: later, confidence: 0.875),
            .init(room: "away", from: later, to: nil, confidence: 0.96),
        ], next: later)

    static let purged: PurgeReport = {
        var report = PurgeReport()
        (report.visits, report.events, report.lessons, report.messages) = (1, 2, 3, 4)
        return report
    }()

    @Test(
        "Reject an answer with numbers that no table can show",
        arguments: [
            #""lesson":{"seconds":1e308}"#, #""lesson":{"nodes":[{"level":-1e308}]}"#, #""lesson":{"limit":-1}"#,
            #""right":1e99"#, #""rooms":[{"seconds":1e99}]"#, #""rooms":[{"right":2}]"#, #""lessons":[{"seconds":-5}]"#,
            #""why":{"confidence":1e308}"#, #""why":{"trust":-1}"#, #""why":{"loudness_db":1e308}"#,
            #""why":{"plan":2}"#, #""why":{"rooms":{"hall":1e9}}"#,
            #""why":{"nodes":[{"weight":1e308}]}"#, #""why":{"nodes":[{"level":1e308}]}"#,
            #""why":{"nodes":[{"changed_db":-1e308}]}"#,
            #""history":{"visits":[{"confidence":1e308}]}"#,
        ])
    func unshowable(_ part: String) {
        let text = #"{"v":1,"ok":true,"at":1,"# + part + "}"
        #expect(throws: PayloadFault.self) { try FuserResult(payload: Array(text.utf8).span) }
    }

    @Test(
        "Read an answer back as it was sent",
        arguments: [
            .done, .failed("no"), .lesson(lesson), .taught(taught), .taught(TaughtReport()), .why(why),
            .history(HistoryReport(item: "keys", now: later)), .history(history),
            .replayed(ReplayReport(epoch: "5f1c09aa", first: 3, last: 4000, next: 1003)),
            .replayed(ReplayReport(epoch: "5f1c09aa", first: nil, last: 0, next: nil)),
            .replayed(ReplayReport(unknown: "5f1c09aa", kept: ["0badcafe", "7e57ab1e"])),
            .purged(PurgeReport()), .purged(purged),
        ] as [FuserAnswer])
    func answers(_ answer: FuserAnswer) throws {
        let result = FuserResult(
            to: FuserCommand(id: "7", action: .learn(.list)), answer, at: Timestamp(microseconds: 1_753_862_400_000_000)
        )
        #expect(try FuserResult(payload: result.payload.span) == result)
    }
}
