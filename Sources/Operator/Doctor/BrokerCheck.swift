internal import Bytes
internal import MQTT
internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// Checks that the broker accepts this gateway, and that its program is connected there.
final class BrokerCheck {
    /// Seconds for a connection to a single broker.
    static let patience = 5.0
    /// Seconds for a connection to each of several.
    static let share = 3.0
    /// Seconds for retained messages, and for a message of its own to come back.
    static let pause = 1.5
    /// Seconds for a fuser's next claim, which no broker retains.
    static let claimPatience = 4.0

    /// The `info` of a connected agent.
    private(set) var info: NodeInfo?
    /// Its region reports, by topic.
    private(set) var regions: [String: RegionReport] = [:]
    /// The claim of a connected fuser.
    private var claim: Claim?
    private let settings: MQTTSettings
    private let publisher: Publisher?

    /// - Parameter publisher: the program of this configuration; nil if it is unknown.
    init(_ settings: MQTTSettings, _ publisher: Publisher?) {
        self.settings = settings
        self.publisher = publisher
    }

    /// Connects as a guest beside the program, and reads its status. Blocks for some seconds.
    func run(_ log: Log) throws -> [Finding] {
        let loop = try RunLoop()
        var guest = settings
        // The program's own id would take the connection from it.
        guest.clientID = "whereabouts-doctor-\(SystemRandom.epoch())"
        // All that follows the connection may take twice as long.
        let patience = max(Self.patience, Self.share * Double(settings.brokers.count))
        let session = try Session(guest, clientID: "", statusTopic: nil, log: log, patience: patience)
        var status: String?
        var denial: String?
        // Of the other topics that the doctor reads itself.
        var denied: [SubscriptionDenial] = []
        var probe = WriteProbe()
        var trouble: (words: String, cause: MQTTError.Cause)?
        var deadline = MonotonicClock.now() + .seconds(patience)
        let topics = [
            publisher?.infoTopic, publisher?.regionTopics, publisher?.claimTopic, publisher?.statusTopic,
        ].compactMap { $0 }
        // Nil before the first connection.
        var claimDue: MonotonicTime?
        try session.start(subscriptions: topics.map { Subscription($0, qos: .atLeastOnce) })
        while trouble == nil, denial == nil, MonotonicClock.now() < deadline {
            if session.isConnected {
                guard let publisher else { break }
                let now = MonotonicClock.now()
                if status != nil || session.isSubscriptionAnswered,
                    let message = probe.advance(to: now, publisher, status)
                {
                    session.publish(message)
                }
                let awaitsClaim = publisher.claimTopic != nil && status == "online" && claim == nil
                if probe.isOver, !awaitsClaim || claimDue.map({ now >= $0 }) ?? true { break }
            }
            let due = [deadline, probe.isOver ? claimDue : probe.nextDeadline].compactMap { $0 }.min()
            if try loop.wait(readable: [session.descriptor], until: due).shouldEnd { throw Interruption() }
            session.receive { notice in
                switch notice {
                case .message(let message) where message.topic == publisher?.statusTopic:
                    if message.retained || !probe.takes(message) {
                        status = String(decoding: message.payload, as: UTF8.self)
                    }
                case .message(let message) where message.topic == publisher?.infoTopic:
                    info = try? NodeInfo(payload: message.payload.span)
                case .message(let message) where message.topic == publisher?.claimTopic:
                    guard !message.retained else { break }
                    claim = try? Claim(payload: message.payload.span)
                    // A fuser that claims its shards is connected, also where its retained status has not arrived.
                    if status == nil { status = "online" }
                case .message(let message): regions[message.topic] = try? RegionReport(payload: message.payload.span)
                case .trouble(.unreachable(let words, let cause)): trouble = (words, cause)
                case .trouble(.subscriptionDenied(let filter, let words)):
                    if filter == publisher?.statusTopic {
                        denial = words
                    } else {
                        denied.append(SubscriptionDenial(filter: filter, reason: words))
                    }
                case .trouble(.publishRefused(_, let words)): probe.refused(words)
                case .connected:
                    guard claimDue == nil else { break }
                    let now = MonotonicClock.now()
                    (claimDue, deadline) = (now + .seconds(Self.claimPatience), now + .seconds(2 * patience))
                case .subscribed, .subscriptionGranted, .trouble(.statusUnheard), .trouble(.statusReplaced): break
                }
            }
        }
        let isConnected = session.isConnected
        let problems = session.problems
        session.stop(timeout: 1)
        if let trouble { return [ProgramChecks.connectionFault(settings, trouble.words, trouble.cause)] }
        guard isConnected else {
            return [ProgramChecks.connectionFault(settings, "no answer within \(Int(patience)) s", .unreachable)]
        }
        if status != "online" { (info, regions, claim) = (nil, [:], nil) }
        let broker = Finding.ok(.broker, "\(session.broker) takes the connection")
        let state = publisher.map { probe.rightsFinding(of: $0, guest.username) ?? statusFinding($0, status, denial) }
        let told = info?.problems ?? claim?.problems ?? []
        // A fuser without a subscription that its answers rest on serves nothing.
        let isStopped = claim.map { $0.state == .starting && !$0.problems.isEmpty } ?? false
        let denials = ProgramChecks.denials(
            told + SubscriptionDenial.sentences(denied).filter { !told.contains($0) }, isStopped: isStopped)
        return [broker] + problems.map(ProgramChecks.certificateWarning) + (state.map { [$0] } ?? []) + denials
            + ProgramChecks.historyFindings(told)
    }

    private func statusFinding(_ publisher: Publisher, _ status: String?, _ denial: String?) -> Finding {
        let (program, topic) = (publisher.program, publisher.statusTopic)
        if let denial {
            return .warning(
                .agent, "the broker doesn't let \(topic) be read: \(denial)",
                mend: "let its access list grant reading it: every program reads its own status back")
        }
        return ProgramChecks.statusFinding(of: program, topic: topic, status)
    }
}
