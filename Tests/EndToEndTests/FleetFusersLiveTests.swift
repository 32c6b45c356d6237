import Foundation
import Support
import Testing
import WireProtocol

extension Live {
    /// The section `fusers` of `whereabouts fleet`: a simulated house with three agents, two fusers and a real broker.
    ///
    /// The verdicts watch a house in real time, for minutes and on a machine that does nothing else.
    @Suite(.serialized, .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1")) struct FleetFusers {
        private static let rooms = ["bath", "bed", "hall"]
        private static let names = ["main", "second"]
        /// A radio that lets a tag be heard in its own room alone, and three in ten of its packets. Silences of five of
        /// its intervals are common then. With an `away_after` of a second it has left after one.
        private static let radio = "walls: {attenuation: 50}\nradio: {loss: 0.7}"

        private static func settings(_ seconds: Int, _ overridden: [String]) -> FuserSettings {
            var settings = FuserSettings(awayAfter: .seconds(seconds), detectsClones: true)
            settings.overridden = overridden
            return settings
        }

        private func agree(_ house: FleetHouse, _ settings: FuserSettings) async throws -> Bool {
            try await house.recorder.wait(10) { _ in Self.names.allSatisfy { house.settings($0) == settings } }
        }

        @Test("Both fusers get good settings after the nodes, and a bad silence is given back at both, nodes included")
        func verdicts() async throws {
            let house = try await FleetHouse(Self.rooms, fusers: Self.names, radio: Self.radio) { _ in 5 }
            let plain = Self.settings(60, [])
            #expect(try await agree(house, plain), "\(house.problems)")
            let bad = try house.settings("all: {exit_after: 20s}\nfusers: {away_after: 1s}\n", "bad.yaml")
            let differences = try house.run("diff", bad)
            #expect(differences.status == 1)
            #expect(differences.lines.contains { $0.hasPrefix("fuser main") && $0.contains("1m of its file") })
            let apply = try house.apply(bad, ["--baseline", "20s", "--wait", "30s", "--canary", "1"])
            #expect(try await apply.status(within: 300) == 1, "\(apply.errors)\n\(apply.output)")
            print(apply.output)
            #expect(apply.output.contains("set and confirmed: fuser main, fuser second"), "\(apply.output)")
            #expect(apply.output.contains("worse: "), "\(apply.output)")
            #expect(
                apply.output.contains("given back what they had: bath, bed, hall, fuser main, fuser second"),
                "\(apply.output)")
            #expect(try await agree(house, plain), "\(house.problems)")
            for name in Self.names {
                #expect(house.fuserCommands(name).map(\.awayAfter) == [.override(.seconds(1)), .restore])
            }
            #expect(house.nodes.allSatisfy { house.info($0, house.recorder)?.overridden == [] })
            #expect(house.recorder.latest["whereabouts/fleet/rollout"]?.payload == [])
            #expect(try await house.hasSettled(), "\(house.problems)")

            let good = try house.settings(
                "all: {exit_after: 20s}\nfusers: {away_after: 90s, detect_clones: true}\n", "good.yaml")
            let second = try house.apply(good, ["--baseline", "20s", "--wait", "15s", "--json"])
            #expect(try await second.status(within: 240) == 0, "\(second.errors)\n\(second.output)")
            print(second.output)
            #expect(second.output.contains(#""step":"done","nodes":["bath","bed","hall"],"fusers":["main","second"]"#))
            #expect(try await agree(house, Self.settings(90, ["away_after"])), "\(house.problems)")
            let equal = try house.run("diff", good)
            #expect(equal.status == 0, "\(equal.lines) \(equal.error)")
            let rows = try house.run("status", good).lines
            #expect(rows.count { $0.contains("  desired") } == 5, "\(rows)")
        }

        @Test("A fuser that falls silent while the house is measured before is named, and ends no rollout")
        func silentBefore() async throws {
            let house = try await FleetHouse(Self.rooms, fusers: Self.names)
            #expect(try await agree(house, Self.settings(60, [])), "\(house.problems)")
            let file = try house.settings("all: {exit_after: 20s}\n", "nodes.yaml")
            let apply = try house.apply(file, ["--baseline", "10s", "--wait", "35s", "--canary", "3"])
            #expect(try await until(20) { apply.output.contains("measuring the house") }, "\(apply.errors)")
            let claims = house.recorder.count("whereabouts/fuser/second/claim")
            #expect(try await house.recorder.wait(10) { $0.count("whereabouts/fuser/second/claim") > claims })
            try await house.stopFuser("second")
            #expect(try await apply.status(within: 180) == 0, "\(apply.errors)\n\(apply.output)")
            print(apply.output)
            #expect(apply.output.contains("silent already, and not judged by that: fuser second"), "\(apply.output)")
            #expect(apply.output.contains("done: 3 changed"), "\(apply.output)")
        }

        @Test("The next apply gives back what a killed one set at fusers, and one that was off follows")
        func interruptions() async throws {
            let house = try await FleetHouse(Self.rooms, fusers: Self.names)
            #expect(try await agree(house, Self.settings(60, [])), "\(house.problems)")
            let file = try house.settings("fusers: {away_after: 2m}\n", "first.yaml")
            let killed = try house.apply(file, ["--baseline", "5s", "--wait", "60s"])
            #expect(try await house.recorder.wait(60) { _ in house.settings("second")?.awayAfter == .seconds(120) })
            #expect(try await agree(house, Self.settings(120, ["away_after"])), "\(killed.errors)")
            killed.process.send(SIGKILL)
            _ = try await killed.status(within: 10)
            try await house.stopFuser("second")
            let isSeen = try await until(90) {
                try house.run("status", file).lines.contains {
                    $0.contains("was interrupted") && $0.contains("fuser main, fuser second")
                }
            }
            #expect(isSeen)

            let other = try house.settings("fusers: {away_after: 3m}\n", "other.yaml")
            let next = try house.apply(other, ["--baseline", "5s", "--wait", "5s"])
            #expect(try await next.status(within: 120) == 0, "\(next.errors)\n\(next.output)")
            print(next.output)
            #expect(next.output.contains("giving back what fuser main, fuser second had"), "\(next.output)")
            #expect(next.output.contains("not given back yet: fuser second"), "\(next.output)")
            #expect(
                house.fuserCommands("main").map(\.awayAfter) == [
                    .override(.seconds(120)), .restore, .override(.seconds(180)),
                ])
            #expect(house.fuserCommands("second").map(\.awayAfter) == [.override(.seconds(120))])
            #expect(try house.run("diff", other).status == 1)

            let claims = house.recorder.count("whereabouts/fuser/second/claim")
            try house.startFuser("second")
            #expect(
                try await house.recorder.wait(30) { $0.count("whereabouts/fuser/second/claim") > claims + 1 },
                "\(house.problems)")
            let late = try house.apply(other, ["--baseline", "5s", "--wait", "5s"])
            #expect(try await late.status(within: 120) == 0, "\(late.errors)\n\(late.output)")
            print(late.output)
            #expect(late.output.contains("given back: fuser second"), "\(late.output)")
            #expect(try await agree(house, Self.settings(180, ["away_after"])), "\(house.problems)")
            #expect(house.fuserCommands("main").count == 3)
            #expect(
                house.fuserCommands("second").map(\.awayAfter) == [
                    .override(.seconds(120)), .restore, .override(.seconds(180)),
                ])
            #expect(house.recorder.latest["whereabouts/fleet/rollout"]?.payload == [])
        }
    }
}
