internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// The fuser for `learn`, `why` and other questions: it is online, and receives their commands over the broker.
struct FuserDesk {
    /// The options that select broker and fuser.
    static let options =
        BrokerChoice.houseOptions + [
            CommandOption(
                "--fuser", .text("NAME"),
                help:
                    "the fuser to ask; default: the one that serves the item or that the file names, or the only one online"
            )
        ]

    let exchange: Exchange
    private(set) var fuser: String
    /// All fusers that are online, and those that published that they are not.
    let online: [String], offline: [String]
    private(set) var names: NameBook
    private let topics: Topics
    private let author: Author
    private var question: Question

    /// Finds the broker and the fuser by a command's options, and waits until answers can arrive.
    ///
    /// - Parameters:
    ///   - item: the item or person that the command is about: of several fusers the one that serves it is asked.
    ///   - asksAll: true if the command is for all fusers that are online, one after the other; `fuser` is the first.
    init(
        _ arguments: Arguments, name: String, environment: [String: String], item: String? = nil, asksAll: Bool = false
    ) throws {
        let choice = try BrokerChoice.find(arguments, environment: environment)
        let log = Log(environment: environment)
        Program.logWarnings(choice.warnings, log)
        // Failures are reported by the command itself.
        log.level = .error
        topics = Topics(prefix: choice.topicPrefix)
        exchange = try Exchange(choice.mqtt, topics: topics, name: name, log: log)
        names = NameBook(configuration: choice.origin, environment: environment)
        let statuses = try exchange.retained([topics.allFusers("status")])
        (online, offline) = Self.splitStatuses(statuses, topics)
        var wanted = arguments.text("--fuser") ?? (asksAll ? online.first : nil)
        if wanted == nil, online.count > 1, let item {
            wanted = Self.servingFuser(try exchange.retained([topics.location(item)]), online)
        }
        wanted = wanted ?? Self.configuredName(in: choice.origin, environment)
        fuser = try Self.chooseFuser(
            online, wanted: wanted, isNamed: arguments.has("--fuser"), broker: "\(choice.mqtt.url)")
        author = Author(of: choice.mqtt, environment: environment)
        question = try Question(to: .fuser(fuser), topics, exchange, by: author)
    }

    /// Continues with another fuser.
    mutating func switchFuser(to fuser: String) throws {
        question = try Question(to: .fuser(fuser), topics, exchange, by: author)
        self.fuser = fuser
    }

    /// Adopts the name in an item's entry, if it has one.
    mutating func learnName(of item: String) throws {
        for message in try exchange.retained([topics.itemConfig(item)]) {
            names.adoptConfig(message.payload.span, of: item)
        }
    }

    /// The fuser's answer; throws its reason if it cannot do it.
    func ask(_ action: FuserCommand.Action, within seconds: Double = Exchange.patience) throws -> FuserResult {
        let answer = try answer(to: action, within: seconds)
        if case .failed(let reason) = answer.answer { throw ProgramFault(reason) }
        return answer
    }

    /// True if the fuser's status is `online`; false, too, while the broker considers its connection lost.
    func isOnline() throws -> Bool {
        try exchange.retained([topics.fuserStatus(fuser)]).contains { $0.payload == Array("online".utf8) }
    }

    /// The fuser's answer, failures included.
    func answer(
        to action: FuserCommand.Action, within seconds: Double = Exchange.patience
    ) throws -> FuserResult {
        let command = FuserCommand(id: SystemRandom.epoch(), action: action)
        let answer = try question.ask(command.payload, action.right, within: seconds) { payload in
            (try? FuserResult(payload: payload.span)).flatMap { $0.id == command.id ? $0 : nil }
        }
        guard let answer else {
            throw ProgramFault(
                "fuser '\(fuser)' did not answer: is it still running, as new as this tool, and may it read its commands?"
            )
        }
        return answer
    }

    // MARK: Choice of the fuser

    /// The fuser that published a retained location; nil if it is not online.
    private static func servingFuser(_ locations: [Message], _ online: [String]) -> String? {
        locations.compactMap { (try? Location(payload: $0.payload.span))?.fuser }.first(where: online.contains)
    }

    /// The fuser of the configuration that named the broker; nil if that is no fuser's.
    private static func configuredName(in path: String, _ environment: [String: String]) -> String? {
        (try? FuserConfiguration.load(path: path, environment: environment))?.name
    }

    /// The fusers of retained statuses: those that are online, and the others.
    private static func splitStatuses(_ statuses: [Message], _ topics: Topics) -> ([String], [String]) {
        var (online, offline): ([String], [String]) = ([], [])
        for message in statuses {
            guard case .fuserStatus(let name) = topics.kind(of: message.topic) else { continue }
            if message.payload == Array("online".utf8) { online.append(name) } else { offline.append(name) }
        }
        return (online.sorted(), offline.sorted())
    }

    private static func chooseFuser(
        _ online: [String], wanted: String?, isNamed: Bool, broker: String
    ) throws(ProgramFault) -> String {
        if let wanted, online.contains(wanted) { return wanted }
        let list = online.joined(separator: ", ")
        if isNamed, let wanted {
            throw ProgramFault(
                "fuser '\(wanted)' is not online at \(broker); "
                    + (online.isEmpty ? "none is: start whereabouts-fuser" : "online are \(list)"))
        }
        guard let only = online.first else {
            throw ProgramFault("no fuser is online at \(broker): start whereabouts-fuser with this broker")
        }
        guard online.count == 1 else {
            throw ProgramFault("several fusers are online: choose by --fuser one of \(list)")
        }
        return only
    }
}
