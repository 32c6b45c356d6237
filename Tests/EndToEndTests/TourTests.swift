import Glibc
import Support
import Testing

extension Live {
    /// README's five commands, as they stand there.
    @Suite struct Tour {
        /// The indented lines of README's section about them.
        private func block() throws -> [String] {
            let readme = try #require(readFile(Repository.root + "/README.md"))
            let section = try #require(readme.split(separator: "\n## ").first { $0.hasPrefix("Five commands\n") })
            return section.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
        }

        @Test("A new user who follows README sees the beacons of an app's list imported, ranged and watched")
        func fiveCommands() async throws {
            let lines = try block()
            let commands = lines.filter { $0.hasPrefix("whereabouts") }
            #expect(commands.count == 5)
            let list = lines.filter { !$0.hasPrefix("whereabouts") }.joined(separator: "\n")
            #expect(readFile(Repository.root + "/etc/tour/BeaconData.json") == list + "\n")

            let broker = try Broker()
            let folder = try TemporaryFolder()
            let programs = Execution.path(of: "whereabouts").dropLast("/whereabouts".count)
            // Only where the programs and the broker are is the test's own.
            let script =
                [
                    "cd '\(Repository.root)'", "PATH=\"\(programs):$PATH\"",
                    "export WHEREABOUTS_MQTT_URL=\(broker.url)",
                ] + commands + [
                    "pids=($(jobs -p))", "kill %1 %2", "wait ${pids[0]}", "echo agent $?", "wait ${pids[1]}",
                    "echo fuser $?",
                ]
            let shell = try ChildProcess(
                "/bin/bash", ["-c", script.joined(separator: "\n")], output: folder.file("output"),
                errors: folder.file("errors"))
            let hasEnded = try await until(60) { !shell.isRunning }
            if !hasEnded {
                // It waits for what it has started; an agent would go on without it.
                let children = readFile("/proc/\(shell.processID)/task/\(shell.processID)/children") ?? ""
                for child in children.split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGTERM) }
            }
            let output = readFile(folder.file("output")) ?? ""
            let errors = readFile(folder.file("errors")) ?? ""
            #expect(hasEnded && shell.wait(atMost: 10) == 0, "\(errors)")
            let identity = "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-1"
            #expect(output.contains("new  beacon1  \(identity)\n"), "\(output)\(errors)")
            let row = output.split(separator: "\n").first { $0.hasPrefix("Beacon1 ") }
            #expect(row?.contains("kitchen") == true && row?.hasSuffix(identity) == true, "\(output)\(errors)")
            #expect(output.contains("Beacon1   is in kitchen"), "\(output)\(errors)")
            #expect(output.contains("agent 0\n") && output.contains("fuser 0\n"), "\(errors)")
        }
    }
}
