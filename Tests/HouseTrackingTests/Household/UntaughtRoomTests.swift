import Support
import Testing

@testable import HouseTracking
import WireProtocol

@Suite("Rooms of a household that were never taught")
struct UntaughtRoomTests {
    private static let levels: [String: [(String, Double)]] = [
        "kitchen": [("kitchen", -55), ("hall", -75), ("bath", -82)],
        "hall": [("kitchen", -75), ("hall", -55), ("bath", -74)],
        "bath": [("kitchen", -83), ("hall", -74), ("bath", -56)], "garage": [("garage", -60)],
    ]

    private func stay(
        _ home: inout Home, in room: String, _ seconds: Int, listening: [String] = ["kitchen", "hall", "bath"],
        _ random: inout SeededGenerator
    ) {
        for _ in 0..<seconds {
            let levels = Self.levels[room, default: []].map { ($0.0, $0.1 + Double.random(in: -3...3, using: &random)) }
            home.run(1, levels, listening: listening)
        }
    }

    @Test("Answer untaught rooms by their own gateways, older or newer than the lessons")
    func answered() throws {
        var random = SeededGenerator(seed: 3)
        var home = Home(["kitchen", "hall", "bath"])
        for room in ["kitchen", "hall"] {
            stay(&home, in: room, 3, &random)
            let start = Home.time(home.now)
            _ = try home.household.startLesson(of: "keys", in: room, for: .seconds(30), walk: nil, at: start)
            stay(&home, in: room, 33, &random)
        }
        let learning = home.household.takeLearning()
        let task = try #require(learning)
        home.household.applyLearned(task.run())
        func trust() -> Double? { home.household.explain("keys", at: Home.time(home.now))?.trust }

        stay(&home, in: "bath", 8, &random)
        #expect(home.locations.last?.room == "bath")
        #expect(try #require(trust()) < 0.2)
        stay(&home, in: "hall", 8, &random)
        #expect(home.locations.last?.room == "hall")
        #expect(try #require(trust()) > 0.8)

        home.household.receive(Home.info("garage"), of: "garage")
        let all = ["kitchen", "hall", "bath", "garage"]
        stay(&home, in: "garage", 8, listening: all, &random)
        #expect(home.locations.last?.room == "garage")
        stay(&home, in: "kitchen", 8, listening: all, &random)
        #expect(home.locations.last?.room == "kitchen")
        #expect(home.events.filter { $0.room == "bath" }.count == 1, "each room is told once, and no other between")
    }
}
