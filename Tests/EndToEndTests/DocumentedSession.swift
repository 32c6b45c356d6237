import Glibc
import Support
import Testing

/// The commands of a page of the documentation, and a shell that runs them beside a broker of its own.
struct DocumentedSession {
    /// A fenced block of a page: its info string (such as `sh`, empty for output) and its lines.
    struct Block {
        let language: String
        let lines: [String]
    }

    /// The status of the shell (nil if it had to be ended), and the output of it and its programs.
    struct Outcome {
        let status: Int32?
        let output: String
        let errors: String
    }

    /// The fenced blocks of a page, or of its section, which a heading of the second level opens.
    static func blocks(of page: String, section: String? = nil) throws -> [Block] {
        let text = try #require(readFile("\(Repository.root)/\(page)"), "\(page) is missing")
        var part = text[...]
        if let section {
            part = try #require(
                text.split(separator: "\n## ").first { $0.hasPrefix(section + "\n") }, "\(page) has no '\(section)'")
        }
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in part.split(separator: "\n", omittingEmptySubsequences: false) {
            if let block = open {
                if line == "```" {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    /// Runs lines in the repository's folder. Only the places of the programs and of the broker are the test's own.
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
            // The shell waits for its children; an agent would continue without it.
            let children = readFile("/proc/\(shell.processID)/task/\(shell.processID)/children") ?? ""
            for child in children.split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGTERM) }
        }
        let status = shell.wait(atMost: 10)
        return Outcome(
            status: hasEnded ? status : nil, output: readFile(folder.file("output")) ?? "",
            errors: readFile(folder.file("errors")) ?? "")
    }
}
