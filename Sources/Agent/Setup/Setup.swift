internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// A setup of a gateway: its file, the tests of answers, and the writing.
final class Setup {
    let file: SetupFile
    let isTested: Bool
    private let environment: [String: String]
    /// A file with a password that was typed, for the tests alone.
    private var draft: String?

    init(file: SetupFile, environment: [String: String], isTested: Bool) {
        self.file = file
        self.isTested = isTested
        // The service is started with another environment; the source alone decides what is tested.
        self.environment = environment.filter { ["WHEREABOUTS_SOURCE", "CREDENTIALS_DIRECTORY"].contains($0.key) }
    }

    deinit {
        removeDraft()
    }

    // MARK: Tests

    /// The configuration with the answers; throws every fault of the file that results.
    func configuration(_ answers: SetupAnswers) throws -> AgentConfiguration {
        removeDraft()
        var passwordFile = file.ownPasswordFile
        if case .typed(let secret)? = answers.password {
            passwordFile = "\(passwordFile).\(SystemRandom.epoch())"
            try PrivateFiles.write(secret.bytes, to: passwordFile)
            draft = passwordFile
        }
        let text = try file.edited(answers, passwordFile: passwordFile)
        do throws(ConfigurationFaults) {
            return try AgentConfiguration.load(bytes: text.bytes, file: file.path, environment: environment)
        } catch {
            // Nothing is written: a fault that was there before is at its place of before.
            let former = faults(of: file.text)
            throw ConfigurationFaults(
                error.faults.map { fault in former.first { $0.message == fault.message } ?? fault })
        }
    }

    private func faults(of text: ConfigurationText) -> [ConfigurationFault] {
        do throws(ConfigurationFaults) {
            _ = try AgentConfiguration.load(bytes: text.bytes, file: file.path, environment: environment)
            return []
        } catch {
            return error.faults
        }
    }

    /// Tests everything; throws if a test fails.
    func checkAll(_ answers: SetupAnswers, _ output: inout StandardOutput) throws {
        let configuration = try configuration(answers)
        let findings = try warnings(of: configuration) + (isTested ? check(configuration) + [radio(configuration)] : [])
        for finding in findings { output.line(finding.text) }
        output.flush()
        guard !findings.contains(where: { $0.verdict == .fault }) else {
            throw ProgramFault("nothing was written: a test failed; --untested writes without the tests")
        }
    }

    /// The findings of a configuration that is right.
    func warnings(of configuration: AgentConfiguration) -> [Finding] {
        configuration.warnings.map { .warning(.configuration, "\($0)", mend: "mend it there") }
    }

    /// Tests that the broker takes the connection, and that no other gateway has the name there. Blocks for some seconds.
    func check(_ configuration: AgentConfiguration) throws -> [Finding] {
        let (settings, node) = (configuration.mqtt, configuration.node)
        let topics = Topics(prefix: configuration.topicPrefix)
        var guest = settings
        // The id of the agent that may run here would take the connection from it.
        guest.clientID = nil
        let exchange = try Exchange(guest, topics: topics, name: "setup", log: Log(environment: [:], level: .error))
        defer { exchange.end() }
        var accepted: Finding { .ok(.broker, "\(exchange.broker) takes the connection") }
        do {
            let status = try exchange.retained([topics.nodeStatus(node)]).first
            let isOnline = status.map { String(decoding: $0.payload, as: UTF8.self) == "online" } ?? false
            guard isOnline, node != file.node else {
                return [accepted, .ok(.agent, "no other gateway called '\(node)' is connected there")]
            }
            return [
                accepted,
                .fault(
                    .agent, "a gateway called '\(node)' is connected there already",
                    mend: "give another name, or end that one first"),
            ]
        } catch let fault as ProgramFault {
            if let connection = fault.connection {
                return [ProgramChecks.connectionFault(settings, connection.reason, connection.cause)]
            }
            return [
                accepted,
                .warning(
                    .agent, fault.description,
                    mend: "let its access list grant reading it: every program reads its own status back"),
            ]
        }
    }

    /// Tests that there is an adapter.
    func radio(_ configuration: AgentConfiguration) -> Finding {
        guard case .hci(let name) = configuration.source else {
            return .ok(.adapter, "\(configuration.source) needs none")
        }
        return AdapterCheck.run(name)
    }

    // MARK: Writing

    /// Shows what changes, and writes it, if a console's user agrees.
    func write(_ answers: SetupAnswers, _ output: inout StandardOutput, console: SetupConsole?) throws {
        let target = file.ownPasswordFile
        let text = try file.edited(answers, passwordFile: target)
        let differences = file.differences(to: text)
        var password: Secret?
        if case .typed(let secret)? = answers.password { password = secret }
        guard !differences.isEmpty || password != nil else {
            output.line("\(file.path) says so already: nothing was written")
            return
        }
        output.line("\(file.path):")
        for line in differences { output.line("  \(line)") }
        if password != nil { output.line("\(target): the password") }
        output.flush()
        if let console, try !console.confirm("Write it?", default: true) { throw ProgramFault("nothing was written") }
        if let password {
            try PrivateFiles.replace(password.bytes + [0x0A], at: target, like: target, sharedWith: SetupFile.group)
        }
        if !differences.isEmpty { try file.write(text) }
        output.line(
            "written" + (differences.isEmpty || file.former == nil ? "" : "; the former file is \(file.formerPath)"))
        output.line("next: " + nextCommand)
    }

    private var nextCommand: String {
        file.path == SetupFile.defaultPath
            ? "systemctl restart whereabouts-agent" : "whereabouts-agent --config \(file.path)"
    }

    private func removeDraft() {
        if let draft { try? PrivateFiles.remove(draft) }
        draft = nil
    }
}
