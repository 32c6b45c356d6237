import Identity
import Presence
import WireProtocol
import Testing

@Suite struct ProximityTests {
    private func window(_ end: Double, _ proximity: Window.Proximity, id: String = "c00000000001") -> Window {
        var window = Window(
            seq: 1, from: Ear.time(end - 1), to: Ear.time(end), node: "kitchen", epoch: "e", id: id, item: "keys",
            count: 3)
        window.proximity = proximity
        return window
    }

    @Test("Retain the proximity of a beacon at a border, and change it once beyond")
    func hysteresis() {
        var state = ProximityState()
        let changes = [0.7, 0.45, 0.55, 0.45, 0.35, 0.55, 0.65, 3.9, 4.5, 5, 3.5, 4.1, 3.0].map {
            state.update(metres: $0, at: Ear.time($0)) ? state.proximity.rawValue : "-"
        }
        #expect(
            changes == ["near", "-", "-", "-", "immediate", "-", "near", "-", "-", "far", "-", "-", "near"])
        #expect(state.since == Ear.time(3.0))
    }

    @Test("Report proximity on change alone, and clear it for a beacon that is no longer received")
    func table() {
        var table = ProximityTable()
        #expect(table.receive(window(1, .unknown)) == nil)
        let first = table.receive(window(2, .near))
        #expect(first?.beacon == "keys")
        #expect(first?.report == ProximityReport(proximity: .near, distance: nil, since: Ear.time(2)))
        #expect(table.receive(window(3, .near)) == nil)
        #expect(table.receive(window(9, .far))?.report.proximity == .far)
        #expect(table.forget(before: Ear.time(9)) == [])
        #expect(table.forget(before: Ear.time(9.1)) == ["keys"])
        #expect(table.count == 0)
    }

    @Test("Correct a measured power by its item")
    func power() {
        func window(item power: Int?, frame: Int? = -59) -> Window? {
            var keys = Item(id: "keys")
            keys.power = power
            var ear = Ear()
            ear.hear(0, power: frame, item: 0)
            ear.close(items: [keys])
            return ear.windows.first
        }
        #expect(window(item: nil)?.power == -59)
        #expect(window(item: -65)?.power == -65)
        #expect(window(item: -65, frame: nil)?.distance != nil)
        #expect(window(item: nil, frame: nil)?.power == nil)
    }
}
