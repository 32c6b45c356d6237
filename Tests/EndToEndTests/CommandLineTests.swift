import Bytes
import Configuration
import Foundation
import Simulation
import Support
import Testing

/// The command lines of the programs as they are built.
@Suite struct CommandLineTests {
    static let programs = ["whereabouts-agent", "whereabouts-fuser", "whereabouts"]

    static func run(_ program: String, _ arguments: [String]) throws -> Execution.Outcome {
        try Execution.run(Execution.path(of: program), arguments)
    }

    static func text(_ outcome: Execution.Outcome) -> String { String(decoding: outcome.output, as: UTF8.self) }

    @Test("Print help and version on standard output, with status 0", arguments: programs)
    func help(program: String) throws {
        for option in ["--help", "-h"] {
            let outcome = try Self.run(program, [option])
            #expect(outcome.status == 0 && outcome.error.isEmpty)
            #expect(Self.text(outcome).hasPrefix("Usage: \(program)"))
        }
        let version = try Self.run(program, ["--version"])
        #expect(version.status == 0 && version.error.isEmpty)
        #expect(version.lines.count == 1 && Self.text(version).hasPrefix("\(program) "))
        #expect(Self.text(version).contains("."))
    }

    @Test("Print help for each command of the operator's tool", arguments: ["watch", "decode", "simulate", "locate"])
    func commandHelp(command: String) throws {
        let outcome = try Self.run("whereabouts", [command, "--help"])
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(Self.text(outcome).hasPrefix("Usage: whereabouts \(command)"))
        #expect(try Self.run("whereabouts", [command, "--version"]).status == 0)
    }

    @Test(
        "Suggest a correction of a misspelt word on standard error, with status 2",
        arguments: [
            ("whereabouts-agent", ["--confg", "x"], "unknown option '--confg'; did you mean --config?"),
            ("whereabouts-fuser", ["--chek"], "unknown option '--chek'; did you mean --check?"),
            ("whereabouts", ["wach"], "there is no command 'wach'; did you mean 'watch'?"),
            ("whereabouts", ["watch", "--brokr", "x"], "unknown option '--brokr'; did you mean --broker?"),
            ("whereabouts", ["simulate", "x", "--trut"], "unknown option '--trut'; did you mean --truth?"),
            (
                "whereabouts", ["items", "ad", "keys", "--name", "Keys"],
                "unknown word 'ad' after 'items'; did you mean 'add'?"
            ),
            ("whereabouts", ["forget", "fusr", "main"], "unknown word 'fusr' after 'forget'; did you mean 'fuser'?"),
            ("whereabouts", ["advertise", "ibacon"], "there is no format 'ibacon'; did you mean 'ibeacon'?"),
            ("whereabouts", ["doctor", "json"], "unexpected 'json'; did you mean --json?"),
            ("whereabouts", ["items", "add", "Anna Keys", "--address", "a4:c1:38:00:11:22"], "'anna-keys' would do"),
            ("whereabouts", [], "a command is missing"),
            ("whereabouts-agent", [], "--config FILE is missing"),
        ])
    func misspelt(program: String, arguments: [String], words: String) throws {
        let outcome = try Self.run(program, arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(words), "\(outcome.error)")
    }

    @Test(
        "Report a time that ends before it begins, with status 2",
        arguments: [
            (["audit", "--since", "2026-11-30", "--until", "2026-11-01"], "--until is not later than --since"),
            (["history", "keys", "--from", "2026-11-30", "--to", "2026-11-01"], "--to is not later than --from"),
        ])
    func timesInDisorder(arguments: [String], words: String) throws {
        let outcome = try Self.run("whereabouts", arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains(words), "\(outcome.error)")
    }

