internal import CommandLine

/// A page of the manual in roff with the macros of man(7).
struct ManualPage {
    var section: Int
    var name: String
    /// A few words for apropos(1).
    var purpose: String
    var summary: String
    /// The program without a command; nil if it needs one.
    var program: Command?
    /// The commands that its first word may name.
    var commands: [Command]

    var text: String {
        """
        .\\" \(GeneratedFile.note)
        .TH \(name.uppercased()) \(section) "" "Whereabouts \(Version.current)" "Whereabouts"
        .SH NAME
        \(escaped(name)) \\- \(escaped(purpose))
        .SH SYNOPSIS
        \(program.map(synopsis) ?? "")\(commands.isEmpty ? "" : (program == nil ? "" : ".PP\n") + anyCommand)\
        .SH DESCRIPTION
        \(line(summary))
        \(program.map { ".SH OPTIONS\n" + arguments($0) + signals } ?? "")\(commands.isEmpty ? "" : commandSections)\
        .SH EXIT STATUS
        \(ExitStatus.allCases.map(exitStatus).joined())\
        .SH FILES
        .TP
        .I /etc/whereabouts/agent.yaml
        The configuration of the agent of this machine.
        .TP
        .I /etc/whereabouts/fuser.yaml
        The configuration of the fuser of this machine.
        .SH SEE ALSO
        \(others.map { ".BR \(escaped($0.0)) (\($0.1))" }.joined(separator: " ,\n"))

        """
    }

    /// The synopsis of a command, by its word if there is but one.
    private var anyCommand: String {
        let word = commands.count == 1 ? ".B \(escaped(commands[0].lastWord))" : ".I COMMAND"
        return ".B \(escaped(name))\n\(word)\n[\\fIARGUMENT\\fR\\|.\\|.\\|.]\n"
    }

    private var others: [(String, Int)] {
        [("whereabouts", 1), ("whereabouts-agent", 8), ("whereabouts-fuser", 8)].filter { $0.0 != name }
    }

    private func exitStatus(_ status: ExitStatus) -> String {
        var meaning = program?.meaning(of: status) ?? status.meaning
        switch status {
        case .success: break
        case .failure: if !commands.isEmpty { meaning += ", or what the command says below its arguments" }
        case .usage: meaning += ": the text on standard error says where, and how to mend it"
        }
        return ".TP\n.B \(status.rawValue)\n\(line(meaning.prefix(1).uppercased() + meaning.dropFirst() + "."))\n"
    }

    private var signals: String {
        """
        .SH SIGNALS
        .TP
        .B SIGHUP
        Reads the configuration file anew, as \\fBsystemctl reload\\fR does. What takes effect at run time is applied, the keys that \
        need a restart are logged, and a faulty file changes nothing.
        .TP
        .BR SIGTERM ,\\  SIGINT
        End the program in good order.

        """
    }

    private var commandSections: String {
        ".SH COMMANDS\n"
            + commands.map { command in
                var text = ".SS \(escaped(command.name))\n\(line(command.summary))\n.PP\n" + synopsis(command)
                text += arguments(command)
                if command.failure != ExitStatus.failure.meaning {
                    text += ".PP\nExit status 1: \(escaped(command.failure)).\n"
                }
                if !command.example.isEmpty {
                    text += ".PP\nExample:\n.PP\n.nf\n.RS 4\n\(line(command.example))\n.RE\n.fi\n"
                }
                return text
            }.joined()
    }

    private func synopsis(_ command: Command) -> String {
        ".B \(escaped(command.name))\n" + line(String(command.usage.dropFirst(command.name.count + 1))) + "\n"
    }

    private func arguments(_ command: Command) -> String {
        var text = ""
        if let positionals = command.positionals {
            text += ".TP\n.I \(escaped(positionals.name))\n\(line(positionals.help))\n"
        }
        for option in command.options {
            let value = option.value.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
            text += ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n\(line(option.help))\n"
        }
        if command.name == program?.name {
            text += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nshow the arguments\n"
            text += ".TP\n\\fB\\-\\-version\\fR\nshow the version\n"
        }
        return text
    }

    /// A line of text: one that begins with a dot or an apostrophe would be a request.
    private func line(_ text: String) -> String {
        let text = escaped(text)
        return text.first == "." || text.first == "'" ? "\\&" + text : text
    }

    private func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "…": "\\|.\\|.\\|."
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "`": "\\(ga"
            case "'": "\\(aq"
            default: String(character)
            }
        }.joined()
    }
}
