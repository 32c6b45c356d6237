internal import Bytes
internal import CommandLine
internal import Configuration

/// The pace of a rollout: the nodes that it begins with, and the times of measuring.
struct FleetPace {
    /// The options that say so.
    static let options = [
        CommandOption("--canary", .integer("N", 1...1000), help: "the number of nodes to begin with; default: 2"),
        CommandOption(
            "--canary-node", .text("NODE"), repeats: true,
            help: "a node to begin with, in place of the first by name"),
        CommandOption("--baseline", duration, help: "how long to measure before; default: 1m"),
        CommandOption("--wait", duration, help: "how long to watch after each stage; default: 10m"),
        CommandOption("--yes", help: "do not ask before"),
    ]
    /// The value of an option that is a time.
    static let duration = CommandOption.Value.judged("D") { text in
        let isValid = DurationText.duration(text).map { (.seconds(2)...(.seconds(86_400))).contains($0) } ?? false
        return isValid ? nil : "a duration from 2s to 1d, such as 10m"
    }

    /// The canaries by name; empty to take the first by id.
    let namedCanaries: [String]
    /// The number of canaries if none are named.
    let canaryCount: Int
    /// Seconds of measuring before, and of watching after each stage.
    let baseline: Double, wait: Double
    /// True if the operator is asked before.
    let asks: Bool

    /// The pace of a command line.
    init(_ arguments: Arguments, _ command: String) throws(UsageError) {
        namedCanaries = arguments.texts("--canary-node")
        if !namedCanaries.isEmpty, arguments.has("--canary") {
            throw UsageError(command: command, faults: ["--canary or --canary-node: one of the two"])
        }
        canaryCount = arguments.integer("--canary") ?? 2
        baseline = Self.seconds(arguments, "--baseline") ?? 60
        wait = Self.seconds(arguments, "--wait") ?? 600
        asks = !arguments.has("--yes")
    }

    /// The seconds of an option; nil if it is absent.
    static func seconds(_ arguments: Arguments, _ option: String) -> Double? {
        arguments.text(option).flatMap { DurationText.duration($0) }?.seconds
    }

    /// A time in words.
    static func text(_ seconds: Double) -> String {
        DurationText.text(.milliseconds(Int64((seconds * 1000).rounded())))
    }
}
