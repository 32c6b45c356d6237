internal import Bytes
internal import MQTT
internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// `range` from a broker: the beacons near all nodes, or near one of them.
final class RangeBroker {
    /// The time between two readings of the clock, and between two drawings of the table.
    private static let look: Duration = .milliseconds(250)
    /// Seconds without a connection, or without a node that is online, after which the attempt is given up.
    private static let patience = 10.0

    private let options: RangeOptions
    private let broker: String
    private let topics: Topics
    private let log: Log
    private let loop: RunLoop
    private let session: Session
    private var table: RangeTable
    private var roll: NodeRoll
    private var screen: RangeScreen
    private let started: Timestamp
    /// The time at which the broker accepted the first connection.
    private var begun: Timestamp?
    /// The time at which a node was online first.
    private var met: Timestamp?

    init(_ choice: BrokerChoice, _ options: RangeOptions, environment: [String: String]) throws {
        self.options = options
        broker = "\(choice.mqtt.url)"
        topics = Topics(prefix: choice.topicPrefix)
        log = Log(environment: environment)
        Program.logWarnings(choice.warnings, log)
        loop = try RunLoop()
        session = try Session(
            choice.mqtt, clientID: "whereabouts-range-\(SystemRandom.epoch())", statusTopic: nil, log: log,
            patience: Self.patience)
        table = RangeTable(names: options.names, showsAll: options.showsAll)
        roll = NodeRoll(only: options.node)
        screen = RangeScreen(RangeView(showsNodes: true), options, environment: environment)
        started = Self.monotonicNow()
    }

    /// Runs until it is over or a signal arrives. Returns the exit status; throws the reason for which there is nothing
    /// to show.
    func run() throws -> Int32 {
        // The table has the terminal to itself, and shows the same in its own lines.
        if screen.isLive { log.level = .error }
        try session.start(
            subscriptions: [
                // With QoS 1 a broker would queue only so many of the retained entries.
                Subscription(topics.allItems("config"), qos: .atMostOnce),
                Subscription(topics.allWindows(node: options.node ?? "+"), qos: .atMostOnce),
                Subscription(topics.allNodes("status"), qos: .atLeastOnce),
                Subscription(topics.allNodes("info"), qos: .atLeastOnce),
                Subscription(topics.allNodes("scan"), qos: .atMostOnce),
            ])
        var due = started
        while screen.isOpen {
            let wait = max(.zero, due.duration(since: Self.monotonicNow()))
            let isAsked = try loop.wait(readable: [session.descriptor], until: MonotonicClock.now() + wait).shouldEnd
            let time = Self.monotonicNow()
            session.receive { receiveNotice($0, at: time) }
            guard isAsked || time >= due else { continue }
            due = time.advanced(by: Self.look)
            if !session.isConnected { roll.disconnect() }
            let obstacle = roll.obstacle(at: time, broker: broker)
            showRows(obstacle, at: time)
            if isAsked || isOver(obstacle, at: time) { break }
        }
        session.stop(timeout: 1)
        return try finish(at: Self.monotonicNow())
    }

    private func receiveNotice(_ notice: Session.Notice, at time: Timestamp) {
        switch notice {
        case .connected:
            roll.connect(at: time)
            begun = begun ?? time
        case .message(let message):
            let kind = topics.kind(of: message.topic)
            if case .itemConfig(let item) = kind { return table.receive(message.payload.span, of: item) }
            guard case .window = kind else { return roll.receive(kind, message.payload, at: time) }
            guard let window = try? Window(payload: message.payload.span) else { return }
            if let row = table.receive(window, at: time) { screen.printRow(row) }
        case .subscribed, .subscriptionGranted, .trouble: break
        }
    }

    private func showRows(_ obstacle: String?, at time: Timestamp) {
        let online = roll.online.isEmpty ? "" : ", heard by \(roll.online.joined(separator: ", "))"
        screen.update(
            table.rows(at: time), title: "\(broker), \(LocalTime.clock(WallClock.now()))\(online)",
            notices: (obstacle.map { [$0] } ?? []) + roll.notices(at: time))
        // The session logs the connection itself, and a single table ends with the obstacle.
        if let obstacle, !screen.isLive, !options.isOnce, begun != nil { log.logChange("obstacle", .warning, obstacle) }
    }

    private func isOver(_ obstacle: String?, at time: Timestamp) -> Bool {
        // The broker never answered, or no node came: one that was started just before may need some seconds.
        let isHopeless = (roll.connectedFor(at: time) ?? time.seconds(since: started)) > Self.patience
        if let length = options.length {
            return begun.map { time.seconds(since: $0) >= length.seconds } ?? isHopeless
        }
        guard options.isOnce else { return false }
        if obstacle != nil { return isHopeless }
        if !roll.online.isEmpty { met = met ?? time }
        guard let met else { return false }
        // Right after an agent's start the first intervals may be empty.
        let isHeard = table.hidden > 0 || !table.rows(at: time).isEmpty
        return roll.isComplete && isHeard || time.seconds(since: met) > roll.longestWait
    }

    private func finish(at time: Timestamp) throws -> Int32 {
        let rows = table.rows(at: time)
        if rows.isEmpty, let obstacle = roll.obstacle(at: time, broker: broker) {
            _ = screen.finish(rows)
            throw ProgramFault(obstacle)
        }
        for notice in roll.notices(at: time) { RangeCommand.printNote(notice) }
        try RangeCommand.finish(&screen, rows, hidden: table.hidden)
        return 0
    }

    /// The time on a clock that nobody sets.
    private static func monotonicNow() -> Timestamp { Timestamp(microseconds: MonotonicClock.now().nanoseconds / 1000) }
}
