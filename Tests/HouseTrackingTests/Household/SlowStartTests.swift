@testable import HouseTracking
import WireProtocol
import Support
import Testing

/// A start with a long training on the lessons of earlier runs.
extension HouseLessonsTests {
    /// A taught house with the keys in its attic, just started again.
    private func restarted(_ random: inout SeededGenerator) throws -> (home: Home, lessons: [Lesson], trust: Double) {
        var home = try taught(&random)
        let lessons = home.lessons
        learn(&home)
        stay(&home, in: "attic", 60, random: &random)
        let trust = try #require(home.household.explain("keys", at: Home.time(home.now))?.trust)
        home.restart(after: 5, with: home.record(), lessons: lessons)
        #expect(home.household.isStarting)
        return (home, lessons, trust)
    }

    @Test("Move nothing, at unchanged confidence, while a start learns its lessons, nor after")
    func slowStart() throws {
        var random = SeededGenerator(seed: 13)
        var (home, lessons, trust) = try restarted(&random)
        for _ in 1...3 {
            stay(&home, in: "attic", 20, random: &random)
            #expect(home.events.isEmpty && home.locations.map(\.placeText) == ["attic"], "it is told at once")
            #expect(home.locations.allSatisfy { $0.confidence > 0.6 })
            // Killed before the training has ended.
            home.restart(after: 5, with: home.record(), lessons: lessons)
        }
        stay(&home, in: "attic", 20, random: &random)
        learn(&home)
        #expect(!home.household.isStarting)
        let trusted = try #require(home.household.explain("keys", at: Home.time(home.now))?.trust)
        let isTrusted = trusted > 0.8 && abs(trusted - trust) < 0.01
        #expect(isTrusted, "what it had shown of how far lessons fit it is remembered")
        stay(&home, in: "attic", 25, random: &random)
        #expect(home.events.isEmpty && home.locations.allSatisfy { $0.room == "attic" })
    }

    @Test("Publish a move during the training after it, with the time from which nothing was placed")
    func moveInSlowStart() throws {
        var random = SeededGenerator(seed: 14)
        var (home, _, _) = try restarted(&random)
        let start = home.now
        stay(&home, in: "kitchen", 20, random: &random)
        #expect(home.events.isEmpty && home.locations.allSatisfy { $0.room == "attic" })
        learn(&home)
        stay(&home, in: "kitchen", 20, random: &random)
        #expect(home.events.map(\.room) == ["kitchen"] && home.events.map(\.previous) == ["attic"])
        #expect(home.events.allSatisfy { $0.notBefore <= Home.time(start) })
    }

    @Test("Publish a departure during the training at once, and an arrival once its room is known")
    func presenceInSlowStart() throws {
        var random = SeededGenerator(seed: 15)
        var (home, _, _) = try restarted(&random)
        home.run(65, [])
        #expect(home.events.map(\.kind) == [.left])
        let back = home.now
        stay(&home, in: "attic", 10, random: &random)
        home.run(1, [("kitchen", -84), ("hall", -86)], item: "cat")
        #expect(home.events.count == 1 && home.household.explain("cat", at: Home.time(home.now))?.state == .unknown)
        learn(&home)
        stay(&home, in: "attic", 5, random: &random)
        home.run(5, [("kitchen", -84), ("hall", -86)], item: "cat")
        #expect(home.events.map(\.kind) == [.left, .arrived] && home.events.last?.room == "attic")
        #expect(try #require(home.events.last).notBefore <= Home.time(back))
        #expect(home.household.explain("cat", at: Home.time(home.now))?.room == "attic")
    }
}
