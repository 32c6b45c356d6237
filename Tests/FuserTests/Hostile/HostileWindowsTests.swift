import Fuser
import HouseTracking
import WireProtocol
import Testing

/// A hostile or broken publisher beside honest nodes: what it sends is counted, changes nothing, and is told.
@Suite struct HostileWindowsTests {
    /// What a house told in forty seconds in which the keys are carried from the kitchen to the hall.
    private struct Life {
        var told: [Message] = []
        var events: [FuserEffects.Event] = []
        let counters: Household.Counters
        let refused: UInt64
        var words: [String] = []

        init(_ hostile: HostileRow? = nil) {
            var fused = Fused()
            for node in ["kitchen", "hall", "den"] { fused.info(node) }
            for second in 1...40 {
                let end = Double(second)
                fused.interval(second < 20 ? "kitchen" : "hall", end, ["keys"])
                if (5...35).contains(second) {
                    for message in hostile?.messages(second) ?? [] { fused.receive(message, at: end + 0.1) }
                }
                fused.interval(second < 20 ? "hall" : "kitchen", end, [])
                fused.interval("den", end, ["cat"])
                words += fused.pipeline.takeComplaints().map(\.words)
            }
            told = fused.outbox
            events = fused.pipeline.takeEffects(at: Fused.time(41), remembers: false).events
            (counters, refused) = (fused.pipeline.counters, fused.pipeline.refused)
        }

        func count(_ counter: HostileRow.Counter) -> UInt64 {
            switch counter {
            case .refused: refused
            case .offClock: counters.offClock
            case .unplaced: counters.unplaced
            case .late: counters.late
            case .doubled: counters.doubled
            }
        }

        var leftOut: UInt64 {
            refused + counters.offClock + counters.unplaced + counters.late + counters.doubled + counters.overfull
        }
    }

    @Test("An honest house has nothing to complain of, and sees the keys move")
    func honest() {
        let life = Life()
        // The first node's word begins the house: of that second the others' come too late.
        #expect(life.leftOut == life.counters.late && life.counters.late <= 3 && life.words.isEmpty)
        #expect(life.events.map(\.event.room) == ["hall"])
    }

    @Test("What no honest node says is counted, moves nothing by a byte, and is told", arguments: HostileRow.all)
    func hostile(_ row: HostileRow) {
        let (honest, life) = (Life(), Life(row))
        let sent = UInt64((5...35).reduce(0) { $0 + row.messages($1).count })
        #expect(life.count(row.counter) == honest.count(row.counter) + sent)
        #expect(life.leftOut == honest.leftOut + sent)
        #expect(life.told == honest.told && life.events == honest.events)
        #expect(life.words.contains { $0.contains(row.told) }, "\(life.words)")
        // A flood of them is no flood of words.
        #expect(life.words.count <= 31)
    }
}
