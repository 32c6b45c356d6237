internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System

/// The questions of a setup, each of which is tested before the next.
struct SetupDialogue {
    private let setup: Setup
    private let arguments: Arguments
    private let console: SetupConsole

    init(_ setup: Setup, _ arguments: Arguments, _ console: SetupConsole) {
        (self.setup, self.arguments, self.console) = (setup, arguments, console)
    }

    private var file: SetupFile { setup.file }

    /// Asks for what no option gave, until the tests succeed or their failure is accepted.
    func ask(_ answers: inout SetupAnswers, _ output: inout StandardOutput) throws {
        console.show("An empty answer takes what stands in brackets.\n")
        if answers.node == nil { try askNode(&answers) }
        if answers.room == nil {
            answers.room = try console.ask(
                "Room that it stands in", default: file.room ?? answers.node, SetupAnswers.complaint)
        }
        var isFirst = true
        while true {
            if !(isFirst && arguments.has("--broker")) { try askBroker(&answers) }
            if !(isFirst && arguments.has("--username")) { try askUser(&answers) }
            isFirst = false
            let configuration = try setup.configuration(answers)
            let findings = setup.warnings(of: configuration) + (setup.isTested ? try setup.check(configuration) : [])
            for finding in findings { output.line(finding.text) }
            output.flush()
            guard let fault = findings.first(where: { $0.verdict == .fault }) else { break }
            if try console.confirm("Keep it all the same?", default: false) { break }
            if fault.check == .agent {
                isFirst = true
                let former = answers.node
                try askNode(&answers)
                if answers.room == former { answers.room = answers.node }
            }
        }
        guard setup.isTested else { return }
        let radio = setup.radio(try setup.configuration(answers))
        output.line(radio.text)
        output.flush()
        if radio.verdict == .fault, try !console.confirm("Write it all the same?", default: false) {
            throw ProgramFault("nothing was written")
        }
    }

    private func askNode(_ answers: inout SetupAnswers) throws {
        let host = ProcessEnvironment.hostName.lowercased()
        let proposal = file.node ?? (SetupAnswers.complaint(host) == nil ? host : nil)
        answers.node = try console.ask("Name of this gateway", default: proposal, SetupAnswers.complaint)
    }

    private func askBroker(_ answers: inout SetupAnswers) throws {
        let former = (answers.broker ?? file.broker)?.description
        let text = try console.ask("Broker, such as broker.lan or mqtts://broker.lan", default: former) { text in
            do throws(BrokerURL.Fault) {
                _ = try SetupAnswers.broker(text)
                return nil
            } catch {
                return error.message.hasPrefix("expected ") ? String(error.message.dropFirst(9)) : error.message
            }
        }
        answers.broker = try SetupAnswers.broker(text)
        guard answers.broker?.isSecure == true, !arguments.has("--ca-file") else { return }
        let authorities = try console.ask(
            "File of the broker's authority, - for those of the system", default: file.authorities ?? "-"
        ) { path in
            path == "-" || path.hasPrefix("credential:") || path == file.authorities || PrivateFiles.exists(path)
                ? nil : "the path of a file that is there"
        }
        if authorities != file.authorities {
            answers.authorities = authorities == "-" ? "" : SetupAnswers.absolute(authorities)
        }
    }

    private func askUser(_ answers: inout SetupAnswers) throws {
        let former = answers.username ?? file.username ?? ""
        let username = try console.ask("User at the broker, - for none", default: former.isEmpty ? "-" : former)
        answers.username = username == "-" ? "" : username
        guard username != "-", !arguments.has("--password-file") else { return }
        let isKept = username == file.username && file.passwordFile != nil
        let password = try console.askSecret(
            "Password of \(username), unseen\(isKept ? "; an empty one keeps \(file.passwordFile ?? "")" : "")")
        answers.password = password.text.isEmpty ? nil : .typed(password)
    }
}
