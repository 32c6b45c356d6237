import Integrations
import WireProtocol
import Testing

@testable import Fuser
import HouseTracking

@Suite("Which nodes of other systems there is room for, and where they stand")
struct ExternalNodesTests {
    /// Nodes under made-up names, each of which tells of the keys once.
    private func flood(_ house: inout ExternalHouse, at seconds: Double, _ name: String = "fake", count: Int = 300) {
        for node in 0..<count { house.espresense("\(name)-\(node)", -60, at: seconds + Double(node) / 1000) }
    }

    private func claim(_ house: ExternalHouse) -> Claim.Neighbours? { house.fused.pipeline.external.counters }

    @Test("Made-up names keep a real node out until they were silent for ten minutes, and no longer")
    func letGo() throws {
        var house = ExternalHouse()
        flood(&house, at: 1)
        house.espresense("kitchen", -50, at: 2)
        house.fused.advance(to: 4)
        #expect(claim(house)?.nodes == 256 && claim(house)?.letGo == 0 && claim(house)?.leftOut == 45)
        for second in 590..<640 { house.espresense("kitchen", -50, at: Double(second) + 0.5) }
        #expect(house.rooms.last == "kitchen")
        #expect(claim(house)?.nodes == 256 && claim(house)?.letGo == 1)
        let words = house.complaints.filter { $0.contains("let go for new ones") }
        #expect(words.count == 1 && words[0].hasPrefix("1 or more nodes of other systems"))
        #expect(!house.fused.pipeline.rooms.contains("fake-0"), "the one heard longest ago")
    }

    @Test("One that goes on speaking stays, whoever comes")
    func stays() {
        var house = ExternalHouse()
        for second in stride(from: 0.0, through: 1410, by: 30) {
            house.espresense("kitchen", -50, at: second + 0.5)
            if second.truncatingRemainder(dividingBy: 690) == 0 {
                flood(&house, at: second + 0.6, "fake-\(Int(second))")
            }
        }
        #expect(house.fused.pipeline.external.id(ofNode: "kitchen", .espresense) == "espresense-kitchen")
        #expect(claim(house)?.nodes == 256 && (claim(house)?.letGo ?? 0) > 200)
    }

    @Test("One that the configuration names is never shut out, nor let go, by its id or as a room")
    func named() {
        var house = ExternalHouse(nodes: ["espresense-esp32-7": "den"])
        flood(&house, at: 1)
        for second in 2...20 { house.espresense("esp32-7", -50, at: Double(second) + 0.5) }
        #expect(house.rooms.last == "den")
        flood(&house, at: 700, "other")
        flood(&house, at: 1400, "third")
        #expect(house.fused.pipeline.external.id(ofNode: "esp32-7", .espresense) != nil)
    }

    @Test("A node has a configured room's name in each spelling that places it there")
    func spelt() {
        var house = ExternalHouse(rooms: ["living-room"])
        for name in ["Living_Room", "living-room", "living_room"] { house.espresense(name, -50, at: 1) }
        let pipeline = house.fused.pipeline
        for name in ["Living_Room", "living-room", "living_room"] {
            let isNamed = pipeline.external.isNamed("espresense-x", called: name, pipeline.turn)
            #expect(isNamed, "\(name)")
        }
        let isNamed = pipeline.external.isNamed("espresense-x", called: "livingroom", pipeline.turn)
        #expect(!isNamed)
    }

    @Test("In a house whose rooms are named a node without one takes no place")
    func unplaced() {
        var house = ExternalHouse(rooms: ["hall", "den"])
        flood(&house, at: 1)
        for second in 2...12 { house.espresense("hall", -50, at: Double(second) + 0.5) }
        #expect(house.rooms == ["hall"])
        #expect(claim(house)?.nodes == 1 && claim(house)?.leftOut == 0)
    }

