import Bytes
import Support
import Testing
import WireProtocol

/// A fuser that is killed every few seconds beside one that never is.
@Suite struct ManyRestartsTests {
    /// Seconds in which two fusers of equal state may differ.
    private static let slack = 12.0
    /// Twenty-five minutes of a house, and the fuser that lives through them.
    private static let house = LivelyHouse(seed: 2, seconds: 1500)
    private static let whole: LivelyFuser = {
        var fuser = LivelyFuser()
        for second in 1...house.seconds.count { fuser.run(second, house) }
        return fuser
    }()

    @Test(
        "Publish no false move over some seventy kills in a busy house",
        arguments: LongProofs.areRequested ? [4000, 3002, 4002, 3004] : [4000, 3002] as [UInt64])
    func noFalseMove(seed: UInt64) {
        let (house, whole) = (Self.house, Self.whole)
        var random = SeededGenerator(seed: seed)
        var killed = LivelyFuser()
        var (untilKill, dead) = (10, 0)
        for second in 1...house.seconds.count {
            if dead > 0 {
                dead -= 1
                guard dead == 0 else { continue }
                killed.restart()
                // Now and then just after its start.
                untilKill = Int.random(in: 0..<5, using: &random) == 0 ? 1 : .random(in: 2...17, using: &random)
            }
            killed.run(second, house)
            untilKill -= 1
            guard untilKill <= 0 else { continue }
            dead =
                Int.random(in: 0..<6, using: &random) == 0
                ? .random(in: 2...19, using: &random) : .random(in: 2...5, using: &random)
        }
        #expect(killed.events.count > 150)
        // An item that comes home is placed by its first packets, by the living fuser as by the killed one.
        for (item, event) in killed.events where event.kind == .moved {
            let (word, at) = (event.room ?? "away", event.at.seconds)
            let lines = [house.truth[item], whole.lines["item-\(item)"] ?? .init()]
            #expect(
                lines.contains { $0.has(word, at - Self.slack, at + Self.slack) },
                "item-\(item) \(event.previous ?? "away")>\(word) at \(at), \(whole.lines["item-\(item)"]?.places ?? [])"
            )
        }
    }
}
