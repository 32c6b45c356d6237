import Bytes
import WireProtocol
import Testing

/// Lessons in the flat to teach in, on a virtual clock: a person with a tag stays in each room while Anna goes about.
@Suite("Lessons in a simulated flat") struct TeachingTests {
    static let rooms = ["kitchen", "hall", "living", "bedroom"]

    private func flat(seed: UInt64) throws -> Loopback { try Loopback("../teaching/house", seed: seed) }

    /// Teaches each room for so many seconds, all at once, and learns.
    private func teach(_ flat: inout Loopback, seconds: Double) throws {
        for room in Self.rooms {
            try flat.learn(.start(item: "in-\(room)", room: room, for: .seconds(seconds), walk: nil))
        }
        try flat.run(seconds: seconds + 2)
        let learned = flat.takeLessons()
        #expect(learned)
    }

    /// Anna's seconds that were answered right, and all of them, in the whole house and in the hall, after so many
    /// seconds.
    private func score(_ flat: Loopback, from seconds: Double) throws -> (right: Int, all: Int, hall: Int, inHall: Int)
    {
        let score = try #require(flat.scores(warmUp: seconds).first { $0.item == "keys" })
        print("teaching: " + score.row)
        return (
            score.right + score.rightElsewhere, score.seconds + score.elsewhere, score.rightElsewhere, score.elsewhere
        )
    }

    @Test(
        "Answer the hall, which has no gateway, in a taught flat, and no longer once that is undone",
        arguments: Live.isFull ? [20, 21] : [20] as [UInt64])
    func better(seed: UInt64) throws {
        var plain = try flat(seed: seed)
        try plain.run(seconds: 582)
        let before = try score(plain, from: 282)
        var taught = try flat(seed: seed)
        try taught.run(seconds: 20)
        try teach(&taught, seconds: 240)
        guard case .taught(let report) = try taught.learn(.list) else { throw TeachingTestFault.noList }
        #expect(report.lessons.count == 4 && (report.right ?? 0) > 0.7)
        #expect(report.rooms.allSatisfy { $0.seconds >= 239 && !$0.isStale })
        try taught.run(seconds: 320)
        let after = try score(taught, from: 282)
        #expect(before.hall == 0)
        #expect(after.hall * 4 > after.inHall, "seed \(seed)")
        #expect(Double(after.right) / Double(after.all) > Double(before.right) / Double(before.all) + 0.08)
        for lesson in report.lessons { try taught.learn(.undo(lesson.id)) }
        taught.takeLessons()
        try taught.run(seconds: 200)
        #expect(try score(taught, from: 620).hall == 0)
        #expect(try taught.explain("keys").trust == nil)
    }

    private enum TeachingTestFault: Error { case noList }
}
