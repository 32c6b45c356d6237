import Bytes
import Store
import Testing

@testable import Fuser

/// The figures of a walk, as they are defined.
@Suite struct TruthScoreTests {
    private static func stays(_ stays: (String, Double, Double)...) -> [TruthWalk.Stay] {
        stays.map { .init(room: $0.0, from: Fused.time($0.1), to: Fused.time($0.2)) }
    }

    private static func answers(_ answers: (String?, Double)...) -> [TruthScore.Answer] {
        answers.map { .init(room: $0.0, from: Fused.time($0.1)) }
    }

    private static let walk = stays(("hall", 0, 20), ("kitchen", 20, 60))

    @Test("Count the share of the time in which the answer is the true room")
    func accuracy() {
        let score = TruthScore(Self.walk, Self.answers(("hall", -9), ("kitchen", 35)))
        #expect(score.accuracy == 0.75 && score.duration == .seconds(60), "15 of 60 seconds were wrong")
        #expect(score.settled == 0.875, "5 of the 40 seconds that are later than 10 s after a mark were wrong")
    }

    @Test("Count time without an answer as wrong")
    func unanswered() {
        #expect(TruthScore(Self.walk, []).accuracy == 0)
        #expect(TruthScore(Self.walk, Self.answers(("hall", 0), (nil, 10), ("kitchen", 20))).accuracy == 5.0 / 6)
    }

    @Test("Call no change a flap that finds a room from 2 s before to 5 s after it, and each other one")
    func flaps() {
        func flaps(_ time: Double, _ room: String = "kitchen") -> Int {
            TruthScore(Self.walk, Self.answers(("hall", -9), (room, time))).flaps
        }
        #expect(flaps(18) == 0 && flaps(17.9) == 1)
        #expect(flaps(30, "bath") == 1)
        let back = TruthScore(Self.walk, Self.answers(("bath", -9), ("hall", 24.9)))
        #expect(back.flaps == 0, "the hall was left 4.9 s before")
        #expect(TruthScore(Self.walk, Self.answers(("bath", -9), ("hall", 25))).flaps == 1)
        let again = Self.answers(("hall", -9), ("kitchen", 22), ("hall", 40), ("kitchen", 41))
        #expect(TruthScore(Self.walk, again).flaps == 2, "the kitchen was found before")
        #expect(TruthScore(Self.walk, Self.answers(("hall", -9), ("bath", -3), ("hall", 60))).flaps == 0)
    }

    @Test("Measure the lag to the first answer that stays right for 5 s")
    func lag() {
        func lag(_ answers: (String?, Double)...) -> Duration? {
            TruthScore(
                Self.walk,
                [.init(room: "hall", from: Fused.time(-9))] + answers.map { .init(room: $0.0, from: Fused.time($0.1)) }
            ).lag
        }
        #expect(lag(("kitchen", 23)) == .seconds(3))
        #expect(lag(("kitchen", 19)) == .zero)
        #expect(lag(("kitchen", 23), ("hall", 27), ("kitchen", 30)) == .seconds(10), "4 s were not held")
        #expect(lag(("kitchen", 58)) == .seconds(38), "it was right until the end")
        #expect(lag() == .seconds(40), "it was never right")
        #expect(TruthScore(Self.stays(("hall", 0, 20)), []).lag == nil, "the first room has none")
    }

    /// A case that was reckoned by hand, and whose figures the reference tool has too.
    @Test("Agree with a walk that was reckoned by hand")
    func byHand() {
        let stays = Self.stays(("hall", 0, 20), ("kitchen", 20, 60), ("bath", 60, 66), ("kitchen", 66, 100))
        let answers = Self.answers(
            ("hall", -5), ("kitchen", 23), ("hall", 40), ("kitchen", 42), ("bath", 64.5), ("kitchen", 70),
            ("bedroom", 80),
            ("kitchen", 81))
        let score = TruthScore(stays, answers)
        #expect(score.accuracy == 0.855, "20 + 35 + 1.5 + 29 of 100 s")
        #expect(score.settled == 61.0 / 64, "10 of 10, 28 of 30, 23 of 24 s")
        #expect(score.flaps == 4, "at 40, 42, 80 and 81 s")
        #expect(score.lag == .seconds(4), "3 and 4 s; the bath was too short")
    }

    @Test("Make answers of visits: nothing is said between two of them")
    func visits() {
        let found = TruthScore.Answer.answers([
            ("hall", Fused.time(0), Fused.time(5)), ("bath", Fused.time(5), Fused.time(9)),
            ("bath", Fused.time(12), nil),
        ])
        #expect(found == Self.answers(("hall", 0), ("bath", 5), (nil, 9), ("bath", 12)))
    }
}

/// Walks, as marks make them.
@Suite struct TruthWalkTests {
    private static func marks(_ marks: (Double, String?)...) -> [TruthRecord] {
        marks.map { TruthRecord(item: "keys", at: Fused.time($0.0), room: $0.1, user: "anna") }
    }

    private static func lines(_ marks: [TruthRecord], at now: Double) -> [String] {
        TruthWalk.walks(of: marks, at: Fused.time(now)).map { walk in
            let stays = walk.stays.map { stay in
                "\(stay.room) \(Int(stay.from.seconds(since: Fused.time(0))))-\(Int(stay.to.seconds(since: Fused.time(0))))"
            }
            return stays.joined(separator: " ") + (walk.isOpen ? " …" : "")
        }
    }

    @Test("Stay in a room until the next mark, and end with a mark without a room")
    func stays() {
        let marks = Self.marks((0, "hall"), (20, "kitchen"), (60, nil), (90, "bath"))
        #expect(Self.lines(marks, at: 100) == ["hall 0-20 kitchen 20-60", "bath 90-100 …"])
        #expect(Self.lines(Self.marks((0, "hall"), (5, "hall"), (9, nil), (12, nil)), at: 20) == ["hall 0-9"])
        #expect(Self.lines(Self.marks((5, nil)), at: 20).isEmpty)
    }

    @Test("End by itself an hour after its last mark")
    func forgotten() {
        let marks = Self.marks((0, "hall"), (10, "bath"))
        #expect(Self.lines(marks, at: 7200) == ["hall 0-10 bath 10-3610"])
        #expect(
            Self.lines(marks + Self.marks((7200, "hall")), at: 7210) == ["hall 0-10 bath 10-3610", "hall 7200-7210 …"])
    }

    @Test("Write the table that locate reads, a session a walk")
    func table() {
        let walks = TruthWalk.walks(
            of: Self.marks((0, "hall"), (20.5, "kitchen"), (60, nil), (90, "bath"), (99, nil)), at: Fused.time(100))
        #expect(
            TruthWalk.table(walks, of: "keys") == """
                session,tag,t_start,t_end,room
                1000000,keys,1000000,1000020.5,hall
                1000000,keys,1000020.5,1000060,kitchen
                1000090,keys,1000090,1000099,bath

                """)
    }
}
