import Support
import Testing

extension Live {
    /// README's five commands and its flat to teach in, as they stand there.
    @Suite struct Tour {
        @Test("A new user who follows README sees the beacons of an app's list imported, ranged and watched")
        func fiveCommands() async throws {
            let lines = try ReadmeSession.blocks(of: "Five commands").flatMap { $0 }
            let commands = lines.filter { $0.hasPrefix("whereabouts") }
            #expect(commands.count == 5)
            let list = lines.filter { !$0.hasPrefix("whereabouts") }.joined(separator: "\n")
            #expect(readFile(Repository.root + "/etc/tour/BeaconData.json") == list + "\n")

            let after = [
                "pids=($(jobs -p))", "kill %1 %2", "wait ${pids[0]}", "echo agent $?", "wait ${pids[1]}",
                "echo fuser $?",
            ]
            let outcome = try await ReadmeSession.type(commands + after, to: Broker(), within: 120)
            let (output, errors) = (outcome.output, outcome.errors)
            #expect(outcome.status == 0, "\(errors)")
            let identity = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"
            #expect(output.contains("new  beacon1  \(identity)\n"), "\(output)\(errors)")
            let row = output.split(separator: "\n").first { $0.hasPrefix("Beacon1 ") }
            #expect(row?.contains("kitchen") == true && row?.hasSuffix(identity) == true, "\(output)\(errors)")
            #expect(output.contains("Beacon1   is in kitchen"), "\(output)\(errors)")
            #expect(output.contains("agent 0\n") && output.contains("fuser 0\n"), "\(errors)")
        }

        @Test(
            "A new user who follows README teaches the simulated flat, sees the hall answered, and undoes it",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func teaching() async throws {
            let block = try #require(
                try ReadmeSession.blocks(of: "Teaching").first { $0[0].hasPrefix("export WHEREABOUTS_CONFIG=") })
            #expect(block.count == 10 && block.last == "kill $(jobs -p)")
            // A mark before each line, and how the programs ended after the last.
            let marked = block.enumerated().flatMap { ["echo '== \($0.offset)'", $0.element] }
            let after = ["for pid in ${pids[@]}; do wait $pid; echo ended $?; done"]
            let lines = marked.dropLast() + ["pids=($(jobs -p))", block[9]] + after
            let outcome = try await ReadmeSession.type(Array(lines), to: Broker(), within: 240)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let said = outcome.output.split(separator: "== ").map(String.init)
            try #require(said.count == block.count, "\(outcome.output)\(outcome.errors)")

            #expect(said[3].contains("Porter's tag") && !said[3].contains("Hall"), "\(said[3])")
            #expect(
                said[4].split(separator: "\n").count { $0.hasPrefix("lesson ") } == 4, "\(said[4])\(outcome.errors)")
            let porter = said[5].split(separator: "\n").filter { $0.contains("Porter's tag") }
            #expect(porter.contains { $0.contains("Hall") }, "\(said[5])")
            let keys = said[5].split(separator: "\n").filter { $0.contains("Anna's keys") }
            #expect(keys.contains { $0.contains("Hall") }, "\(said[5])")
            #expect(said[6].contains("Anna's keys is in ") && said[6].contains("SPEAKS"), "\(said[6])")
            for id in 1...4 { #expect(said[7].contains("\n\(id) "), "\(said[7])") }
            #expect(said[8].split(separator: "\n").count == 5, "\(said[8])\(outcome.errors)")
            #expect(said[9].split(separator: "\n").count { $0 == "ended 0" } == 4, "\(said[9])\(outcome.errors)")
        }
    }
}
