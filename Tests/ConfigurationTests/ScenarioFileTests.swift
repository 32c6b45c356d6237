import Bytes
@testable import Configuration
import Simulation
import Testing

@Suite("The file of a simulated house")
struct ScenarioFileTests {
    private func sample(_ name: String) throws -> Scenario {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try ScenarioFile.read("/\(root)/etc/examples/simulation/\(name).yaml")
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try ScenarioFile.read(Array(text.utf8), file: "h.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("Show three changes of room in any 30 seconds of the lively sample")
    func livelySample() throws {
        let scenario = try sample("house")
        #expect(scenario.nodes.map(\.id) == ["kitchen", "living", "bedroom"])
        #expect(scenario.beacons.map(\.id) == ["keys", "phone", "cat"])
        let house = try SimulatedHouse(scenario)
        let start = Timestamp(microseconds: 1_790_000_000_000_000)
        let end = start.advanced(bySeconds: 7_200)
        let changes = house.truthChanges(from: start, until: end).map(\.start).filter { $0 > start }
        var fewest = Int.max
        for second in 0..<7_170 {
            let from = start.advanced(bySeconds: Double(second))
            let until = from.advanced(bySeconds: 30)
            fewest = min(fewest, changes.count { $0 >= from && $0 < until })
        }
        #expect(fewest >= 3)
        // Each node hears something of each item in any minute.
        for node in scenario.nodes {
            var heard: Set<Int> = []
            house.receptions(node: node.id, from: start, until: start.advanced(bySeconds: 60)) { _, event in
                heard.insert(event.count)
            }
            #expect(heard.count >= 2)
        }
    }

    @Test("Have an ordinary day in the quiet sample")
    func quietSample() throws {
        let house = try SimulatedHouse(sample("quiet-house"))
        let start = Timestamp(microseconds: 1_790_000_000_000_000)
        let day = house.truthChanges(from: start, until: start.advanced(bySeconds: 86_400))
        let rooms = Set(day.filter { $0.item == "keys" }.map { $0.room ?? "away" })
        #expect(rooms.isSuperset(of: ["kitchen", "bedroom", "away", "living", "landing", "bath"]))
        #expect(day.filter { $0.item == "drill" }.map(\.room) == ["office"])
        #expect(day.count { $0.item == "keys" } < 60)
    }

    @Test("Report every fault of form and of content at once, with its line and column")
    func faultsHavePlaces() {
        let text = """
            sped: 2
            rooms:
              - {id: Kitchen, from: [0, 0], to: [4, 3]}
              - {id: hall, from: [4, 0], to: [6, x]}
            nodes:
              - {id: kitchen, room: cellar, x: 1, y: 1, duty: 3}
            walkers:
              - {id: anna, itinerary: [{room: hall, stay: [9s, 3s]}], roam: 1}
              - {id: cat, itinerary: [{room: hall, stay: [9s, 3s]}]}
            beacons:
              - {id: keys, ibeacon: {uuid: nonsense, major: 1, minor: 2}, carried_by: anna}
              - {id: tag, address_only: true, carried_by: dog, interval: 1}
              - {id: tag2, address_only: true, carried_by: dog}
            radio: {loss: 2}
            """
        let found = faults(text)
        let expected = [
            "h.yaml:1:1: unknown key 'sped'; did you mean '",
            "h.yaml:3:10: 'Kitchen' is no id",
            "h.yaml:4:38: expected a number",
            "h.yaml:6:25: there is no room 'cellar'",
            "h.yaml:6:51: 3.0 is out of range",
            "h.yaml:8:5: a walker needs either",
            "h.yaml:9:46: the longest stay is shorter",
            "h.yaml:11:32: expected a UUID",
            "h.yaml:12:62: expected a duration",
            "h.yaml:13:48: there is no walker 'dog'",
            "h.yaml:14:15: 2.0 is out of range",
        ]
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        for (fault, start) in zip(found, expected) { #expect(fault.hasPrefix(start), "\(fault)") }
    }

    @Test("Report missing keys by name, and an empty or broken file as a fault")
    func missing() {
        #expect(faults("name: x").count == 3)
        #expect(faults("").count == 1)
        #expect(faults("rooms: {").count >= 1)
        #expect(faults("[1, 2]").count >= 1)
        #expect(throws: ConfigurationFaults.self) { try ScenarioFile.read("/nonexistent/house.yaml") }
    }
}
