/// The completion of Zsh.
enum ZshCompletion {
    static func text(_ commands: [CompletionCommand]) -> String {
        """
        #compdef whereabouts whereabouts-agent whereabouts-fuser
        # Completion in Zsh. \(GeneratedFile.note)

        \(commands.map(function).joined(separator: "\n"))
        "_${service:-whereabouts}_arguments"

        """
    }

    /// The name of the function that completes the arguments of a command.
    private static func name(_ command: String) -> String {
        "_\(command.map { $0 == " " ? "_" : String($0) }.joined())_arguments"
    }

    private static func function(_ command: CompletionCommand) -> String {
        var lines = command.options.map(line)
        var body = ""
        if command.subcommands.isEmpty {
            switch command.positional {
            case .path?: lines.append("'*:file:_files'")
            case .words(let words)?: lines.append("'1:what:(\(words.joined(separator: " ")))'")
            case .text(let name)?: lines.append("'*:\(escaped(name)): '")
            case nil: break
            }
        } else {
            lines += ["'1:command:->command'", "'*::argument:->argument'"]
            let choices = command.subcommands.map { "                '\($0.word):\(escaped($0.summary))'" }
            let calls = command.subcommands.map {
                "                \($0.word)) \(name(command.name + " " + $0.word)) ;;"
            }
            body = """

                    case $state in
                        command)
                            local -a commands=(
                \(choices.joined(separator: "\n"))
                            )
                            _describe command commands ;;
                        argument)
                            case $words[1] in
                \(calls.joined(separator: "\n"))
                            esac ;;
                    esac
                """
        }
        let context = command.subcommands.isEmpty ? "_arguments -s" : "local state\n    _arguments -C"
        return """
            \(name(command.name))() {
                \(context) \\
                    \(lines.joined(separator: " \\\n        "))\(body)
            }

            """
    }

    private static func line(_ option: CompletionCommand.Option) -> String {
        var text = (option.repeats ? "*" : "") + option.name
        let help = "[\(escaped(option.help))]"
        switch option.value {
        case nil: text += help
        case .path?: text += "=\(help):file:_files"
        case .words(let words)?: text += "=\(help):value:(\(words.joined(separator: " ")))"
        case .text(let name)?: text += "=\(help):\(escaped(name)): "
        }
        return "'\(text)'"
    }

    /// A text inside a specification between single quotes.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "[", "]", ":", "\\": result += "\\\(character)"
            case "'": result += "'\\''"
            default: result.append(character)
            }
        }
        return result
    }
}
