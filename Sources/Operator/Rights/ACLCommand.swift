internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts acl`: the rights of each user at the broker, from the fleet's own configurations.
enum ACLCommand {
    /// Its syntax.
    static let command = Command(
        "whereabouts acl", summary: "Print the least rights of each program and person at the broker.",
        positionals: .init("FILE", 1...10_000, help: "configurations of agents and fusers"),
        options: AccessRole.people.map { name, role in
            CommandOption("--\(name)", .text("USER"), repeats: true, help: roleHelp(role("")))
        } + [
            CommandOption(
                "--json", help: "print an object a line in place of an acl_file: user, rules of right and topic"),
            CommandOption("--dynamic-security", help: "print the JSON of mosquitto's plugin in place of an acl_file"),
            CommandOption(
                "--nats", help: "print the authorization of nats-server, by certificates, in place of an acl_file"),
            CommandOption(
                "--bind-client-ids",
                help: "with --dynamic-security: a program's user connects with its program's client id alone"),
            CommandOption(
                "--passwords", .text("FILE"), help: "a file of mosquitto_passwd, for the clients of --dynamic-security"),
        ],
        example: "whereabouts acl fleet/kitchen/agent.yaml fuser.yaml --administrator anna")

    /// The largest file of passwords, in bytes.
    private static let passwordBound = 1 << 24

    /// Runs it with the words after its name, and returns the exit status. Remarks go to standard error.
    static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            let isDynamic = arguments.has("--dynamic-security")
            try checkArguments(arguments, isDynamic)
            let programs = try readPrograms(arguments.positionals)
            let list = AccessList(programs, people: readPeople(arguments))
            if arguments.has("--nats") { try checkNATS(list, programs) }
            var remarks = StandardOutput(descriptor: 2)
            for remark in list.remarks { remarks.line("whereabouts acl: \(remark)") }
            var output = StandardOutput()
            if isDynamic {
                let (passwords, others) = try readPasswords(arguments.text("--passwords"))
                for line in others {
                    remarks.line("whereabouts acl: line \(line) of --passwords is left out: no $7$ hash")
                }
                let bindsClientIDs = arguments.has("--bind-client-ids")
                if bindsClientIDs, !list.unboundUsers.isEmpty {
                    let names = list.unboundUsers.joined(separator: ", ")
                    remarks.line("whereabouts acl: not bound to one client id, and able to take any: \(names)")
                }
                output.line(list.dynamicSecurity(passwords, bindsClientIDs: bindsClientIDs))
            } else if arguments.has("--json") {
                for user in list.users { output.line(json(of: user)) }
            } else {
                (arguments.has("--nats") ? list.natsLines : list.mosquittoLines).forEach { output.line($0) }
            }
            remarks.flush()
            return Program.finishOutput(&output)
        }
    }

    private static func json(of user: AccessList.User) -> String {
        JSONLine.text { json in
            json.field("user", user.name)
            json.beginArray("rules")
            for rule in user.rules {
                json.beginObject()
                json.field("right", rule.right.rawValue)
                json.field("topic", rule.filter)
                json.endObject()
            }
            json.endArray()
        }
    }

    private static func roleHelp(_ role: AccessRole) -> String {
        switch role {
        case .operator: "a user who may register, teach, silence and ask"
        case .administrator:
            "a user who may do that, and purge, forget, read the audit, and change settings and versions of nodes"
        case .viewer: "a user who may read rooms, alerts, the registry and states, and change nothing"
        case .homeAssistant: "Home Assistant's user: may read what it shows, and its buttons command"
        case .offers: "a user who may read offers, which hold secrets"
        case .admin: "a user who manages the plugin, with --dynamic-security"
        case .node, .fuser: ""
        }
    }

    private static func checkArguments(_ arguments: Arguments, _ isDynamic: Bool) throws(UsageError) {
        var faults: [String] = []
        if !isDynamic {
            faults = ["--passwords", "--admin", "--bind-client-ids"].filter(arguments.has).map {
                "\($0) goes with --dynamic-security"
            }
        }
        let forms = ["--json", "--dynamic-security", "--nats"].filter(arguments.has)
        if forms.count > 1 { faults.append("\(forms.joined(separator: " or ")): one of them") }
        for (name, _) in AccessRole.people {
            for user in arguments.texts("--\(name)")
            where user.unicodeScalars.contains(where: { $0.value < 0x21 || $0 == ":" }) {
                faults.append("--\(name) takes a user's name without spaces, control characters and ':'")
            }
        }
        for option in ["--operator", "--administrator"] {
            for user in arguments.texts(option) where !Topics.isUser(user) {
                faults.append(
                    "\(option) takes up to \(Topics.userLimit) letters, digits, '.', '_', '-' and '@', since the name "
                        + "is a level of topics; found '\(user)'")
            }
            for user in arguments.texts(option) where CommandSender(.operate, user: user).peer != nil {
                faults.append(
                    "\(option) takes no name that begins with 'peer-', as those of fusers do; found '\(user)'")
            }
        }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
    }

    /// Throws the reasons for which nats-server cannot enforce these rights by certificates.
    private static func checkNATS(
        _ list: AccessList, _ programs: [(file: String, ProgramConfiguration)]
    ) throws(UsageError) {
        var faults = programs.filter { $0.1.mqtt.username != nil }.map { file, _ in
            "\(file) has a 'username', which nats-server refuses beside a certificate: leave it and the password out"
        }
        for name in list.users.map(\.name) where !Topics.isUser(name) {
            faults.append(
                "--nats takes names of up to \(Topics.userLimit) letters, digits, '.', '_', '-' and '@'; found '\(name)'"
            )
        }
        faults += list.natsFaults
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
    }

    /// All configurations, or every fault of all files.
    private static func readPrograms(_ files: [String]) throws(ConfigurationFaults) -> [(String, ProgramConfiguration)]
    {
        var programs: [(String, ProgramConfiguration)] = []
        var faults: [ConfigurationFault] = []
        var sources: [String] = []
        for file in files {
            do throws(ConfigurationFaults) {
                // Their secrets need not be on the machine on which this runs.
                programs.append((file, try ProgramConfiguration.load(path: file, environment: [:], opensFiles: false)))
            } catch {
                faults += error.faults
                sources.append(file)
            }
        }
        guard faults.isEmpty else { throw ConfigurationFaults(faults, sources: sources) }
        return programs
    }

    private static func readPeople(_ arguments: Arguments) -> [(user: String, role: AccessRole)] {
        AccessRole.people.flatMap { name, role in arguments.texts("--\(name)").map { ($0, role($0)) } }
    }

    private static func readPasswords(
        _ file: String?
    ) throws(SystemError) -> (passwords: [String: MosquittoPassword], others: [Int]) {
        guard let file else { return ([:], []) }
        return MosquittoPassword.read(
            String(decoding: try WholeFile.read(file, bound: passwordBound), as: UTF8.self))
    }
}
