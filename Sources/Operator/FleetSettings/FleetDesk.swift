internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// The nodes of a house for the `fleet` commands: their topics, their commands, and the rollout that one operator at a time
/// runs.
final class FleetDesk {
    /// Options of all commands about settings.
    static let options =
        BrokerChoice.houseOptions + [
            CommandOption(
                "--file", .text("FILE"), help: "the desired settings; default: \(SettingsFile.usualName) here")
        ]

    /// Time for which a rollout counts as running after it was renewed last. Longer than a broker takes to restart.
    static let lease = Duration.seconds(30)
    /// Time after which it is renewed.
    static let renewal = Duration.seconds(5)
    /// Seconds for the answer of a node …
    static let patience = 15.0
    /// … and the intervals that pass besides until its `info` shows a setting: the one that it must finish, which may be
    /// two long after another change, and the quarter by which nodes stagger their messages.
    private static let intervals = 2.25
    /// Seconds for all that the broker retains.
    private static let readingPatience = 30.0
    /// Seconds after which it is seen that a wait is over. An end within would lose messages that came at once.
    private static let slice = 0.2
    /// Commands that are sent before the answers are waited for.
    private static let batch = 200

    let topics: Topics
    private let exchange: Exchange
    private let author: Author
    private(set) var nodes: FleetNodes
    private(set) var monitor: FleetMonitor
    /// The fusers that published a claim.
    var fusers: FleetFusers { monitor.fusers }
    /// The rollout on the broker; nil for none.
    private(set) var found: Rollout?
    /// The rollout that this command runs.
    private var own: Rollout?
    private var renewsAt = MonotonicTime.distantPast
    private var answers: [String: CommandResult] = [:]
    private var mustRenew = false
    /// The nodes of the own rollout as the broker returned it last.
    private var confirmed: [Rollout.Node]?

    init(_ arguments: Arguments, environment: [String: String]) throws {
        let choice = try BrokerChoice.find(arguments, environment: environment)
        let log = Log(environment: environment)
        Program.logWarnings(choice.warnings, log)
        // Failures are reported by the command itself.
        log.level = .error
        topics = Topics(prefix: choice.topicPrefix)
        nodes = FleetNodes(topics)
        monitor = FleetMonitor(topics, at: MonotonicClock.now())
        author = Author(of: choice.mqtt, environment: environment)
        exchange = try Exchange(choice.mqtt, topics: topics, name: "fleet", log: log)
    }

    /// Disconnects.
    func end() { exchange.end() }

    /// The desired settings of a command line. Without `--file` a missing file is none.
    static func settings(_ arguments: Arguments, isRequired: Bool) throws -> DesiredSettings? {
        let path = arguments.text("--file") ?? SettingsFile.usualName
        if !isRequired, !arguments.has("--file"), WholeFile.size(path) == nil { return nil }
        return try SettingsFile.load(path: path)
    }

    // MARK: Reading

    /// Reads what the broker retains of the nodes.
    ///
    /// - Parameter isWhole: true to throw where the broker does not show that this was all, as a viewer's rights don't let it.
    func readNodes(isWhole: Bool) throws {
        for message in try exchange.retained(
            FleetNodes.filters(topics), timeout: Self.readingPatience, isWhole: isWhole)
        {
            nodes.receive(message)
        }
        if nodes.nodes.isEmpty { throw ProgramFault("the broker knows no node") }
    }

    /// Reads the rollout that the broker retains; `isWhole` likewise.
    func readRollout(isWhole: Bool) throws {
        let messages = try exchange.retained([topics.rollout], timeout: Self.readingPatience, isWhole: isWhole)
        found = try messages.last.flatMap { message in message.payload.isEmpty ? nil : try rollout(in: message) }
    }

    /// Reads the claims of all fusers, which come every three seconds.
    func readFusers() throws {
        try exchange.listen(FleetFusers.filters(topics))
        try listen(for: 4) { false }
    }

    private func rollout(in message: Message) throws(ProgramFault) -> Rollout {
        do throws(PayloadFault) {
            return try Rollout(payload: message.payload.span)
        } catch {
            throw ProgramFault(
                "\(topics.rollout) holds something that this version can't read (\(error)): is there a newer tool?")
        }
    }

    // MARK: The rollout

