import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// `whereabouts fleet` in a simulated house with six agents, a fuser and a real broker.
    ///
    /// The verdicts watch a house in real time, for minutes and on a machine that does nothing else.
    @Suite(.serialized, .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1")) struct FleetSettings {
        @Test("A bad offset and a bad window are given back after the canaries, and good settings reach all nodes")
        func verdicts() async throws {
            // The offset draws in the tags of the rooms beside the bath, bed and kitchen, and of the others only some.
            let house = try await FleetHouse { [1, 6, 2, 6, 2, 2][$0] }
            let offset = try house.settings("nodes:\n  bath: {offset_db: 30}\n", "offset.yaml")
            #expect(try house.run("diff", offset).status == 1)
            let bad = try house.apply(offset, ["--baseline", "15s", "--wait", "20s"])
            #expect(try await bad.status(within: 120) == 1, "\(bad.errors)\n\(bad.output)")
            #expect(bad.output.contains("worse: room bath: items"), "\(bad.output)")
            #expect(bad.output.contains("given back what they had: bath"), "\(bad.output)")
            #expect(try await house.recorder.wait(10) { house.info("bath", $0)?.overridden == [] })
            #expect(house.commands("bath").map(\.offset) == [.override(30), .restore])
            #expect(try await house.hasSettled(), "\(house.problems)")

            let window = try house.settings("all: {window: 60s}\n", "window.yaml")
            let slow = try house.apply(
                window, ["--baseline", "10s", "--wait", "20s", "--canary-node", "hall", "--canary-node", "kitchen"])
            // A node ends its interval of a minute or two before it takes another length.
            #expect(try await slow.status(within: 300) == 1, "\(slow.errors)\n\(slow.output)")
            for node in ["hall", "kitchen"] {
                #expect(slow.output.contains("worse: node \(node): silence"), "\(slow.output)")
                #expect(house.commands(node).map(\.window) == [.override(.seconds(60)), .restore])
                #expect(house.info(node, house.recorder)?.overridden == [])
            }
            // The others have never been asked anything, and what a canary had before is in force.
            for node in ["bed", "living", "office"] { #expect(house.commands(node).isEmpty, "\(node)") }
            #expect(house.recorder.latest["whereabouts/fleet/rollout"]?.payload == [])
            #expect(try await house.hasSettled(), "\(house.problems)")

            let good = try house.settings("all: {window: 500ms}\nnodes:\n  living: {offset_db: -3}\n", "good.yaml")
            let apply = try house.apply(good, ["--baseline", "15s", "--wait", "15s", "--json"])
            #expect(try await apply.status(within: 180) == 0, "\(apply.errors)\n\(apply.output)")
            #expect(apply.output.contains(#""step":"done","nodes":["bath","bed","hall","kitchen","living","office"]"#))
            for node in house.nodes { #expect(house.info(node, house.recorder)?.window == 0.5, "\(node)") }
            #expect(house.info("living", house.recorder)?.offset == -3)
            let equal = try house.run("diff", good)
            #expect(equal.status == 0, "\(equal.lines)")
            #expect(try house.run("status", good).lines.count { $0.contains("  desired") } == 6)
        }

        @Test("Refuse a second operator, give back an interrupted rollout, and let a node that was off catch up")
        func interruptions() async throws {
            let house = try await FleetHouse()
            let recorder = house.recorder
            house.agents["office"]?.process.terminate()
            #expect(try await recorder.wait(20) { $0.text("whereabouts/nodes/office/status") == "offline" })
            let file = try house.settings("all: {exit_after: 20s}\n", "exits.yaml")
            let words = ["--baseline", "10s", "--wait", "30s"]
            let killed = try house.apply(file, words)
            #expect(try await recorder.wait(60) { house.info("bed", $0)?.exitAfter == 20 }, "\(killed.errors)")
            let second = try house.apply(file, words)
            #expect(try await second.status(within: 30) == 1)
            #expect(second.errors.contains("rolls out settings since"), "\(second.errors)")
            killed.process.send(SIGKILL)
            _ = try await killed.status(within: 10)
            #expect(try house.run("status", file).lines.contains { $0.contains("runs since") })
            let isSeen = try await until(60) {
                try house.run("status", file).lines.contains { $0.contains("was interrupted") }
            }
            #expect(isSeen)

            // Two at once: the first in the broker's order has it.
            let other = try house.settings("all: {exit_after: 25s}\n", "other.yaml")
            let pair = try [house.apply(other, ["--baseline", "5s", "--wait", "10s"]), house.apply(other, words)]
            var statuses: [Int32?] = []
            for one in pair { statuses.append(try await one.status(within: 240)) }
            let texts = pair.map { $0.output + $0.errors }
            #expect(statuses.sorted { ($0 ?? -1) < ($1 ?? -1) } == [0, 1], "\(texts)")
            let won = statuses[0] == 0 ? pair[0] : pair[1]
            #expect(won.output.contains("was interrupted; giving back what bath, bed had"), "\(won.output)")
            #expect(won.output.contains("offline: office"), "\(won.output)")
            for node in ["bath", "bed"] {
                #expect(
                    house.commands(node).map(\.exitAfter) == [
                        .override(.seconds(20)), .restore, .override(.seconds(25)),
                    ])
            }
            for node in ["hall", "kitchen", "living"] {
                #expect(house.commands(node).map(\.exitAfter) == [.override(.seconds(25))])
            }
            #expect(house.commands("office").isEmpty)
            try house.startAgent("office")
            #expect(try await recorder.wait(30) { $0.text("whereabouts/nodes/office/status") == "online" })
            let late = try house.apply(other, ["--baseline", "5s", "--wait", "10s"])
            #expect(try await late.status(within: 120) == 0, "\(late.errors)\n\(late.output)")
            #expect(house.info("office", recorder)?.exitAfter == 25)
            #expect(house.commands("bath").count == 3)
        }

        @Test("Go on with a rollout over a restart of the broker")
        func restart() async throws {
            let house = try await FleetHouse()
            let file = try house.settings("all: {exit_after: 20s}\n", "exits.yaml")
            let apply = try house.apply(file, ["--baseline", "10s", "--wait", "25s"])
            #expect(try await house.recorder.wait(60) { house.info("bed", $0)?.exitAfter == 20 }, "\(apply.errors)")
            try await house.restartBroker()
            #expect(try await apply.status(within: 120) == 0, "\(apply.errors)\n\(apply.output)")
            for node in house.nodes {
                #expect(house.commands(node).map(\.exitAfter) == [.override(.seconds(20))], "\(node)")
            }
        }

        @Test("Of sixty nodes two get a bad offset or window, and the other 58 are never asked anything")
        func sixty() async throws {
            // A tag in each room, and some more in the rooms around those of the canaries: a few tags that move are no
            // fault of a house, twenty are.
            let house = try await FleetHouse((10..<70).map { "n\($0)" }) { [0, 1, 2, 9, 10, 11].contains($0) ? 5 : 1 }
            for text in ["all: {window: 60s}\n", "nodes:\n  n10: {offset_db: 30}\n  n11: {offset_db: 30}\n"] {
                let bad = try house.apply(
                    try house.settings(text, "bad.yaml"), ["--baseline", "20s", "--wait", "20s"])
                #expect(try await bad.status(within: 300) == 1, "\(bad.errors)\n\(bad.output)")
                #expect(bad.output.contains("given back what they had: n10, n11"), "\(bad.output)")
                print(bad.output)
                for node in ["n10", "n11"] { #expect(house.info(node, house.recorder)?.overridden == []) }
                #expect(try await house.hasSettled(), "\(house.problems)")
            }
            let touched = house.nodes.filter { !house.commands($0).isEmpty }
            #expect(touched == ["n10", "n11"])
            let good = try house.apply(
                try house.settings("all: {exit_after: 20s}\n", "good.yaml"), ["--baseline", "20s", "--wait", "20s"])
            #expect(try await good.status(within: 300) == 0, "\(good.errors)\n\(good.output)")
            print(good.output)
            #expect(house.nodes.allSatisfy { house.info($0, house.recorder)?.exitAfter == 20 })
        }
    }
}
