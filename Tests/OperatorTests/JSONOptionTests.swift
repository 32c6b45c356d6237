import CommandLine
import Operator
import Testing

/// The table of commands: what prints data prints it as JSON as well.
@Suite struct JSONOptionTests {
    /// Commands that need no `--json`, with the reason.
    private static let exempt = [
        "whereabouts items": "it names other commands",
        "whereabouts fleet": "it names other commands",
        "whereabouts decode": "its lines are JSON already",
    ]

    @Test("Each command that prints data has --json", arguments: OperatorProgram.commands)
    func hasJSON(command: Command) {
        let has = command.options.contains { $0.name == "--json" }
        #expect(has || Self.exempt[command.name] != nil, "\(command.name) prints data and has no --json")
        #expect(!(has && Self.exempt[command.name] != nil), "\(command.name) has --json: take it out of this list")
    }

    @Test("The exempt commands exist")
    func exemptions() {
        #expect(Set(Self.exempt.keys).isSubset(of: OperatorProgram.commands.map(\.name)))
    }

    @Test(
        "The help of --json names the form: an object, an array, or an object a line",
        arguments: OperatorProgram.commands)
    func helps(command: Command) {
        guard let option = command.options.first(where: { $0.name == "--json" }) else { return }
        #expect(
            ["object", "array", "everything"].contains { option.help.contains($0) }, "\(command.name): \(option.help)")
    }
}
