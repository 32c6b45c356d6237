@testable import HouseTracking
import WireProtocol
import Support
import Testing

/// A start that takes long to learn what was taught before.
extension HouseLessonsTests {
    /// A taught house in whose attic the keys are, just started again.
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

    @Test("While a start learns what was taught nothing moves, as surely as before, nor when it has learned")
    func slowStart() throws {
        var random = SeededGenerator(seed: 13)
        var (home, lessons, trust) = try restarted(&random)
        for _ in 1...3 {
            stay(&home, in: "attic", 20, random: &random)
            #expect(home.events.isEmpty && home.locations.map(\.word) == ["attic"], "it is told at once")
            #expect(home.locations.allSatisfy { $0.confidence > 0.6 })
            // Killed before it has learned anything.
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

    @Test("What moves while a start learns is told after, with the time from which on nobody looked")
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

    @Test("What leaves while a start learns is told so at once, and what comes, when its room is known")
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
