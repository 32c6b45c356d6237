import Configuration
import Simulation
import WireProtocol
import Support
import System
import Testing

extension Live {
    /// Items at rest in a world at eight times the speed: four agents, mosquitto, a fuser, a subscriber.
    @Suite struct LiveRest {
        private static let speed = 8
        /// Seconds of real time.
        private static let seconds = 600.0

        @Test(
            "Publish no move of an item at rest in a room with a node for ten minutes, eighty of the house's",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func rest() async throws {
            let still = try StillHouse(seed: 1)
            let broker = try Broker(["max_queued_messages 0"])
            let folder = try TemporaryFolder()
            let deployment = try Deployment(broker, items: folder.write(Array(still.items.utf8), to: "items.yaml"))
            let world = try still.yaml(speed: Self.speed, origin: WallClock.now())
            let scenario = try deployment.folder.write(Array(world.utf8), to: "still.yaml")
            #expect(try ScenarioFile.read(scenario).beacons == still.scenario.beacons)

            let topics = Topics()
            let recorder = try Recorder(broker, [topics.allItems("location"), topics.allItems("events")])
            let rooms = still.scenario.rooms.map { "  - {id: \($0.id), floor: \($0.floor ?? "ground")}" }
            let fuser = try RunningProgram(
                "whereabouts-fuser",
                ["--config", deployment.file("fuser.yaml", ["name: main", "items: items.yaml", "rooms:"] + rooms)])
            let agents = try deployment.startAgents(still.scenario.nodes.map(\.id), in: scenario)
            let isTold = try await recorder.wait(30) { seen in
                still.hearable.allSatisfy { seen.latest[topics.location($0.id)] != nil }
            }
            #expect(isTold, "\(fuser.errors)")
            _ = try await recorder.wait(RestTests.warmUp / Double(Self.speed))
            let first = recorder.messages.count
            // The present answer is the first of those that follow.
            let standing = recorder.latest
            _ = try await recorder.wait(Self.seconds)
            for program in agents + [fuser] { #expect(program.isRunning, "\(program.errors)") }
            for thing in still.hearable {
                let topic = topics.location(thing.id)
                let messages =
                    [standing[topic]].compactMap { $0 } + recorder.messages[first...].filter { $0.topic == topic }
                let words = try messages.map { try Location(payload: $0.payload.span).placeText }
                let moves = StillHouse.moves(in: words)
                print("at rest through mosquitto, \(thing.id): \(moves) moves, \(words.count) answers")
                #expect(moves == 0, "\(thing.id): \(words)")
            }
        }
    }
}
