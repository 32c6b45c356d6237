internal import Bytes
internal import Integrations
internal import BrokerSession
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// `whereabouts forget`: clears the retained messages of a node or a fuser that will not come back.
enum ForgetCommand {
    /// Seconds in which a program that is online answers.
    private static let patience = 5.0

    /// Its syntax.
    static let command = Command(
        "whereabouts forget",
        summary: "Clear what the broker retains of a node or a fuser that is gone for good.",
        positionals: .init(
            "node|fuser NAME", 2...2, firstWords: ["node", "fuser"], help: "which one; it must have ended"),
        options: BrokerChoice.houseOptions + [
            CommandOption("--json", help: "print an object: node or fuser, messages")
        ],
        example: "whereabouts forget node kitchen")

    /// Runs it with the words after its name, and returns the exit status.
    static func run(_ words: [String], environment: [String: String]) -> Int32 {
        Program.run(command, words) { arguments in
            let (kind, name) = (arguments.positionals[0], arguments.positionals[1])
            if let complaint = ItemReader.complaint(id: name) {
                throw UsageError(command: command.name, faults: ["NAME: \(complaint)"])
            }
            let choice = try BrokerChoice.find(arguments, environment: environment)
            let log = Log(environment: environment)
            Program.logWarnings(choice.warnings, log)
            log.level = .error
            let topics = Topics(prefix: choice.topicPrefix)
            let exchange = try Exchange(choice.mqtt, topics: topics, name: "forget", log: log)
            defer { exchange.end() }
            let isNode = kind == "node"
            let statuses = try exchange.retained([isNode ? topics.allNodes("status") : topics.allFusers("status")])
            let status = isNode ? topics.nodeStatus(name) : topics.fuserStatus(name)
            if statuses.contains(where: { $0.topic == status && $0.payload == Array("online".utf8) }) {
                let author = Author(of: choice.mqtt, environment: environment)
                guard try !answerMessages(name, isNode: isNode, topics, exchange, by: author) else {
                    throw ProgramFault("\(kind) '\(name)' is online: end it first")
                }
                var errors = StandardOutput(descriptor: 2)
                errors.line("\(kind) \(name) is said to be online, and does not answer")
                errors.flush()
            }
            var left = try exchange.retained(isNode ? topics.retained(ofNode: name) : [status])
            if !isNode { left += try answerMessages(of: name, topics, exchange) }
            if let prefix = choice.discoveryPrefix {
                let place = DiscoveryPlace(prefix: prefix, topicPrefix: choice.topicPrefix)
                left += try deviceMessages(of: name, isNode: isNode, place, topics, exchange)
            }
            guard !left.isEmpty else {
                let known = statuses.compactMap { topics.kind(of: $0.topic)?.speaker?.name }
                let hint = Spelling.question(name, among: known)
                throw ProgramFault("the broker retains nothing of \(kind) '\(name)'\(hint)")
            }
            if !isNode {
                let others = otherFusersOnline(than: name, statuses, topics)
                if others.isEmpty {
                    left += try exchange.retained([topics.allOccupancies, topics.allItems("telemetry")])
                } else {
                    var errors = StandardOutput(descriptor: 2)
                    errors.line("rooms and readings stay: \(others.joined(separator: ", ")) is online")
                    errors.flush()
                }
            }
            try exchange.publish(
                left.map { Message.clearing($0.topic) })
            var output = StandardOutput()
            if arguments.has("--json") {
                output.line(
                    JSONLine.text { json in
                        json.field(kind, name)
                        json.field("messages", left.count)
                    })
            } else {
                output.line("\(kind) \(name) is forgotten: \(left.count) retained message\(left.count == 1 ? "" : "s")")
            }
            return Program.finishOutput(&output)
        }
    }

    /// The fusers beside `name` whose status is `online`.
    ///
    /// Occupancies and readings do not name the fuser that published them. While another one is online they may be its
    /// own, and it would not notice that they were cleared; without one nobody owns them, and the next to start
    /// publishes its own.
    private static func otherFusersOnline(than name: String, _ statuses: [Message], _ topics: Topics) -> [String] {
        statuses.filter { $0.payload == Array("online".utf8) }
            .compactMap { topics.kind(of: $0.topic)?.speaker?.name }.filter { $0 != name }.sorted()
    }

    /// Its Home Assistant discovery messages; of a fuser also those that no other one owns.
    private static func deviceMessages(
        of name: String, isNode: Bool, _ place: DiscoveryPlace, _ topics: Topics, _ exchange: Exchange
    ) throws -> [Message] {
        if isNode { return try exchange.retained([place.device(DiscoveryPlace.node(name))]) }
        let own = place.device(DiscoveryPlace.fuser(name))
        return try exchange.retained([place.all]).filter { message in
            message.topic == own || DiscoveryDocument.availability(in: message.payload) == [topics.fuserStatus(name)]
        }
    }

    /// True if it answers: the status of a program that went while the broker was off stays `online` for ever.
    private static func answerMessages(
        _ name: String, isNode: Bool, _ topics: Topics, _ exchange: Exchange, by author: Author
    ) throws -> Bool {
        let id = SystemRandom.epoch()
        // No program has this epoch: the answer is that nothing is repeated.
        let command =
            isNode
            ? NodeCommand(id: id, action: .replay(epoch: id, fromSeq: 0)).payload
            : FuserCommand(id: id, action: .replay(epoch: id, fromSeq: 0)).payload
        let question = try Question(to: isNode ? .node(name) : .fuser(name), topics, exchange, by: author)
        return try question.ask(command, .operate, within: patience) { payload in
            let answered =
                isNode ? (try? CommandResult(payload: payload.span))?.id : (try? FuserResult(payload: payload.span))?.id
            return answered == id ? true : nil
        } ?? false
    }

    /// The answers of a fuser for items that no other fuser has published since.
    private static func answerMessages(of fuser: String, _ topics: Topics, _ exchange: Exchange) throws -> [Message] {
        let messages = try exchange.retained(
            [topics.allItems("location"), topics.allItems("alert"), topics.allItems("battery")])
        return messages.flatMap { message -> [Message] in
            let kind = topics.kind(of: message.topic)
            if case .location(let item) = kind, (try? Location(payload: message.payload.span))?.fuser == fuser {
                return [message, Message(topic: topics.room(item), payload: [])]
            }
            if case .itemBattery = kind {
                return (try? BatteryReport(payload: message.payload.span))?.fuser == fuser ? [message] : []
            }
            let isAlert = if case .itemAlert = kind { true } else { false }
            return isAlert && (try? ItemAlerts(payload: message.payload.span))?.fuser == fuser ? [message] : []
        }
    }
}