    @Test("Print and open nothing when checking a good configuration, with status 0")
    func checkGood() throws {
        let listener = try Listener()
        let folder = try TemporaryFolder()
        let url = "mqtt: {url: \"mqtt://127.0.0.1:\(listener.port)\"}"
        let agent = try folder.write(
            Array("node: n\nsource: \"simulate:\(Deployment.flat)\"\n\(url)\n".utf8), to: "agent.yaml")
        let fuser = try folder.write(Array("name: main\n\(url)\n".utf8), to: "fuser.yaml")
        let wrong = try Self.run("whereabouts-agent", ["--config", agent, "--check"])
        #expect(wrong.status == 2)
        #expect(wrong.error.contains("has no node 'n'; it has kitchen, living, bedroom"), "\(wrong.error)")
        let good = try folder.write(
            Array("node: living\nsource: \"simulate:\(Deployment.flat)\"\n\(url)\n".utf8), to: "good.yaml")
        for (program, file) in [("whereabouts-agent", good), ("whereabouts-fuser", fuser)] {
            let outcome = try Self.run(program, ["--config", file, "--check"])
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.output.isEmpty)
        }
        #expect(!listener.wasReached)
    }

    @Test(
        "Report all faults of a broken configuration at once, with file, line and column", arguments: [true, false])
    func checkBroken(isCheck: Bool) throws {
        let listener = try Listener()
        let folder = try TemporaryFolder()
        let lines = [
            "node: Away", "romo: kitchen", "window: [1s]", "items: none.yaml",
            "mqtt: {url: \"mqtt://127.0.0.1:\(listener.port)\", password_file: /etc}",
        ]
        let path = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "agent.yaml")
        let outcome = try Self.run("whereabouts-agent", ["--config", path] + (isCheck ? ["--check"] : []))
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        for place in ["1:7", "2:1", "3:9", "4:8"] {
            #expect(outcome.error.contains("\(path):\(place): "), "\(place) in \(outcome.error)")
        }
        #expect(outcome.error.contains("unknown key 'romo'; did you mean 'room'?"))
        #expect(outcome.error.contains("is a directory"), "\(outcome.error)")
        #expect(!listener.wasReached)
    }

    @Test(
        "Report a missing folder of the page as a configuration's fault, at the start and in a check",
        arguments: [true, false])
    func checkPage(isCheck: Bool) throws {
        let folder = try TemporaryFolder()
        let lines = [
            "name: main", "web: {listen: \"127.0.0.1:\(try Listener().port)\", files: none}",
            "mqtt: {url: \"mqtt://127.0.0.1:\(try Listener().port)\"}",
        ]
        let path = try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "fuser.yaml")
        let outcome = try Self.run("whereabouts-fuser", ["--config", path] + (isCheck ? ["--check"] : []))
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.error.contains("web: the folder ") && outcome.error.contains("set `files`"), "\(outcome.error)")
    }

    @Test("Print the true rooms of a simulated house")
    func truth() throws {
        let outcome = try Self.run(
            "whereabouts", ["simulate", Deployment.flat, "--truth", "--from", "1795248000", "--for", "120"])
        #expect(outcome.status == 0 && outcome.error.isEmpty)
        #expect(try Self.text(outcome) == SimulatedTruth.text(of: Deployment.flat, from: 1_795_248_000, for: 120))
    }

    @Test("Accept a reader that goes away early")
    func closedOutput() throws {
        let program = Execution.path(of: "whereabouts")
        for words in [
            "decode '\(GeneratedCapture.path)'",
            "simulate '\(Deployment.flat)' --truth --from 1795248000 --for 20000",
        ] {
            let script = "'\(program)' \(words) | head -n 1 >/dev/null; echo ${PIPESTATUS[0]}"
            let outcome = try Execution.run("/bin/bash", ["-c", script])
            #expect(outcome.lines == ["0"], "\(words)")
        }
    }
}

/// The expected output of `whereabouts simulate --truth`.
private enum SimulatedTruth {
    static func text(of scenario: String, from: Double, for length: Double) throws -> String {
        let house = try SimulatedHouse(ScenarioFile.read(scenario))
        let start = Timestamp(microseconds: 0).advanced(bySeconds: from)
        let rows = house.truthChanges(from: start, until: start.advanced(bySeconds: length)).map(\.csvRow)
        return ([TruthInterval.csvHeader] + rows).map { $0 + "\n" }.joined()
    }
}
