internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System

/// `whereabouts enroll`: keys or passwords for a fleet, in a folder to carry to each machine.
enum EnrollCommand {
    /// The options that name the fleet's folder and what opens its authority's key.
    static let folderOptions = [
        CommandOption("--fleet", .text("FOLDER"), help: "where the fleet's keys lie, default fleet; keep it safe"),
        CommandOption("--passphrase-file", .text("FILE"), help: "what protects the authority's key"),
    ]

    /// Its syntax.
    static let command = Command(
        "whereabouts enroll",
        summary: "Make a key and a certificate, or a password, for each gateway, with its configuration.",
        positionals: .init("NODE", 0...10_000, help: "ids of gateways"),
        options: [
            CommandOption("--broker", .text("URL"), help: "the broker, as gateways reach it"),
            CommandOption("--list", .text("FILE"), help: "further gateways: a line each, with the room after the id"),
            CommandOption("--fuser", .text("NAME"), repeats: true, help: "a fuser; its user is fuser-NAME"),
            CommandOption("--user", .text("NAME"), repeats: true, help: "a person or another program"),
            CommandOption(
                "--broker-host", .text("HOST"), repeats: true,
                help: "a name or address of the broker, for a certificate of its own"),
            CommandOption("--password", help: "passwords in place of certificates"),
            CommandOption("--request", help: "keys and requests, for another authority to sign"),
            CommandOption("--days", .integer("N", 1...7300), help: "how long certificates hold, default 730"),
            CommandOption("--json", help: "print an object a line: name, folder"),
            CommandOption("--renew", help: "new keys for who is enrolled already; configurations stay"),
        ] + folderOptions,
        example: "whereabouts enroll kitchen hall --fuser main --user anna --broker mqtts://broker.lan")

    /// Runs it with the words after its name, and returns the exit status. Nothing is made if there is a fault.
    static func run(_ words: [String]) -> Int32 {
        Program.run(command, words) { arguments in
            let folder = FleetFolder(path: arguments.text("--fleet") ?? "fleet")
            let (members, url) = try readMembers(arguments, folder)
            let proof: Enrolment.Proof =
                arguments.has("--password") ? .password : arguments.has("--request") ? .request : .certificate
            let hosts = arguments.texts("--broker-host")
            let enrolment = Enrolment(
                folder: folder, url: url, proof: proof, days: arguments.integer("--days") ?? 730,
                passphrase: try passphrase(arguments), now: WallClock.now())
            var output = StandardOutput()
            let progress = Progress("making keys", total: Double(members.count))
            defer { progress.end() }
            try enrolment.enroll(members, brokerHosts: hosts) { count in
                progress.advance(to: Double(count))
            } tell: { name, place in
                // Keys are what takes time; from the first folder on its lines show the progress.
                progress.end()
                output.line(
                    arguments.has("--json")
                        ? JSONLine.text { json in
                            json.field("name", name)
                            json.field("folder", place)
                        } : "made  \(name)  \(place)")
            }
            return Program.finishOutput(&output)
        }
    }

    /// The contents of a file of `--passphrase-file`, without the line end that closes it.
    static func passphrase(_ arguments: Arguments) throws -> [UInt8]? {
        guard let file = arguments.text("--passphrase-file") else { return nil }
        let bytes = try WholeFile.read(file, bound: 1024).prefix { $0 != 0x0A && $0 != 0x0D }
        guard bytes.count >= 4 else { throw ProgramFault("the passphrase in \(file) is shorter than four bytes") }
        return Array(bytes)
    }

    private static func readMembers(_ arguments: Arguments, _ folder: FleetFolder) throws -> ([Member], BrokerURL?) {
        var faults: [String] = []
        var members = arguments.positionals.map { Member.node($0, room: nil) }
        if let file = arguments.text("--list") {
            let list = MemberList.read(String(decoding: try WholeFile.read(file, bound: 1 << 20), as: UTF8.self))
            members += list.nodes
            faults += list.faults.map { "\(file):\($0.line): \($0.words)" }
        }
        members += arguments.texts("--fuser").map { .fuser($0) } + arguments.texts("--user").map { .user($0) }
        faults += members.compactMap(\.complaint)
        var seen: Set<String> = []
        for member in members where !seen.insert(member.name).inserted {
            faults.append("'\(member.name)' is named twice")
        }
        if !arguments.has("--renew") {
            for member in members where PrivateFiles.exists(folder.folder(of: member.name)) {
                faults.append("'\(member.name)' is enrolled already; --renew makes new keys")
            }
            if !arguments.texts("--broker-host").isEmpty, PrivateFiles.exists(folder.broker) {
                faults.append("the broker is enrolled already; --renew makes it a new key")
            }
        }
        if members.isEmpty, arguments.texts("--broker-host").isEmpty { faults.append("name whom to enroll") }
        var url: BrokerURL?
        do throws(BrokerURL.Fault) {
            url = try arguments.text("--broker").map { text throws(BrokerURL.Fault) in try BrokerURL(text) }
        } catch {
            faults.append("--broker: \(error.message)")
        }
        let isProgram = members.contains { if case .user = $0 { false } else { true } }
        if isProgram, arguments.text("--broker") == nil {
            faults.append("--broker URL is missing: where members connect to")
        }
        if arguments.has("--password"), arguments.has("--request") {
            faults.append("--password or --request: one of the two")
        }
        if let url, !url.isSecure, !arguments.has("--password") {
            faults.append("certificates need mqtts://; with mqtt:// take --password")
        }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
        return (members, url)
    }
}
