/// One command: its arguments, with the help and the parser made from them.
///
///     let command = Command(
///         "whereabouts decode", summary: "Print what each advertisement says.",
///         positionals: .init("FILE", 0...64, help: "captures; - is standard input"),
///         options: [CommandOption("--hex", help: "lines of hexadecimal digits")],
///         example: "whereabouts decode capture.pcapng")
///     switch try command.parse(CommandLine.arguments.dropFirst()) {
///     case .run(let arguments): decode(arguments.positionals, hex: arguments.has("--hex"))
///     case .show(let text): output.write(text)
///     }
public struct Command: Sendable {
    /// The positional arguments of a command.
    public struct Positionals: Sendable {
        /// The placeholder in the help, such as `FILE`.
        public var name: String
        /// The permitted number of them.
        public var count: ClosedRange<Int>
        /// One line of help.
        public var help: String

        /// The permitted values of the first positional; empty for any value.
        public var firstWords: [String]

        /// Positionals with bounds on their number.
        public init(_ name: String, _ count: ClosedRange<Int>, firstWords: [String] = [], help: String) {
            self.name = name
            self.count = count
            self.firstWords = firstWords
            self.help = help
        }
    }

    /// The request of a command line.
    public enum Request: Sendable {
        /// Run with these arguments.
        case run(Arguments)
        /// Print this on standard output and end with status 0: help or version.
        case show(String)
    }

    /// The whole name, such as `whereabouts decode`.
    public var name: String
    /// One sentence.
    public var summary: String
    /// The positional arguments; nil for none.
    public var positionals: Positionals?
    /// Flags and options; `--help`, `-h` and `--version` are added automatically.
    public var options: [CommandOption]
    /// A complete command line for a shell; empty for none.
    public var example: String
    /// The meaning of exit status 1.
    public var failure: String

    /// A command with all of its arguments.
    public init(
        _ name: String, summary: String, positionals: Positionals? = nil, options: [CommandOption] = [],
        example: String = "", failure: String = ExitStatus.failure.meaning
    ) {
        self.name = name
        self.summary = summary
        self.positionals = positionals
        self.options = options
        self.example = example
        self.failure = failure
    }

    /// The exit statuses with their meanings, as the help and the documentation show them.
    public var exitStatuses: String {
        ExitStatus.allCases.map { "\($0.rawValue) \(meaning(of: $0))" }.joined(separator: ", ")
    }

    /// The meaning of an exit status of this command.
    public func meaning(of status: ExitStatus) -> String { status == .failure ? failure : status.meaning }

    /// Reads the arguments after the command's name.
    ///
    /// `--x V` and `--x=V` are the same; after `--` everything is positional; `-` alone is positional, and so is a
    /// negative number. `--help` and `--version` take precedence over faults. Throws with every fault of the line.
    public func parse(_ words: some Sequence<String>) throws(UsageError) -> Request {
        var parser = ArgumentParser(command: self)
        parser.read(Array(words))
        switch parser.wish {
        case .help: return .show(help)
        case .version: return .show("\(name) \(Version.current)\n")
        case nil: break
        }
        parser.finish()
        guard parser.faults.isEmpty else { throw UsageError(command: name, faults: parser.faults) }
        return .run(parser.arguments)
    }

    /// The help text: usage, summary, a line for each argument, an example, and the exit statuses.
    public var help: String {
        var rows: [(String, String)] = []
        if let positionals { rows.append((positionals.name, positionals.help)) }
        for option in options { rows.append((option.spelling, option.help)) }
        rows.append(("-h, --help", "show this"))
        rows.append(("--version", "show the version"))
        let width = min(28, rows.map(\.0.count).max() ?? 0)
        var text = "Usage: \(usage)\n\n\(summary)\n\n"
        for (left, right) in rows {
            let gap = left.count > width ? "\n" + String(repeating: " ", count: width + 4) : padding(left, width + 2)
            text += "  \(left)\(gap)\(right)\n"
        }
        if !example.isEmpty { text += "\nExample: \(example)\n" }
        return text + "\nExit status: \(exitStatuses)\n"
    }

    /// The last part of the name, which selects the command among its siblings, such as `decode`.
    public var lastWord: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The synopsis: the name with all possible arguments, in brackets if optional.
    public var usage: String {
        var words = [name]
        for option in options {
            let spelling = option.spelling
            words.append((option.required ? spelling : "[\(spelling)]") + (option.repeats ? "…" : ""))
        }
        if let positionals {
            // The placeholder may have several parts, one for each possible argument.
            let more = positionals.count.upperBound > positionals.name.split(separator: " ").count ? "…" : ""
            words.append(positionals.count.lowerBound > 0 ? positionals.name + more : "[\(positionals.name)\(more)]")
        }
        return words.joined(separator: " ")
    }

    private func padding(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count))
    }
}
