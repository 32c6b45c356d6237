internal import Agent
internal import CommandLine
internal import Fuser
internal import Operator

/// The programs' command lines, from the tables that their `--help` and their parsers use.
extension Section {
    static var commands: [Section] {
        [
            Section("command-agent", AgentProgram.commands.map(text).joined(separator: "\n")),
            Section("command-fuser", text(FuserProgram.command)),
            Section("commands", OperatorProgram.commands.map(text).joined(separator: "\n")),
            Section(
                "command-list",
                Markdown.table(
                    ["command", "purpose"],
                    OperatorProgram.commands.map { ["[`\($0.name)`](#\(anchor($0.name)))", $0.summary] })),
            Section("exit-statuses", exitStatuses),
        ]
    }

    /// A row for each meaning of each status, with the programs and commands for which it has that one.
    private static var exitStatuses: String {
        let programs = [AgentProgram.command, FuserProgram.command]
        let special = (programs + OperatorProgram.commands).filter { $0.failure != ExitStatus.failure.meaning }
        let rows = ExitStatus.allCases.flatMap { status in
            [[Markdown.code("\(status.rawValue)"), "all", status.meaning]]
                + (status == .failure
                    ? special.map { [Markdown.code("\(status.rawValue)"), Markdown.code($0.name), $0.failure] } : [])
        }
        return Markdown.table(["status", "program", "meaning"], rows)
    }

    private static func text(_ command: Command) -> String {
        var rows: [[String]] = []
        if let positionals = command.positionals { rows.append([Markdown.code(positionals.name), positionals.help]) }
        for option in command.options { rows.append([Markdown.code(option.spelling), meaning(option)]) }
        return """
            ### \(command.name)

            \(command.summary)

            \(Markdown.block(Markdown.wrapped(words(command.usage))))
            \(rows.isEmpty ? "" : Markdown.table(["argument", "meaning"], rows) + "\n")\
            Example: `\(command.example)`

            Exit status: \(command.exitStatuses).

            """
    }

    private static func meaning(_ option: CommandOption) -> String {
        var text = option.help
        switch option.value {
        case .integer(_, let range): text += " (\(range.lowerBound) to \(range.upperBound))"
        case .number(_, let range): text += " (\(range.lowerBound.plain) to \(range.upperBound.plain))"
        default: break
        }
        if option.required { text += "; required" }
        if option.repeats { text += "; may repeat" }
        return text
    }

    /// The words of a synopsis, each option with its value as one.
    private static func words(_ usage: String) -> [String] {
        var words: [String] = []
        var depth = 0
        for word in usage.split(separator: " ").map(String.init) {
            if depth > 0, let last = words.last {
                words[words.count - 1] = last + " " + word
            } else {
                words.append(word)
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return words
    }

    /// The anchor that Markdown's renderers make of a heading.
    private static func anchor(_ heading: String) -> String {
        String(heading.lowercased().map { $0 == " " ? "-" : $0 })
    }
}

extension Double {
    /// Without a fraction where it has none.
    fileprivate var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}
