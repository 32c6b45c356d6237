import Glibc
import Support
import Testing

/// What README tells a new user to type, and a shell that does so beside a broker of its own.
struct ReadmeSession {
    /// How the shell ended (nil where it had to be ended), and what it and its programs said.
    struct Outcome {
        let status: Int32?
        let output: String
        let errors: String
    }

    /// The blocks of indented lines of a section of README.
    static func blocks(of section: String) throws -> [[String]] {
        let readme = try #require(readFile(Repository.root + "/README.md"))
        let text = try #require(readme.split(separator: "\n## ").first { $0.hasPrefix(section + "\n") })
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .split { !$0.hasPrefix("    ") }.map { $0.map { String($0.dropFirst(4)) } }
    }

    /// Types lines in this folder; only where the programs and the broker are is the test's own.
    static func type(_ lines: [String], to broker: Broker, within seconds: Double) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let programs = Execution.path(of: "whereabouts").dropLast("/whereabouts".count)
        let script =
            [
                "cd '\(Repository.root)'", "PATH=\"\(programs):$PATH\"", "export WHEREABOUTS_MQTT_URL=\(broker.url)",
            ] + lines
        let shell = try ChildProcess(
            "/bin/bash", ["-c", script.joined(separator: "\n")], output: folder.file("output"),
            errors: folder.file("errors"))
        let hasEnded = try await until(seconds) { !shell.isRunning }
        if !hasEnded {
            // It waits for what it has started; an agent would go on without it.
            let children = readFile("/proc/\(shell.processID)/task/\(shell.processID)/children") ?? ""
            for child in children.split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGTERM) }
        }
        let status = shell.wait(atMost: 10)
        return Outcome(
            status: hasEnded ? status : nil, output: readFile(folder.file("output")) ?? "",
            errors: readFile(folder.file("errors")) ?? "")
    }
}
