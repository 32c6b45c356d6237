import Support
import Testing

extension Live {
    /// The five commands of docs/install.md, the flat to teach in of docs/teaching.md, and the house of
    /// docs/first-house.md, as printed there.
    @Suite struct Tour {
        @Test("Import, range and watch the beacons of an app's list by following docs/install.md")
        func fiveCommands() async throws {
            let blocks = try DocumentedSession.blocks(of: "docs/install.md", section: "Five commands on one machine")
            let commands = blocks.filter { $0.language == "sh" }.flatMap(\.lines).filter { $0.hasPrefix("whereabouts") }
            #expect(commands.count == 5)
            let list = try #require(blocks.first { $0.language == "json" }).lines.joined(separator: "\n")
            #expect(readFile(Repository.root + "/etc/examples/tour/BeaconData.json") == list + "\n")

            let after = [
                "pids=($(jobs -p))", "kill %1 %2", "wait ${pids[0]}", "echo agent $?", "wait ${pids[1]}",
                "echo fuser $?",
            ]
            let outcome = try await DocumentedSession.type(commands + after, to: Broker(), within: 120)
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
            "Teach the simulated flat, see the hall answered, and undo it by following docs/teaching.md",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func teaching() async throws {
            let block = try #require(
                try DocumentedSession.blocks(of: "docs/teaching.md", section: "Try it in a simulated flat")
                    .first { $0.lines.first?.hasPrefix("export WHEREABOUTS_CONFIG=") == true }
            ).lines
            #expect(block.count == 10 && block.last == "kill $(jobs -p)")
            // A mark before each line, and the exit of the programs after the last.
            var lines = block.enumerated().flatMap { ["echo '== \($0.offset)'", $0.element] }
            lines.insert("pids=($(jobs -p))", at: lines.count - 1)
            lines.append("for pid in ${pids[@]}; do wait $pid; echo ended $?; done")
            let outcome = try await DocumentedSession.type(lines, to: Broker(), within: 240)
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

        @Test(
            "Enroll six gateways, teach the house and ask without a radio by following docs/first-house.md",
            .enabled(if: Live.isFull, "a long proof: WHEREABOUTS_FULL=1"))
        func firstHouse() async throws {
            let blocks = try DocumentedSession.blocks(of: "docs/first-house.md")
            let lines = blocks.filter { ["sh", "sh simulated"].contains($0.language) }.flatMap(\.lines)
            try #require(lines.last == "kill $(jobs -p)")
            let (folder, port) = (try TemporaryFolder(), try Broker.freePort())
            let followed = lines.dropLast().map { line in
                // Watching is cut short, and nobody is there to answer a question or to press ^C.
                switch line {
                case "whereabouts watch": "timeout --signal INT 10 whereabouts watch"
                case "whereabouts watch --for 60s", "whereabouts watch --for 3m": "whereabouts watch --for 15s"
                default: line.hasSuffix("--nearest office") ? line + " --yes" : line.replacing("8883", with: "\(port)")
                }
            }
            let outcome = try await DocumentedSession.type(
                ["unset WHEREABOUTS_MQTT_URL", "export HOME=\(folder.path)", "SOURCES=$PWD"] + followed
                    + ["kill $(jobs -p)", "wait"],
                to: Broker(), within: 300)
            let (output, errors) = (outcome.output, outcome.errors)
            #expect(outcome.status != nil, "\(output)\(errors)")
            #expect(output.split(separator: "\n").count { $0.hasPrefix("made  ") } == 9, "\(output)\(errors)")
            for item in ["drill", "keys", "cat"] {
                #expect(output.contains("\(item) is registered"), "\(output)\(errors)")
            }
            #expect(errors.contains("8 of 8 written"), "\(output)\(errors)")
            #expect(output.contains("The drill  is in office"), "\(output)\(errors)")
            #expect(output.contains("seconds that had no part in the lessons were told right"), "\(output)\(errors)")
            for room in ["hall", "landing"] { #expect(output.contains("\n  \(room) "), "\(output)\(errors)") }
            #expect(output.contains("Anna's keys is in ") && output.contains("SPEAKS"), "\(output)\(errors)")
            #expect(output.contains(",keys,"), "\(output)\(errors)")
        }
    }
}
