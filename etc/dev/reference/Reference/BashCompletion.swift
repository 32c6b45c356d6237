/// The completion of Bash.
enum BashCompletion {
    static func text(_ commands: [CompletionCommand]) -> String {
        """
        # Completion of whereabouts, whereabouts-agent and whereabouts-fuser in Bash. \(GeneratedFile.note)

        _whereabouts() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words= paths= options= index
            local command=${COMP_WORDS[0]##*/}
            # Bash cuts a line at '=': --config=FILE are three words.
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                case "$command ${COMP_WORDS[index]}" in
        \(pattern(commands.below.map { "'\($0.name)'" }, indent: 12))
                        command+=" ${COMP_WORDS[index]}" ;;
                esac
            done
            COMPREPLY=()
            case "$command $previous" in
        \(values(commands))
                *)
                    case "$command" in
        \(commands.map(arguments).joined(separator: "\n"))
                    esac
                    [[ $current != -* && -n $words$paths ]] || words=$options paths= ;;
            esac
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            if [[ -n $paths ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
            fi
        }

        complete -F _whereabouts whereabouts whereabouts-agent whereabouts-fuser

        """
    }

    /// The case of each option with a value: by its name, or with its command where commands differ in it.
    private static func values(_ commands: [CompletionCommand]) -> String {
        var kinds: [String: Set<String>] = [:]
        for command in commands {
            for option in command.options { kinds[option.name, default: []].insert(answer(option.value)) }
        }
        var names: [String: [String]] = [:]
        for command in commands {
            for option in command.options where option.value != nil {
                let isCommon = kinds[option.name]?.count == 1
                let name = isCommon ? "*' \(option.name)'" : "'\(command.name) \(option.name)'"
                if names[answer(option.value), default: []].contains(name) { continue }
                names[answer(option.value), default: []].append(name)
            }
        }
        return names.sorted { $0.key < $1.key }
            .map { "\(pattern($0.value, indent: 8))\n            \($0.key) ;;" }.joined(separator: "\n")
    }

    /// The answer to a tab behind an option.
    private static func answer(_ value: CompletionCommand.Value?) -> String {
        switch value {
        case .words(let words)?: "words='\(words.joined(separator: " "))'"
        case .path?: "paths=1"
        case .text?: ": a value that no list can hold"
        case nil: ""
        }
    }

    private static func arguments(_ command: CompletionCommand) -> String {
        var answers: [String] = []
        if !command.subcommands.isEmpty {
            answers.append("words='\(command.subcommands.map(\.word).joined(separator: " "))'")
        }
        switch command.positional {
        case .words, .path: answers.append(answer(command.positional))
        case .text, nil: break
        }
        answers.append("options='\(command.options.map(\.name).joined(separator: " "))'")
        return """
                        '\(command.name)')
                            \(answers.joined(separator: " ")) ;;
            """
    }

    private static func pattern(_ names: [String], indent: Int) -> String {
        let space = String(repeating: " ", count: indent)
        return Markdown.wrapped(
            names.enumerated().map { $1 + ($0 == names.count - 1 ? ")" : " |") }, width: 116 - indent, indent: 0
        ).split(separator: "\n").map { space + $0 + ($0.hasSuffix("|") ? " \\" : "") }.joined(separator: "\n")
    }
}
