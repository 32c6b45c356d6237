@testable import HouseTracking
@testable import RoomEstimation
import WireProtocol
import Testing

@Suite("Nodes of other systems that come and go")
struct ExternalNodesTests {
    /// Seconds in which another system's node publishes the keys, and ours receive them.
    private func tell(
        _ home: inout Home, _ seconds: Int, _ node: String, _ level: Double, _ levels: [(String, Double)],
        listening: [String] = ["kitchen", "hall"]
    ) {
        for _ in 0..<seconds {
            home.household.receiveExternal(Home.window(home.now + 1, node, level), at: Home.time(home.now))
            home.run(1, levels, listening: listening)
        }
    }

    /// A house of two nodes of ours, in which one of another system publishes the keys for a while.
    private func home(with stranger: String?) -> Home {
        var home = Home()
        home.run(20, [("kitchen", -60), ("hall", -75)])
        if let stranger {
            home.household.addExternalNode(stranger, in: "den")
            tell(&home, 5, stranger, -80, [("kitchen", -60), ("hall", -75)])
        } else {
            home.run(5, [("kitchen", -60), ("hall", -75)])
        }
        home.run(60, [("kitchen", -60), ("hall", -75)])
        return home
    }

    @Test("Leave nothing of a removed node behind, and reuse its place for the next one with its own room")
    func seat() throws {
        var home = home(with: "espresense-den")
        #expect(home.household.rooms == ["kitchen", "hall", "den"])
        let gone = home.household.removeExternalNode("espresense-den")
        #expect(gone)
        #expect(home.household.rooms == ["kitchen", "hall"])
        #expect(!home.household.knowsRoom(of: "espresense-den"))
        home.household.addExternalNode("espresense-attic", in: "attic")
        #expect(home.household.rooms == ["kitchen", "hall", "attic"])
        home.run(5, [("kitchen", -60), ("hall", -75)])
        let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
        #expect(why.room == "kitchen")
        #expect(Set(why.nodes.map(\.node)) == ["kitchen", "hall", "espresense-attic"])
        #expect(why.nodes.first { $0.node == "espresense-attic" }?.level == nil, "it has told nothing yet")
        // The new one's observation counts as its own.
        tell(&home, 60, "espresense-attic", -40, [("kitchen", -85), ("hall", -85)])
        #expect(home.locations.last?.room == "attic")
    }

    @Test("Ignore a removed node's observations for the room of the next node in its place")
    func silence() throws {
        var home = Home()
        home.household.addExternalNode("espresense-den", in: "den")
        tell(&home, 30, "espresense-den", -60, [("kitchen", -60), ("hall", -75)])
        home.run(60, [("kitchen", -60), ("hall", -75)])
        home.household.removeExternalNode("espresense-den")
        home.household.addExternalNode("espresense-attic", in: "attic")
        home.run(5, [("kitchen", -60), ("hall", -75)])
        let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
        #expect(!why.rooms.contains { $0.room == "attic" || $0.room.isEmpty }, "\(why.rooms)")
        #expect(why.nodes.first { $0.node == "espresense-attic" }?.weight == nil)
    }

    @Test("Move the keys after a node's removal as in a house that never had it")
    func unchanged() {
        var (one, other) = (home(with: nil), home(with: "espresense-den"))
        other.household.removeExternalNode("espresense-den")
        for home in 0..<2 {
            var house = home == 0 ? one : other
            house.run(60, [("kitchen", -85), ("hall", -55)])
            if home == 0 { one = house } else { other = house }
        }
        #expect(one.events.map(\.kind) == other.events.map(\.kind) && one.events.map(\.at) == other.events.map(\.at))
        #expect(one.locations.last?.room == "hall" && other.locations.last?.room == "hall")
    }

    @Test("Remove a node's room with it, even if a silent item might have been there")
    func believed() throws {
        var home = Home()
        home.household.addExternalNode("espresense-den", in: "den")
        tell(&home, 30, "espresense-den", -62, [("kitchen", -60), ("hall", -75)])
        home.run(15, [])
        let before = try #require(home.household.explain("keys", at: Home.time(home.now)))
        #expect(before.room == "kitchen" && before.rooms.contains { $0.room == "den" })
        home.household.removeExternalNode("espresense-den")
        #expect(home.household.rooms == ["kitchen", "hall"])
        for next in ["", "attic"] {
            if !next.isEmpty { home.household.addExternalNode("espresense-attic", in: next) }
            home.run(1, [])
            let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
            #expect(Set(why.rooms.map(\.room)).isSubset(of: ["kitchen", "hall"]), "\(why.rooms)")
            #expect(why.runnerUp != "" && why.runnerUp != "attic")
        }
    }

