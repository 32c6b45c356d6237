internal import BrokerSession
internal import Bytes
internal import CommandLine
internal import Configuration
internal import System
internal import WireProtocol

/// The nodes and fusers of a house for the `fleet` commands: their topics, their commands, and the rollout that one
/// operator at a time runs.
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
    /// Seconds for the answer of a node or a fuser.
    static let patience = 15.0
    /// Seconds for all that the broker retains.
    private static let readingPatience = 30.0
    /// Seconds after which it is seen that a wait is over. An end within would lose messages that came at once.
    private static let slice = 0.2

    let topics: Topics
    private let exchange: Exchange
    private let author: Author
    private(set) var nodes: FleetNodes
    private(set) var monitor: FleetMonitor
    /// The fusers, once they were read.
    var fusers: FleetFusers { monitor.fusers }
    /// The rollout on the broker; nil for none.
    private(set) var found: Rollout?
    /// The rollout that this command runs.
    private var own: Rollout?
    private var renewsAt = MonotonicTime.distantPast
    private var answers: [String: CommandResult] = [:]
    private var mustRenew = false
    /// The changes of the own rollout, as the broker returned it last.
    private var confirmed: RolloutChanges?

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
        try listen(for: HealthVerdict.claimLimit) { false }
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
        try exchange.listen([topics.rollout, topics.commandResult("+"), topics.fuserCommandResult("+")])
        try readRollout(isWhole: true)
        let now = WallClock.now()
        if let found, found.isRunning(at: now) { throw refusal(found) }
        if version != nil, let found, !found.changed.isEmpty {
            throw ProgramFault(
                "a rollout of settings by \(found.owner) was interrupted: `whereabouts fleet apply` first gives back what "
                    + "it changed")
        }
        var claim = Rollout(
            id: SystemRandom.epoch(), by: author.signature.user, host: author.signature.host, from: now,
            until: now.advanced(by: Self.lease))
        claim.version = version
        claim.changed = found?.changed ?? RolloutChanges()
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

    /// The nodes and fusers that this rollout has changed, with what they had.
    var changed: RolloutChanges { own?.changed ?? RolloutChanges() }

    /// Leaves these alone as changed ones; the others have been given back what they had.
    func keep(_ changes: RolloutChanges) {
        own?.changed = changes
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

    /// Publishes that the rollout is over. What could not be given back stays on the broker, for the next
    /// `fleet apply`.
    func endRollout(keeping changes: RolloutChanges = RolloutChanges()) throws {
        guard var rollout = own else { return }
        own = nil
        rollout.changed = changes
        rollout.until = WallClock.now()
        try exchange.publish([changes.isEmpty ? .clearing(topics.rollout) : message(rollout)])
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
                        ? ": `whereabouts fleet apply` gives back what it changed" : ""))
        }
        guard mustRenew || MonotonicClock.now() >= renewsAt else { return [] }
        mustRenew = false
        renewsAt = MonotonicClock.now() + Self.renewal
        rollout.until = now.advanced(by: Self.lease)
        own = rollout
        return [message(rollout)]
    }

    // MARK: Commands

    /// A command that is ready to be sent.
    struct Request {
        /// The node or the fuser that it is for, by name.
        let name: String
        fileprivate let id: String
        fileprivate let message: Message
    }

    /// A command for a node or a fuser, on the topic of this user.
    func request(
        to name: String, _ payload: [UInt8], id: String, on topic: (_ user: String) -> String
    ) -> Request {
        var message = Message(
            topic: topic(author.level), payload: author.signature.sign(payload), qos: .atLeastOnce)
        message.responseTopic = exchange.replyTopic
        // One that comes online later is asked anew.
        message.expiry = UInt32(Self.patience)
        return Request(name: name, id: id, message: message)
    }

    /// Sends commands, and waits until there is no delay, by the answers and the time since they were sent, or until
    /// each one is final. Returns the delays that are left, in words.
    func send(
        _ requests: [Request], within seconds: Double, _ delay: (String, CommandResult?, Duration) -> Delay?
    ) throws -> [String: String] {
        answers = [:]
        let began = MonotonicClock.now()
        func left(_ request: Request) -> Delay? {
            let answer = answers[request.id]
            if let failure = answer?.answer.failure { return Delay("it answered '\(failure)'", isFinal: true) }
            return delay(request.name, answer, MonotonicClock.now() - began)
        }
        try listen(for: seconds, sending: requests.map(\.message)) {
            requests.allSatisfy { left($0)?.isFinal != false }
        }
        return requests.reduce(into: [:]) { $0[$1.name] = left($1)?.words }
    }

    /// Reads what follows the last answers.
    func settle() throws { try listen(for: 2) { false } }

    /// Records on the broker what the members of a stage have now, before they are changed.
    func record(_ stage: RolloutStage) throws {
        own?.record(stage, nodes, fusers)
        mustRenew = true
        try listen(for: Exchange.patience) { self.confirmed == self.own?.changed }
        guard confirmed == own?.changed else {
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

    /// Measures the house before a change, for some seconds. A fuser that may have fallen silent is waited for, until it is
    /// heard or counts as silent: a change that comes later is not to blame.
    func measureBefore(seconds: Double) throws -> FleetMonitor.Measures {
        _ = try watch(seconds: seconds) { _ in false }
        func measures() -> FleetMonitor.Measures { monitor.measures(of: nodes, at: MonotonicClock.now()) }
        try listen(for: HealthVerdict.fuserSilenceLimit) { !HealthVerdict.isUndecided(measures()) }
        return measures()
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
            if rollout?.id == own.id { confirmed = rollout?.changed } else { mustRenew = true }
        }
        // An answer to `set` has one form from nodes and fusers.
        guard isAnswer(message),
            let answer = try? CommandResult(payload: message.payload.span), let id = answer.id
        else { return }
        answers[id] = answer
    }

    /// True for answers. With MQTT 3.1.1 they come on the topics that all share.
    private func isAnswer(_ message: Message) -> Bool {
        if message.topic == exchange.replyTopic { return true }
        let kind = topics.kind(of: message.topic)
        if case .commandResult = kind { return true }
        if case .fuserCommandResult = kind { return true }
        return false
    }
}