    @Test("Those of an earlier run give way as well, and their rooms with them")
    func inherited() {
        var record = HouseholdRecord()
        record.nodes = (0..<256).map { .init(id: "espresense-fake-\($0)", room: "fake-\($0)") }
        var fused = Fused(remembering: record)
        fused.pipeline.listen(to: IntegrationInputs([.espresense: "espresense"]), aliases: ["wallet": "keys"])
        let message = Message(topic: "espresense/devices/wallet/kitchen", text: #"{"rssi":-60}"#)
        fused.receive(message, at: 1)
        #expect(fused.pipeline.external.counters?.leftOut == 1)
        for second in 601...620 { fused.receive(message, at: Double(second) + 0.5) }
        #expect(fused.texts("whereabouts/items/keys/room").last == "kitchen")
        #expect(fused.pipeline.tracking.rooms.count == 256)
    }

    @Test("A clock that is set back or forth lets nobody go who speaks")
    func clock() {
        var house = ExternalHouse()
        for node in 0..<256 { house.espresense("node-\(node)", -60, at: 5000 + Double(node) / 1000) }
        for node in 0..<256 { house.espresense("node-\(node)", -60, at: 1 + Double(node) / 1000) }
        house.espresense("late", -60, at: 2)
        #expect(claim(house)?.letGo == 0 && claim(house)?.leftOut == 1)
        house.espresense("late", -60, at: 700)
        #expect(claim(house)?.letGo == 1)
    }

    @Test("Where a node stands, and why, is told once, so that a mistyped name is seen")
    func told() {
        var house = ExternalHouse(nodes: ["espresense-esp32-7": "den"])
        house.fused.info("hall")
        for second in 1...3 {
            for name in ["hall", "esp32-7", "kitchne"] { house.espresense(name, -60, at: Double(second) + 0.5) }
        }
        let notes = house.fused.pipeline.takeNotes()
        #expect(
            notes == [
                "node espresense-hall of another system (espresense) stands in hall, the room of its name",
                "node espresense-esp32-7 of another system (espresense) stands in den, as 'nodes' says",
                "node espresense-kitchne of another system (espresense) stands in kitchne, a room made of its name; if that "
                    + "is another's, give it a place: nodes: {espresense-kitchne: {room: …}}",
            ])
        house.espresense("kitchne", -60, at: 5)
        let again = house.fused.pipeline.takeNotes()
        #expect(again.isEmpty)
    }

    @Test("What nobody knows, what is left out and who is there is counted in the claim, where anybody is listened to")
    func counted() throws {
        var house = ExternalHouse()
        house.espresense("hall", -60, at: 1, id: "apple:1006:10-12")
        house.espresense("hall", -60, at: 1)
        var message = house.fused.pipeline.message(claiming: .serving, 1, of: 0...255, epoch: "1", lastEvent: 0)
        let claim = try Claim(payload: message.payload.span)
        #expect(claim.neighbours?.strangers == 1 && claim.neighbours?.nodes == 1)
        #expect(claim.neighbours?.leftOut == 0 && claim.neighbours?.letGo == 0)
        let silent = Fused()
        message = silent.pipeline.message(claiming: .serving, 1, of: 0...255, epoch: "1", lastEvent: 0)
        #expect(!String(decoding: message.payload, as: UTF8.self).contains("neighbours"))
    }

    @Test("A crowd of made-up nodes keeps no reading of a named one out of an interval")
    func gathered() {
        var desk = ExternalReadings(IntegrationInputs([.espresense: "espresense"]))
        desk.places.assignPlace("espresense-hall", .espresense, called: "hall", isNamed: true, at: Fused.time(0))
        let reading = ExternalReading(system: .espresense, node: "hall", names: [.alias("x")])
        func gather(_ item: String, _ node: String) -> Bool {
            desk.addReading(
                reading, of: item, called: .alias(item), by: node, at: Fused.time(0.5), length: .seconds(1))
        }
        let crowd = (0..<ExternalReadings.gatherCapacity).filter { gather("item-\($0)", "espresense-fake") }
        let (stranger, named) = (gather("one-more", "espresense-fake"), gather("one-more", "espresense-hall"))
        #expect(crowd.count == ExternalReadings.gatherCapacity && !stranger && named)
        desk.drop("espresense-hall")
        let again = gather("one-more", "espresense-hall")
        #expect(again && desk.counters.leftOut == 1)
        let windows = desk.takeWindows(at: Fused.time(2))
        #expect(windows?.count == ExternalReadings.gatherCapacity + 1)
        let next = gather("again", "espresense-fake")
        #expect(next)
    }
}
