@testable import HouseTracking
@testable import RoomEstimation
import WireProtocol
import Support
import Testing

/// A gateway whose reception differs from that in the lessons.
extension HouseLessonsTests {
    /// The change in dB of a node's reception since the lessons, as `why` reports it.
    private func changed(_ node: String, _ home: Home) throws -> Double {
        let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
        return why.nodes.first { $0.node == node }?.changed ?? 0
    }

    /// A node in each room.
    private static let threeNodes: [String: [(String, Double)]] = [
        "kitchen": [("kitchen", -55), ("hall", -70), ("attic", -84)],
        "hall": [("kitchen", -70), ("hall", -55), ("attic", -72)],
        "attic": [("kitchen", -84), ("hall", -72), ("attic", -55)],
    ]

    private static let fainter = ["hall": -10.0]

    /// A home with lessons, then two minutes in each of some rooms with a gateway of weaker reception.
    private func fainter(in rooms: [String], _ random: inout SeededGenerator) throws -> Home {
        var home = try taught(&random, levels: Self.threeNodes)
        learn(&home)
        for room in rooms {
            stay(&home, in: room, 120, random: &random, changed: Self.fainter, levels: Self.threeNodes)
        }
        return home
    }

    @Test("Allow for and report a gateway of weaker reception than in the lessons, over a restart too")
    func fainterNode() throws {
        var random = SeededGenerator(seed: 21)
        var home = try fainter(in: ["kitchen", "hall", "attic", "kitchen", "attic", "hall"], &random)
        let lessons = home.lessons
        let hall = try changed("hall", home)
        #expect(hall < -5)
        for node in ["kitchen", "attic"] { #expect(abs(try changed(node, home)) < 3, "\(node) is as it was") }
        home.restart(after: 5, with: home.record(), lessons: lessons, rooms: ["kitchen", "hall", "attic"])
        learn(&home)
        stay(&home, in: "hall", 1, random: &random, changed: Self.fainter, levels: Self.threeNodes)
        #expect(abs(try changed("hall", home) - hall) < 0.5)
        for room in ["attic", "kitchen", "hall"] {
            stay(&home, in: room, 30, random: &random, changed: Self.fainter, levels: Self.threeNodes)
            #expect(home.locations.last?.room == room)
        }
        let before = try changed("hall", home)
        home.run(65, [])
        #expect(home.events.last?.kind == .left)
        stay(&home, in: "hall", 1, random: &random, changed: Self.fainter, levels: Self.threeNodes)
        #expect(abs(try changed("hall", home) - before) < 0.5, "who comes home finds the house as it was")
        home.run(65, [])
        home.restart(after: 5, with: home.record(), lessons: lessons, rooms: ["kitchen", "hall", "attic"])
        learn(&home)
        home.run(5, [])
        #expect(home.events.isEmpty && home.locations.last?.state == .away)
        stay(&home, in: "hall", 1, random: &random, changed: Self.fainter, levels: Self.threeNodes)
        #expect(home.events.last?.kind == .arrived)
        #expect(abs(try changed("hall", home) - before) < 0.5, "though its fuser was begun anew meanwhile")
    }

    @Test("Ignore deviations that were stored before the last lesson")
    func olderThanLessons() throws {
        var random = SeededGenerator(seed: 21)
        var home = try fainter(in: ["kitchen", "hall", "attic", "hall"], &random)
        var lessons = home.lessons
        #expect(try changed("hall", home) < -3)
        let record = home.record()
        lessons[2].taughtAt = Home.time(home.now + 2)
        home.restart(after: 5, with: record, lessons: lessons, rooms: ["kitchen", "hall", "attic"])
        learn(&home)
        stay(&home, in: "hall", 1, random: &random, levels: Self.threeNodes)
        #expect(home.household.trackers[0].locator.taught?.refinement.isIdle == true)
    }

    @Test("Report no changed gateway without lessons")
    func untaughtNodes() throws {
        var random = SeededGenerator(seed: 22)
        var home = Home()
        stay(&home, in: "kitchen", 20, random: &random)
        let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
        #expect(!why.nodes.isEmpty && why.nodes.allSatisfy { $0.changed == nil })
    }
}
