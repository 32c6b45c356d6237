import CommandLine
import Foundation
import Support
import Testing

/// The exit statuses of the table in docs/commands.md, by the programs as they are built.
@Suite("Exit statuses") struct ExitStatusTests {
    private static func status(_ program: String, _ arguments: [String]) throws -> Int32? {
        try CommandLineTests.run(program, arguments).status
    }

    @Test("Wrong usage ends each program and each command with 2")
    func usage() throws {
        for program in CommandLineTests.programs {
            #expect(try Self.status(program, ["--no-such-option"]) == ExitStatus.usage.rawValue, "\(program)")
        }
        let help = try CommandLineTests.run("whereabouts", ["--help"])
        let commands = help.lines.filter { $0.hasPrefix("  ") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(commands.count > 10)
        for command in commands {
            let outcome = try CommandLineTests.run("whereabouts", [command, "--no-such-option"])
            #expect(outcome.status == ExitStatus.usage.rawValue, "\(command): \(outcome.error)")
        }
    }

    @Test("A configuration that cannot be used ends each program with 2")
    func configuration() throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write(Array("node: [\n".utf8), to: "broken.yaml")
        for file in [broken, folder.file("missing.yaml")] {
            for program in ["whereabouts-agent", "whereabouts-fuser"] {
                #expect(
                    try Self.status(program, ["--config", file]) == ExitStatus.usage.rawValue, "\(program) \(file)")
            }
            for command in [["watch"], ["items", "list"], ["range", "--once"], ["doctor"], ["why", "keys"]] {
                let status = try Self.status("whereabouts", command + ["--config", file])
                #expect(status == ExitStatus.usage.rawValue, "\(command) \(file)")
            }
        }
    }

    @Test("Nobody at the broker's address and a file that breaks off end with 1")
    func failure() throws {
        let folder = try TemporaryFolder()
        let port = try Broker.freePort()
        let url = "mqtt: {url: \"mqtt://127.0.0.1:\(port)\"}\n"
        let file = try folder.write(Array(url.utf8), to: "fuser.yaml")
        for command in [["items", "list"], ["range", "--once"], ["learn", "--list"], ["why", "keys"], ["doctor"]] {
            let outcome = try CommandLineTests.run("whereabouts", command + ["--config", file])
            #expect(outcome.status == ExitStatus.failure.rawValue, "\(command): \(outcome.error)")
        }
        let capture = try folder.write(Array("btsnoop\0".utf8), to: "short.btsnoop")
        #expect(try Self.status("whereabouts", ["decode", capture]) == ExitStatus.failure.rawValue)
    }

    @Test("What was asked for is done: 0")
    func success() throws {
        #expect(try Self.status("whereabouts", ["decode", GeneratedCapture.path]) == ExitStatus.success.rawValue)
        for program in CommandLineTests.programs {
            #expect(try Self.status(program, ["--help"]) == ExitStatus.success.rawValue)
        }
    }

    @Test("The statuses are those that scripts rely on")
    func numbers() { #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2]) }
}

extension Live {
    /// Exit statuses of programs that run until they are asked to end.
    @Suite struct Ends {
        @Test("A program that is asked to end ends with 0, an agent whose recording breaks off with 1")
        func ends() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let programs = try [deployment.startFuser()] + deployment.startAgents(["kitchen"])
            for program in programs { #expect(try await until(20) { program.logged("connected to") == 1 }) }
            for (program, signal) in zip(programs, [SIGTERM, SIGINT]) {
                program.process.send(signal)
                #expect(try await program.status(within: 20) == ExitStatus.success.rawValue, "\(program.errors)")
            }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: GeneratedCapture.path)).dropLast(3)
            _ = try deployment.folder.write(Array(bytes), to: "short.btsnoop")
            let file = try deployment.agent("hall", source: "replay:\(deployment.folder.file("short.btsnoop"))")
            let agent = try RunningProgram("whereabouts-agent", ["--config", file, "--speed", "max"])
            #expect(try await agent.status(within: 60) == ExitStatus.failure.rawValue, "\(agent.errors)")
        }
    }
}
