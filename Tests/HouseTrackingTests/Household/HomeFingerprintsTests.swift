import Testing

@testable import HouseTracking
@testable import RoomEstimation
import WireProtocol

@Suite("Fingerprints of the rooms of a home over restarts")
struct HomeFingerprintsTests {
    /// The levels in a locator: anywhere, then room by room.
    private static func known(_ locator: Locator) -> [[Fingerprints.Level]] {
        let fingerprints = locator.nearness.fingerprints
        return [Array(fingerprints.anywhere)]
            + locator.house.rooms.indices.map { Array(fingerprints.levels(in: $0)) }
    }

    @Test("Use an item's fingerprints when it comes home, over a restart too")
    func away() throws {
        var home = Home()
        for _ in 0..<4 {
            home.run(40, [("kitchen", -50), ("hall", -75)])
            home.run(40, [("kitchen", -75), ("hall", -50)])
        }
        home.run(100, [])
        /// By the room's name, and the node's.
        func known(_ home: Home) throws -> [String: [String: Fingerprints.Level]] {
            let locator = try #require(home.household.trackers.first).locator
            let nodes = locator.nearness.tracks.map { locator.house.nodes[$0.node].id }
            let rooms = ["anywhere"] + locator.house.rooms.map(\.id)
            let levels = Self.known(locator).map { Dictionary(uniqueKeysWithValues: zip(nodes, $0)) }
            return Dictionary(uniqueKeysWithValues: zip(rooms, levels))
        }
        let left = try known(home)
        #expect(home.locations.last?.state == .away && left.values.allSatisfy { $0.count == 2 })
        for _ in 0..<2 {
            home.restart(after: 10, with: home.record())
            #expect(try known(home) == left)
            home.run(5, [])
            #expect(home.events.isEmpty && home.locations.map(\.state) == [.away])
        }
        home.run(1, [("kitchen", -75), ("hall", -50)])
        #expect(home.events.map(\.kind) == [.arrived] && home.events.first?.room == "hall")
        #expect(try #require(known(home)["anywhere"]).values.allSatisfy { $0.hops > 300 })
    }

    @Test(
        "Learn a node anew after a restart with another room in its configuration, whatever nodes that lists beside it",
        arguments: [[], ["porch"]])
    func configured(beside others: [String]) throws {
        var home = Home()
        for _ in 0..<4 {
            home.run(40, [("kitchen", -75), ("hall", -50)])
            home.run(40, [("kitchen", -50), ("hall", -75)])
        }
        var settings = home.household.settings
        for node in others { settings.house.addNode(node) }
        for (room, isKnown) in [("hall", true), ("attic", false)] {
            settings.roomOfNode["hall"] = room
            let household = Household(settings: settings, remembering: home.record())
            let locator = try #require(household.trackers.first).locator
            let tracks = locator.nearness.tracks.map { locator.house.nodes[$0.node].id }
            let (kitchen, hall) = (tracks.firstIndex(of: "kitchen"), tracks.firstIndex(of: "hall"))
            let known = Self.known(locator).filter { !$0.isEmpty }
            for levels in known {
                #expect(try levels[#require(kitchen)].hops > 0)
                #expect(try (levels[#require(hall)].hops > 0) == isKnown)
            }
            #expect(known.count > 1)
        }
    }
}
