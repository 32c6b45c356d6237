internal import Agent
internal import CommandLine
internal import Fuser
internal import Operator

/// The arguments that may follow a command, as the completions of all shells need them.
struct CompletionCommand {
    /// A value of an option, or a positional argument.
    enum Value {
        /// One of these words.
        case words([String])
        /// A path.
        case path
        /// A text that a shell can't guess.
        case text(String)
    }

    /// An option.
    struct Option {
        var name: String
        var help: String
        var repeats: Bool
        /// Nil for a flag.
        var value: Value?
    }

    /// The whole name, such as `whereabouts items add`.
    var name: String
    var summary: String
    var options: [Option]
    /// The commands below it, with their purpose.
    var subcommands: [(word: String, summary: String)] = []
    /// Nil without positional arguments.
    var positional: Value?

    /// The program's name.
    var program: String { name.split(separator: " ").first.map(String.init) ?? name }
    /// The words behind the program's name.
    var path: [String] { name.split(separator: " ").dropFirst().map(String.init) }

    init(_ command: Command) {
        name = command.name
        summary = command.summary
        options = command.options.map {
            Option(name: $0.name, help: $0.help, repeats: $0.repeats, value: Self.value($0.value))
        }
        options.append(Option(name: "--help", help: "show the arguments", repeats: false))
        options.append(Option(name: "--version", help: "show the version", repeats: false))
        positional = command.positionals.map {
            $0.firstWords.isEmpty ? Self.placeholder($0.name) : .words($0.firstWords)
        }
    }

    /// The program without a command.
    private init(program: String, summary: String) {
        (name, self.summary) = (program, summary)
        options = [
            Option(name: "--help", help: "show the commands", repeats: false),
            Option(name: "--version", help: "show the version", repeats: false),
        ]
    }

    /// The commands of all three programs, each before those below it.
    static var all: [CompletionCommand] {
        var all = AgentProgram.commands.map { CompletionCommand($0) }
        all.append(CompletionCommand(FuserProgram.command))
        all.append(CompletionCommand(program: "whereabouts", summary: "The operator's tool."))
        all += OperatorProgram.commands.map { CompletionCommand($0) }
        for index in all.indices {
            let name = all[index].name
            all[index].subcommands = all.compactMap { below in
                guard below.name.hasPrefix(name + " "), below.path.count == all[index].path.count + 1 else {
                    return nil
                }
                return (below.path.last ?? "", below.summary)
            }
            if !all[index].subcommands.isEmpty { all[index].positional = nil }
        }
        return all
    }

    private static func value(_ value: CommandOption.Value) -> Value? {
        switch value {
        case .none: nil
        case .word(let words): .words(words)
        case .text, .integer, .number, .judged: placeholder(value.placeholder ?? "")
        }
    }

    private static func placeholder(_ name: String) -> Value {
        ["FILE", "FOLDER", "DIR", "SCENARIO"].contains(name) ? .path : .text(name)
    }
}

extension [CompletionCommand] {
    /// Those that are chosen by words behind the program's name.
    var below: [CompletionCommand] { filter { !$0.path.isEmpty } }
}
