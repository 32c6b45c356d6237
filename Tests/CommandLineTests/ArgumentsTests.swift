import CommandLine
import Testing

@Suite struct ArgumentsTests {
    let command = Command(
        "tool do", summary: "Does it.", positionals: .init("FILE", 1...2, help: "what to read"),
        options: [
            CommandOption("--config", .text("FILE"), help: "the configuration"),
            CommandOption("--hex", help: "digits"),
            CommandOption("--speed", .number("N", 0...1000), help: "how fast"),
            CommandOption("--count", .integer("N", 1...10), repeats: true, help: "how many"),
            CommandOption("--colour", .word(["red", "blue"]), help: "which"),
        ])

    func run(_ words: String...) throws(UsageError) -> Arguments {
        guard case .run(let arguments) = try command.parse(words) else {
            throw UsageError(command: "", faults: ["no arguments"])
        }
        return arguments
    }

    @Test func valuesMayFollowAsAWordOrAfterAnEqualsSign() throws {
        let arguments = try run("a", "--config", "x.yaml", "--speed=2.5", "--count=1", "--count", "3", "--hex", "-")
        #expect(arguments.positionals == ["a", "-"])
        #expect(arguments.text("--config") == "x.yaml")
        #expect(arguments.number("--speed") == 2.5)
        #expect(arguments.texts("--count") == ["1", "3"])
        #expect(arguments.integer("--count") == 3)
        #expect(arguments.has("--hex") && !arguments.has("--colour"))
    }

    @Test func afterTwoHyphensEverythingIsAName() throws {
        #expect(try run("--", "--hex", "-x").positionals == ["--hex", "-x"])
        #expect(try run("-5").positionals == ["-5"])
    }

    @Test func everyFaultOfALineIsListedAtOnce() {
        let error = #expect(throws: UsageError.self) {
            try run("--confg", "--count", "11", "--colour=green", "--hex=1", "--speed", "--hex", "a", "b", "c")
        }
        #expect(
            error?.faults == [
                "unknown option '--confg'; did you mean --config?", "--count: '11' is not a whole number from 1 to 10",
                "--colour: 'green' is not one of red, blue", "--hex takes no value",
                "--speed needs a value: --speed N", "--hex is given twice", "unexpected 'c': at most 2 FILE",
            ])
        #expect(error?.description.hasSuffix("Try 'tool do --help'.") == true)
    }

    @Test func aMissingNameIsAFault() {
        #expect(throws: UsageError(command: "tool do", faults: ["FILE is missing"])) { try run("--hex") }
    }

    @Test func helpAndVersionWinOverFaults() throws {
        guard case .show(let help) = try command.parse(["--nonsense", "-h"]) else {
            Issue.record("no help")
            return
        }
        #expect(help.hasPrefix("Usage: tool do [--config FILE] [--hex]"))
        #expect(help.contains("--count N"))
        guard case .show(let version) = try command.parse(["--version"]) else {
            Issue.record("no version")
            return
        }
        #expect(version == "tool do 0.1.0\n")
    }

    @Test func theNearestWordIsOfferedAndAFarOneIsNot() {
        let known = ["node", "room", "topic_prefix"]
        #expect(Spelling.nearest(to: "nod", among: known) == "node")
        #expect(Spelling.nearest(to: "ndoe", among: known) == "node")
        #expect(Spelling.nearest(to: "topicprefix", among: known) == "topic_prefix")
        #expect(Spelling.nearest(to: "elephant", among: known) == nil)
        #expect(Spelling.nearest(to: "", among: known) == nil)
    }
}
