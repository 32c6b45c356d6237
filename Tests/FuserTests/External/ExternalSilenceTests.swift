import Fuser
import Testing
import WireProtocol

@Suite("The silence of other systems' nodes")
struct ExternalSilenceTests {
    @Test("In a house of theirs alone what falls silent is unknown after a while, and never away")
    func unknown() throws {
        var house = ExternalHouse()
        for second in 1...20 { house.espresense("hall", -60, at: Double(second) + 0.5) }
        // Another item goes on being heard: its intervals say nothing of the keys.
        for second in 21...120 {
            house.espresense("hall", -60, at: Double(second) + 0.5, id: "dd8800003777")
            if second == 70 { #expect(try house.location()?.state == .present) }
        }
        #expect(house.rooms == ["hall", "unknown"])
        #expect(try house.location("tag")?.room == "hall")
    }

    @Test("A house that falls silent as a whole is unknown after a minute, and goes on where it is heard again")
    func all() throws {
        var house = ExternalHouse()
        for second in 1...20 { house.espresense("hall", -60, at: Double(second) + 0.5) }
        for second in 21...75 { house.fused.advance(to: Double(second)) }
        #expect(house.rooms == ["hall"])
        for second in 76...90 { house.fused.advance(to: Double(second)) }
        #expect(house.rooms == ["hall", "unknown"])
        for second in 91...95 { house.espresense("hall", -60, at: Double(second) + 0.5) }
        #expect(house.rooms == ["hall", "unknown", "hall"])
        let kinds = house.fused.pipeline.takeEffects(at: Fused.time(96), remembers: false).events.map(\.event.kind)
        #expect(kinds.isEmpty)
    }

    @Test("Beside nodes of ours, which listen, an item that nobody hears leaves as ever")
    func away() throws {
        var house = ExternalHouse()
        house.fused.info("den")
        for second in 1...120 {
            if second <= 20 { house.espresense("hall", -60, at: Double(second) - 0.5) }
            house.fused.interval("den", Double(second), [])
        }
        #expect(house.rooms == ["hall", "away"])
    }

    @Test("A node of ours is not outvoted by the silence of theirs, nor they by its word where it is faint")
    func mixed() throws {
        var house = ExternalHouse()
        house.fused.info("den")
        // The window of ours is of -60 dBm.
        for second in 1...60 {
            if second <= 30 { house.espresense("hall", -45, at: Double(second) - 0.5) }
            house.fused.interval("den", Double(second), ["keys"])
        }
        #expect(house.rooms.first == "hall" && house.rooms.last == "den")
    }

    @Test("A node that says it is gone takes back what it told in the interval, and one that speaks is there again")
    func offline() throws {
        var house = ExternalHouse()
        for second in 1...10 { house.espresense("hall", -60, at: Double(second) + 0.5) }
        house.espresense("den", -20, at: 11.1)
        house.say("espresense/rooms/den/status", "offline", at: 11.2, retained: false)
        house.espresense("hall", -60, at: 11.5)
        house.fused.advance(to: 13)
        #expect(house.rooms == ["hall"])
        for second in 13...20 { house.espresense("den", -20, at: Double(second) + 0.5) }
        #expect(house.rooms == ["hall", "den"])
    }

    @Test("What its beacon says of itself is the item's telemetry, by whichever system")
    func telemetry() throws {
        var house = ExternalHouse()
        house.say(ExternalHouse.device + "/hall", #"{"rssi":-60,"mV":2900,"temp":20.5}"#, at: 1.5)
        house.fused.advance(to: 3)
        let told = house.fused.texts("whereabouts/items/keys/telemetry").last ?? ""
        #expect(told.contains(#""battery_mv":2900"#) && told.contains(#""node":"espresense-hall""#))
    }
}
