internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System

/// `whereabouts-agent setup`: asks for a gateway's name, room and broker, tests them, and writes the configuration.
enum SetupCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts-agent setup",
        summary: "Ask for this gateway's name, room and broker, test each, and write the configuration.",
        options: [
            CommandOption(
                "--config", .text("FILE"), help: "the agent's configuration; default \(SetupFile.defaultPath)"),
            CommandOption("--node", .judged("ID", SetupAnswers.complaint), help: "the gateway's id"),
            CommandOption(
                "--room", .judged("ID", SetupAnswers.complaint), help: "the room that it stands in; default: its id"),
            CommandOption(
                "--broker", .text("URL"), help: "the broker, such as mqtt://broker.lan, or mqtts://broker.lan with TLS"),
            CommandOption(
                "--ca-file", .text("FILE"), help: "the authority of the broker's certificate, in place of the system's"),
            CommandOption("--username", .text("NAME"), help: "the user's name at the broker"),
            CommandOption(
                "--password-file", .text("FILE"),
                help: "the file with the user's password; - reads it from standard input, and keeps it in a file"),
            CommandOption("--yes", help: "ask nothing: what is missing is an error"),
            CommandOption("--untested", help: "write without a test of broker and adapter"),
        ],
        example: "whereabouts-agent setup --yes --node kitchen --broker mqtt://broker.lan",
        failure: "a test failed, or nothing was written")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let file = try SetupFile(path: arguments.text("--config") ?? SetupFile.defaultPath)
            var answers = try SetupAnswers(arguments)
            var output = StandardOutput()
            let setup = Setup(file: file, environment: environment, isTested: !arguments.has("--untested"))
            if arguments.has("--yes") {
                let faults = answers.missing(besides: file)
                guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
                try setup.checkAll(answers, &output)
                try setup.write(answers, &output, console: nil)
            } else {
                let console = try SetupConsole()
                try SetupDialogue(setup, arguments, console).ask(&answers, &output)
                try setup.write(answers, &output, console: console)
            }
            return Program.finishOutput(&output)
        }
    }
}
