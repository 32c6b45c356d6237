/// The completion of Fish.
enum FishCompletion {
    static func text(_ commands: [CompletionCommand]) -> String {
        let names = commands.below.map { "'\($0.name)'" }
        return """
            # Completion of whereabouts, whereabouts-agent and whereabouts-fuser in Fish. \(GeneratedFile.note)

            # Tells whether the command before the cursor is the one that is named.
            function __whereabouts_at
                set -l words (commandline -opc)
                set -l command (path basename $words[1])
                for word in $words[2..]
                    switch "$command $word"
                        case \(names.joined(separator: " \\\n                "))
                            set command "$command $word"
                    end
                end
                test "$command" = "$argv"
            end

            \(commands.flatMap(lines).joined(separator: "\n"))

            """
    }

    private static func lines(_ command: CompletionCommand) -> [String] {
        let start = "complete -c \(command.program) -n '__whereabouts_at \(command.name)'"
        var lines: [String] = []
        for below in command.subcommands { lines.append("\(start) -f -a \(below.word) -d '\(escaped(below.summary))'") }
        switch command.positional {
        case .words(let words)?: lines.append("\(start) -f -a '\(words.joined(separator: " "))'")
        case .path?: break
        case .text?, nil: if command.subcommands.isEmpty { lines.append("\(start) -f") }
        }
        for option in command.options {
            var line = "\(start) -l \(option.name.dropFirst(2)) -d '\(escaped(option.help))'"
            switch option.value {
            case nil: break
            case .path?: line += " -r -F"
            case .words(let words)?: line += " -x -a '\(words.joined(separator: " "))'"
            case .text?: line += " -x"
            }
            lines.append(line)
        }
        return lines
    }

    /// A text between single quotes.
    private static func escaped(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
