internal import Agent
internal import CommandLine
internal import Fuser
internal import Operator

/// A whole file that is made from the program: a completion of a shell, or a page of the manual.
public struct GeneratedFile: Sendable {
    /// The path from the top of the repository.
    public let path: String
    /// The content.
    public let text: String

    /// The first words of a comment in each of them.
    static let note = "Made by etc/dev/docs from the command tables; do not edit."

    /// All files.
    public static var all: [GeneratedFile] {
        let commands = CompletionCommand.all
        return [
            GeneratedFile(path: "etc/packaging/completions/whereabouts.bash", text: BashCompletion.text(commands)),
            GeneratedFile(path: "etc/packaging/completions/_whereabouts", text: ZshCompletion.text(commands)),
            GeneratedFile(path: "etc/packaging/completions/whereabouts.fish", text: FishCompletion.text(commands)),
            GeneratedFile(
                path: "etc/packaging/man/whereabouts.1",
                text: ManualPage(
                    section: 1, name: "whereabouts", purpose: "find out which room each tagged thing or person is in",
                    summary: """
                        The operator's tool: registers items, teaches rooms, shows answers and their reasons, and finds \
                        faults.
                        """,
                    commands: OperatorProgram.commands
                ).text),
            GeneratedFile(
                path: "etc/packaging/man/whereabouts-agent.8",
                text: ManualPage(
                    section: 8, name: AgentProgram.command.name, purpose: "hear Bluetooth LE beacons on a gateway",
                    summary: AgentProgram.command.summary, program: AgentProgram.command,
                    commands: Array(AgentProgram.commands.dropFirst())
                ).text),
            GeneratedFile(
                path: "etc/packaging/man/whereabouts-fuser.8",
                text: ManualPage(
                    section: 8, name: FuserProgram.command.name, purpose: "decide which room each item is in",
                    summary: FuserProgram.command.summary, program: FuserProgram.command, commands: []
                ).text),
        ]
    }
}
