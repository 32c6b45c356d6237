import Agent
import CommandLine
import Fuser
import Operator
import Testing

@Suite struct CommandTablesTests {
    static let commands = AgentProgram.commands + [FuserProgram.command] + OperatorProgram.commands

    @Test("Each command has an example that it accepts", arguments: commands.map(\.name))
    func example(name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name })
        #expect(command.example.hasPrefix(name + " "))
        let words = command.example.dropFirst(name.count).split(separator: " ").map(String.init)
        guard case .run = try command.parse(words) else {
            Issue.record("the example of \(name) asks for help")
            return
        }
    }

    @Test("Each argument of each command has a meaning", arguments: commands.map(\.name))
    func meanings(name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name })
        #expect(!command.summary.isEmpty)
        #expect(command.positionals?.help.isEmpty != true)
        for option in command.options { #expect(!option.help.isEmpty, "\(option.name)") }
    }
}
