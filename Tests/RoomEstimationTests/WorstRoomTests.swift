@testable import RoomEstimation
import Testing

@Suite("The room of the worst fit")
struct WorstRoomTests {
    @Test("Locate an item that stays in it by its lessons")
    func isTrusted() throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            // There is no node in the middle room, and those beside it receive it alike.
            var toy = ToyHouse(rooms: 3, nodesIn: [0, 2], seed: seed)
            var recordings: [Recording] = []
            for room in 0..<3 {
                var recording = toy.stays([room], seconds: 60)
                recording.isGuided = true
                recordings.append(recording)
            }
            let lessons = try #require(TrainedModel(recordings, in: toy.house))
            for room in 0..<3 {
                var locator = Locator(house: toy.house, lessons: lessons)
                for hop in toy.stays([room], seconds: 120).hops { locator.weigh(hop) }
                let share = try #require(locator.shareOfLessons)
                #expect(share > 0.5, "room \(room), seed \(seed)")
            }
        }
    }
}