    @Test("Reserve the index of a removed node that a lesson refers to")
    func taught() throws {
        var home = Home(rooms: ["kitchen", "hall", "den"])
        home.run(2, [("kitchen", -80), ("hall", -82)])
        home.household.addExternalNode("espresense-den", in: "den")
        let start = Home.time(home.now)
        _ = try home.household.startLesson(of: "keys", in: "den", for: .seconds(30), walk: nil, at: start)
        tell(&home, 35, "espresense-den", -50, [("kitchen", -80), ("hall", -82)])
        #expect(home.lessons.count == 1)
        let index = try #require(home.household.house.node("espresense-den"))
        let gone = home.household.removeExternalNode("espresense-den")
        #expect(gone)
        home.household.addExternalNode("espresense-attic", in: "kitchen")
        #expect(home.household.house.node("espresense-attic") != index)
        home.household.addExternalNode("espresense-den", in: "den")
        #expect(home.household.house.node("espresense-den") == index)
    }

    @Test("Restore a forgotten node of ours when it comes back, by any first message")
    func backAgain() throws {
        for isByStatus in [true, false] {
            var home = Home()
            home.run(5, [("kitchen", -60), ("hall", -75)])
            _ = home.household.takeRecord(at: Home.time(home.now), isLast: false)
            home.household.removeNode("hall")
            #expect(home.household.takeRecord(at: Home.time(home.now), isLast: false).goneNodes == ["hall"])
            if isByStatus {
                home.household.receive(isOnline: true, of: "hall")
            } else {
                home.scan(home.now + 1, "hall")
            }
            home.household.receive(Home.info("hall"), of: "hall")
            let record = home.household.takeRecord(at: Home.time(home.now), isLast: false)
            #expect(record.nodes.map(\.id) == ["hall"] && record.nodes.first?.room == "hall")
        }
    }

    @Test("Never remove a node of ours, nor any while a lesson is running")
    func kept() throws {
        var home = home(with: "espresense-den")
        for node in ["kitchen", "nobody"] {
            let gone = home.household.removeExternalNode(node)
            #expect(!gone)
        }
        _ = try home.household.startLesson(
            of: "keys", in: "kitchen", for: nil, walk: nil, at: Home.time(home.now))
        let gone = home.household.removeExternalNode("espresense-den")
        #expect(!gone)
    }

    @Test("Retain a room while an item's answer names it, even without its node")
    func room() {
        var home = Home(["hall"])
        home.household.addExternalNode("espresense-den", in: "den")
        tell(&home, 20, "espresense-den", -40, [("hall", -90)], listening: ["hall"])
        #expect(home.locations.last?.room == "den")
        home.household.removeExternalNode("espresense-den")
        #expect(home.household.rooms.contains("den"))
        home.run(3, [], listening: ["hall"])
        #expect(home.locations.last?.room == "den")
    }

    @Test("Delete a node's stored state with it, also for a node of an earlier run")
    func memory() {
        var home = home(with: "espresense-den")
        let kept = home.household.takeRecord(at: Home.time(home.now), isLast: true)
        #expect(kept.nodes.map(\.id).contains("espresense-den"))
        home.restart(after: 10, with: kept)
        #expect(home.household.knowsRoom(of: "espresense-den"))
        let taken = home.household.markExternalNodes(prefixes: ["espresense-"])
        #expect(taken == ["espresense-den"])
        let gone = home.household.removeExternalNode("espresense-den")
        #expect(gone && !home.household.rooms.contains("den"))
        let records = [1.0, 2].map { home.household.takeRecord(at: Home.time(home.now + $0)).goneNodes }
        #expect(records == [["espresense-den"], []])
    }

    @Test("Bound the places of ever new names, and leave our rooms in theirs")
    func flood() {
        var home = Home(["kitchen"])
        for number in 0..<5000 {
            home.household.addExternalNode("espresense-\(number)", in: "room-\(number)")
            home.household.removeExternalNode("espresense-\(number)")
        }
        home.household.receive(Home.info("hall"), of: "hall")
        #expect(home.household.rooms == ["kitchen", "hall"] && home.household.counters.overfull == 0)
    }
}