    /// Becomes the one operator that changes nodes, or throws by whom that is done already. What an interrupted rollout
    /// of settings had changed becomes part of this one; one of a version leaves it alone, and throws.
    func beginRollout(version: String? = nil) throws {
        try exchange.listen([topics.rollout, topics.commandResult("+")])
        try readRollout(isWhole: true)
        let now = WallClock.now()
        if let found, found.isRunning(at: now) { throw refusal(found) }
        if version != nil, let found, !found.nodes.isEmpty {
            throw ProgramFault(
                "a rollout of settings by \(found.owner) was interrupted: `whereabouts fleet apply` first gives its nodes "
                    + "back what they had")
        }
        var claim = Rollout(
            id: SystemRandom.epoch(), by: author.signature.user, host: author.signature.host, from: now,
            until: now.advanced(by: Self.lease))
        claim.version = version
        claim.nodes = found?.nodes ?? []
        // The first claim in the broker's order wins, and all who claim see one order.
        let first = try exchange.exchange([message(claim)], within: Exchange.patience) { message -> Rollout? in
            guard message.topic == self.topics.rollout, !message.payload.isEmpty,
                let other = try? Rollout(payload: message.payload.span)
            else { return nil }
            return other.id == claim.id || other.isRunning(at: now) ? other : nil
        }
        guard let first else {
            let reason = exchange.refusal(of: topics.rollout).map { ": \($0)" } ?? ""
            throw ProgramFault(
                "the broker does not return \(topics.rollout)\(reason); may this user read and write there? "
                    + "Give the broker the rights of this version (`whereabouts acl`)")
        }
        guard first.id == claim.id else { throw refusal(first) }
        own = claim
        // A claim that was refused may have replaced it on the broker.
        mustRenew = true
    }

    private func refusal(_ other: Rollout) -> ProgramFault {
        ProgramFault(
            "\(other.owner) rolls out \(other.subject) since \(LocalTime.text(other.from).prefix(19)): nothing was changed "
                + "here; wait until that is done")
    }

    /// The nodes that this rollout has changed, with what they had.
    var changed: [Rollout.Node] { own?.nodes ?? [] }

    /// Leaves these nodes alone as changed ones; the others have been given back what they had.
    func keep(_ nodes: [Rollout.Node]) {
        own?.nodes = nodes
        mustRenew = true
    }

    /// Asks the operator whether to begin; throws unless the answer is yes.
    func ask(_ question: String) throws {
        var errors = StandardOutput(descriptor: 2)
        if let found { errors.line(FleetStatus.text(found, at: WallClock.now(), isJSON: false)) }
        errors.write("\(question) [y/N] ")
        errors.flush()
        guard try exchange.line()?.lowercased().hasPrefix("y") == true else {
            throw ProgramFault("nothing was changed")
        }
    }

    /// Publishes that the rollout is over. Nodes that could not be given back what they had stay on the broker, for the
    /// next `fleet apply`.
    func endRollout(keeping nodes: [Rollout.Node]) throws {
        guard var rollout = own else { return }
        own = nil
        rollout.nodes = nodes
        rollout.until = WallClock.now()
        try exchange.publish([nodes.isEmpty ? .clearing(topics.rollout) : message(rollout)])
    }

    private func message(_ rollout: Rollout) -> Message {
        Message(topic: topics.rollout, payload: rollout.payload, qos: .atLeastOnce, retained: true)
    }

    /// The renewal if it is due. Throws if the rollout has expired: another operator may have begun since.
    private func renewals() throws(ProgramFault) -> [Message] {
        guard var rollout = own else { return [] }
        let now = WallClock.now()
        guard rollout.isRunning(at: now) else {
            own = nil
            throw ProgramFault(
                "the rollout could not be renewed for \(Int(Self.lease.seconds)) s, and counts as interrupted"
                    + (rollout.version == nil
                        ? ": `whereabouts fleet apply` gives its nodes back what they had" : ""))
        }
        guard mustRenew || MonotonicClock.now() >= renewsAt else { return [] }
        mustRenew = false
        renewsAt = MonotonicClock.now() + Self.renewal
        rollout.until = now.advanced(by: Self.lease)
        own = rollout
        return [message(rollout)]
    }

    // MARK: Commands

    /// The reason for which a node has not done yet what it was asked.
    struct Delay {
        var words: String
        /// True if it will not do it.
        var isFinal = false

        init(_ words: String, isFinal: Bool = false) { (self.words, self.isFinal) = (words, isFinal) }
    }

    /// Changes settings of nodes, and waits until each has answered and its `info` shows them. Returns the reason for each
    /// node of which that is not so.
    func set(_ changes: [String: NodeChanges]) throws -> [String: String] {
        let longest = changes.keys.map { nodes[$0].info?.window ?? 1 }.max() ?? 1
        return try perform(
            changes.mapValues { .set($0) }, within: Self.patience + Self.intervals * max(1, longest)
        ) { node, answer, _ in
            if answer == nil { return self.silence(of: node) }
            guard let info = self.nodes[node].info, changes[node]?.missing(in: info).isEmpty != false else {
                return Delay("it answered, and its info does not show the settings")
            }
            return nil
        }
    }

    /// The delay of a node that has not answered yet.
    func silence(of node: String) -> Delay { Delay(nodes[node].isOnline ? "it did not answer" : "it went offline") }

    /// Sends commands, and waits until no node has a delay, by its answer and the time since it was asked, or until each one
    /// is final. Returns the delays that are left, in words.
    func perform(
        _ actions: [String: NodeCommand.Action], within seconds: Double,
        _ delay: (String, CommandResult?, Duration) -> Delay?
    ) throws -> [String: String] {
        var faults: [String: String] = [:]
        let ids = actions.keys.sorted()
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            let batch = ids[start...].prefix(Self.batch)
            faults.merge(try perform(batch.map { ($0, actions[$0]!) }, within: seconds, delay)) { $1 }
        }
        return faults
    }

    private func perform(
        _ actions: [(node: String, action: NodeCommand.Action)], within seconds: Double,
        _ delay: (String, CommandResult?, Duration) -> Delay?
    ) throws -> [String: String] {
        var asked: [String: String] = [:]
        let messages = actions.map { node, action in
            let command = NodeCommand(id: SystemRandom.epoch(), action: action)
            asked[node] = command.id
            var message = Message(
                topic: topics.nodeCommand(node, action.right, user: author.level),
                payload: author.signature.sign(command.payload), qos: .atLeastOnce)
            message.responseTopic = exchange.replyTopic
            // A node that comes online later is asked anew.
            message.expiry = UInt32(Self.patience)
            return message
        }
        answers = [:]
        let began = MonotonicClock.now()
        func left(_ node: String, _ id: String) -> Delay? {
            let answer = answers[id]
            if let failure = answer?.answer.failure { return Delay("it answered '\(failure)'", isFinal: true) }
            return delay(node, answer, MonotonicClock.now() - began)
        }
        try listen(for: seconds, sending: messages) { asked.allSatisfy { left($0, $1)?.isFinal != false } }
        return asked.reduce(into: [:]) { $0[$1.key] = left($1.key, $1.value)?.words }
    }

    /// Reads what follows the last answers.
    func settle() throws { try listen(for: 2) { false } }

    /// Records on the broker what nodes have now, before they are changed.
    func record(_ changes: [String: NodeChanges]) throws {
        for (node, change) in changes.sorted(by: { $0.key < $1.key }) {
            guard let info = nodes[node].info else { continue }
            own?.record(change, of: node, info)
        }
        mustRenew = true
        try listen(for: Exchange.patience) { self.confirmed == self.own?.nodes }
        guard confirmed == own?.nodes else {
            throw ProgramFault("the broker does not return \(topics.rollout): nothing more is changed")
        }
    }

    // MARK: Watching

    /// Watches the house for some seconds after nodes were changed, or until one of them is badly ill. Returns what is worse
    /// than before.
    func judge(
        seconds: Double, before: FleetMonitor.Measures, changed: [String]
    ) throws -> [HealthFault] {
        let after = try watch(seconds: seconds) { measures in
            !HealthVerdict.urgentFaults(before: before, after: measures, changed: changed).isEmpty
        }
        let rooms = changed.compactMap { nodes[$0].info?.room }
        return HealthVerdict.faults(before: before, after: after, changed: changed, rooms: rooms)
    }

    /// Subscribes to what the health is measured by.
    func beginWatching() throws {
        try exchange.listen(FleetNodes.filters(topics) + FleetMonitor.filters(topics))
    }

    /// Measures for some seconds, or until `isBad` returns true, which is asked once a second.
    func watch(seconds: Double, until isBad: (FleetMonitor.Measures) -> Bool) throws -> FleetMonitor.Measures {
        monitor.begin(at: MonotonicClock.now(), seconds: seconds)
        let end = MonotonicClock.now() + .seconds(seconds)
        while MonotonicClock.now() < end {
            try listen(for: min(1, (end - MonotonicClock.now()).seconds)) { false }
            monitor.sample(at: MonotonicClock.now())
            if isBad(monitor.measures(of: nodes, at: MonotonicClock.now())) { break }
        }
        return monitor.measures(of: nodes, at: MonotonicClock.now())
    }

    /// Reads messages for some seconds, or until `isOver`, and renews the rollout meanwhile. A broker that is away for less
    /// than the lease is waited for.
    private func listen(for seconds: Double, sending first: [Message] = [], until isOver: () -> Bool) throws {
        let end = MonotonicClock.now() + .seconds(seconds)
        var messages = first
        while true {
            let now = MonotonicClock.now()
            guard now < end, !isOver() else { return }
            do {
                try exchange.waitUntilConnected()
                let sent = try renewals() + messages
                messages = []
                let _: Bool? = try exchange.exchange(sent, within: min(Self.slice, (end - now).seconds)) { message in
                    self.receive(message)
                    return nil
                }
            } catch let fault as ProgramFault where fault.connection != nil {
                // Without a rollout nothing is lost by another try of the operator's.
                guard own != nil else { throw fault }
                monitor.excuseOutage(at: MonotonicClock.now())
            }
        }
    }

    private func receive(_ message: Message) {
        nodes.receive(message)
        monitor.receive(message, at: MonotonicClock.now())
        if message.topic == topics.rollout, let own {
            let rollout = try? Rollout(payload: message.payload.span)
            // One that was refused has left its claim: this one is in force.
            if rollout?.id == own.id { confirmed = rollout?.nodes } else { mustRenew = true }
        }
        // Nodes with MQTT 3.1.1 answer on the topic that all share.
        let isAnswer = if case .commandResult = topics.kind(of: message.topic) { true } else { false }
        guard isAnswer || message.topic == exchange.replyTopic,
            let answer = try? CommandResult(payload: message.payload.span), let id = answer.id
        else { return }
        answers[id] = answer
    }
}
