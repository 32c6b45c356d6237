internal import Bytes
public import Configuration
internal import MQTT
public import System
public import WireProtocol

/// A short session of a command with the broker: connect, read retained messages, publish, wait for an answer.
///
/// Every step blocks until it is done or its time is over, and throws a `ProgramFault` with the reason. It belongs to
/// one thread.
///
///     let exchange = try Exchange(choice.mqtt, topics: topics, name: "items", log: log)
///     let configs = try exchange.retained([topics.allItems("config")])
///     try exchange.publish(messages)
///     exchange.end()
public final class Exchange {
    /// The default time limit of a step, in seconds.
    public static let patience = 10.0
    /// The most messages queued at once; the rest waits until the broker has acknowledged them.
    static let batch = 1000
    /// Seconds without a message after which all retained ones count as received, if the broker doesn't return the marks.
    static let lull = 1.0
    /// The most seconds for a whole list.
    static let longestReading = 600.0

    /// The client's own topic, for answers.
    public let replyTopic: String
    /// The URL of the current one of several brokers.
    public var broker: String { session.broker }
    /// The topic of the marks.
    private let markTopic: String
    private let session: Session
    private let loop: RunLoop
    private var hasStarted = false
    private var isConnected = false
    private var marks = 0
    private var refusals: [String: String] = [:]
    /// The reason for which the broker denies reading the topic of answers; nil if it does not.
    private var answerDenial: String?
    /// The words for how it denies the topic of marks, so that no list is known to be whole; nil if it does not.
    private var markDenial: String?
    /// Messages that came at once with the one that ended a wait, for the next wait.
    private var backlog: [Message] = []
    /// The bytes of standard input that weren't returned yet.
    private var typed: [UInt8] = []

    /// An exchange that isn't connected yet.
    ///
    /// - Parameters:
    ///   - name: the base of the client id and the reply topic.
    ///   - marks: the topic of the marks of `retained`, for a user that may not read the reply topic.
    public init(_ settings: MQTTSettings, topics: Topics, name: String, log: Log, marks: String? = nil) throws {
        let client = "whereabouts-\(name)-\(SystemRandom.epoch())"
        loop = try RunLoop()
        session = try Session(settings, clientID: client, statusTopic: nil, log: log, patience: Self.patience)
        replyTopic = topics.replies(client)
        markTopic = marks ?? replyTopic
        session.silentFilters = [replyTopic, markTopic]
    }

    /// All messages that the broker retains for these filters, in order of arrival; the last message of each topic
    /// once.
    ///
    /// A mark separates them from later messages: a message of our own, sent once the broker has answered the subscriptions,
    /// which it can only return after the retained ones. If the mark may not return, the end is a second without any other
    /// message.
    ///
    /// - Parameters:
    ///   - timeout: the time limit in seconds; of a whole list the longest pause between two retained messages.
    ///   - isWhole: true for a list that must not lack anything: without the mark it throws, since a broker that is
    ///     busy may pause for a second.
    public func retained(
        _ filters: [String], timeout: Double = patience, isWhole: Bool = false
    ) throws -> [Message] {
        let (messages, isComplete) = try read(filters, timeout, isWhole: isWhole)
        if isWhole, !isComplete { throw markFault(timeout) }
        return messages
    }

    /// The messages that `retained` returns for a whole list, and the reason for which entries may be missing; nil if none is.
    public func retainedSoFar(
        _ filters: [String], timeout: Double = patience
    ) throws -> (messages: [Message], doubt: ProgramFault?) {
        let (messages, isComplete) = try read(filters, timeout, isWhole: true)
        return (messages, isComplete ? nil : markFault(timeout))
    }

    /// Publishes messages and waits until the broker has acknowledged those of QoS 1.
    public func publish(_ messages: [Message], timeout: Double = patience) throws {
        try connect(timeout)
        var rest = messages[...]
        while !rest.isEmpty {
            for message in rest.prefix(Self.batch) where !session.publish(message) {
                // Pictures fill the queue before a batch is complete.
                guard session.waitUntilUnsent(below: 1, timeout: timeout), session.publish(message) else {
                    throw ProgramFault("\(broker): the message on \(message.topic) could not be sent")
                }
            }
            rest = rest.dropFirst(Self.batch)
            guard session.waitUntilUnsent(below: 1, timeout: timeout) else {
                throw ProgramFault("\(broker) did not acknowledge within \(Int(timeout)) s")
            }
        }
        try receive { _ in }
        if let (topic, reason) = refusals.min(by: { $0.key < $1.key }) {
            throw ProgramFault("\(broker) refused a message on \(topic): \(reason)", isRefusal: true)
        }
    }

    /// Adds subscriptions, for later answers. Doesn't wait for their retained messages.
    public func listen(_ filters: [String]) throws {
        try connect(Self.patience)
        try session.subscribe(filters.map { Subscription($0, qos: .atLeastOnce) })
    }

    /// Publishes a request, and passes each later message to `body` until it returns a value; nil if none arrived in
    /// time. Unlike after `publish`, a message before the broker's acknowledgement isn't missed.
    public func request<Value>(
        _ message: Message, within timeout: Double, _ body: (Message) -> Value?
    ) throws -> Value? {
        // The answer is of no use later.
        var message = message
        message.expiry = message.expiry ?? UInt32(max(1, min(timeout, 3600)))
        let answer = try exchange([message], within: timeout, body)
        // An answer may come on the topic that all share, with MQTT 3.1.1 always.
        if answer == nil, let answerDenial {
            throw ProgramFault("\(broker) denied reading \(replyTopic): \(answerDenial); ask as an operator")
        }
        if answer == nil, let reason = refusals[message.topic] {
            throw ProgramFault("\(broker) refused a message on \(message.topic): \(reason)")
        }
        return answer
    }

    /// Waits for a connection. Where it throws, nothing is lost by another try.
    public func waitUntilConnected(timeout: Double = patience) throws { try connect(timeout) }

    /// Publishes messages as they are, perhaps none, and passes each later one to `body` until it returns a value; nil if
    /// it returned none in time. No message is missed between two calls.
    public func exchange<Value>(
        _ messages: [Message], within timeout: Double, _ body: (Message) -> Value?
    ) throws -> Value? {
        try connect(Self.patience)
        for message in messages {
            refusals[message.topic] = nil
            guard session.publish(message) else {
                throw ProgramFault("\(broker): the message on \(message.topic) could not be sent")
            }
        }
        return try waitForMessage(timeout, lull: nil, body)
    }

    /// The reason for which the broker refused the last message on a topic; nil if it did not, or says no reasons.
    public func refusal(of topic: String) -> String? { refusals[topic] }

    /// Waits for this number of seconds; messages that arrive meanwhile are ignored.
    public func pause(_ seconds: Double) throws {
        _ = try waitForMessage(seconds, lull: nil) { _ in Bool?.none }
    }

    /// The next line of standard input, without its end; nil at the end of input. Messages that arrive meanwhile are
    /// ignored.
    ///
    /// Unlike `readLine` it reacts to signals, which the loop blocks everywhere else.
    public func line() throws -> String? {
        while true {
            if let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
                defer { typed.removeFirst(end + 1) }
                return String(decoding: typed[..<end], as: UTF8.self)
            }
            let ready = try loop.wait(readable: [session.descriptor, 0])
            if ready.shouldEnd { throw Interruption() }
            if ready.readable.contains(session.descriptor) { try receive { _ in } }
            guard ready.readable.contains(0) else { continue }
            guard let more = StandardInput.read(), !more.isEmpty, typed.count < 4096 else {
                defer { typed.removeAll() }
                return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self)
            }
            typed += more
        }
    }

    /// Disconnects. Blocks for a second at most.
    public func end() {
        session.stop(timeout: 1)
    }

    // MARK: Steps

    /// The retained messages of these filters up to the mark, or up to a pause without one.
    private func read(_ filters: [String], _ timeout: Double, isWhole: Bool) throws -> ([Message], isComplete: Bool) {
        try connect(timeout)
        var found: [String: Message] = [:]
        var order: [String] = []
        try session.subscribe(filters.map { Subscription($0) })
        try waitForAnswers(timeout)
        marks += 1
        // Others may have marks on the same topic.
        let mark = "mark \(marks) of \(replyTopic)"
        // The acknowledgement says where the broker denies it.
        session.publish(Message(topic: markTopic, text: mark, qos: .atLeastOnce))
        let isComplete: Bool? = try waitForMessage(
            isWhole ? Self.longestReading : timeout,
            lull: isWhole && markDenial == nil ? timeout : Self.lull, ofRetained: isWhole
        ) { message in
            if message.topic == self.markTopic { return message.payload == Array(mark.utf8) ? true : nil }
            guard filters.contains(where: { TopicFilter.matches($0, message.topic) }) else { return nil }
            if found.updateValue(message, forKey: message.topic) == nil { order.append(message.topic) }
            return nil
        }
        return (order.compactMap { found[$0] }, isComplete != nil)
    }

    /// The fault of a list whose mark did not return within so many seconds.
    private func markFault(_ timeout: Double) -> ProgramFault {
        if let markDenial { return ProgramFault("\(broker) denied \(markDenial)", isRefusal: true) }
        return ProgramFault(
            "\(broker) did not return a message on \(markTopic) within \(Int(timeout)) s: is it busy, or may this user "
                + "not read and write there?")
    }

    private func connect(_ timeout: Double) throws {
        if !hasStarted {
            hasStarted = true
            try session.start(subscriptions: Set([replyTopic, markTopic]).map { Subscription($0) })
        }
        let deadline = Self.deadlineAfter(timeout)
        while !isConnected {
            guard MonotonicClock.now() < deadline else {
                var fault = ProgramFault("no answer from \(broker)")
                fault.connection = ("no answer within \(Int(timeout)) s", .unreachable)
                throw fault
            }
            try processEvents(until: deadline) { _ in }
        }
    }

    /// Waits until the broker has answered all subscriptions; messages that arrive meanwhile are for the next wait. Throws if
    /// it neither answers nor sends any for so many seconds, or sends for longer than a whole list may take.
    private func waitForAnswers(_ timeout: Double) throws {
        let last = Self.deadlineAfter(Self.longestReading)
        var deadline = Self.deadlineAfter(timeout)
        while !session.isEachSubscriptionAnswered {
            guard MonotonicClock.now() < deadline else {
                throw ProgramFault("\(broker) did not answer a subscription within \(Int(timeout)) s")
            }
            try processEvents(until: deadline) { message in
                deadline = min(last, Self.deadlineAfter(timeout))
                backlog.append(message)
            }
        }
    }

    /// Waits until `body` returns a value; nil after the timeout, or after a lull without a message, or without a retained
    /// one where those alone count.
    private func waitForMessage<Value>(
        _ timeout: Double, lull: @autoclosure () -> Double?, ofRetained: Bool = false, _ body: (Message) -> Value?
    ) throws -> Value? {
        let deadline = Self.deadlineAfter(timeout)
        var heard = MonotonicClock.now()
        var value: Value?
        let waiting = backlog
        backlog = []
        for message in waiting {
            if value == nil { value = body(message) } else { backlog.append(message) }
        }
        while value == nil {
            let quiet = lull().map { heard + .seconds($0) } ?? .distantFuture
            let now = MonotonicClock.now()
            guard now < deadline, now < quiet else { return nil }
            try processEvents(until: min(deadline, quiet)) { message in
                if message.retained || !ofRetained { heard = MonotonicClock.now() }
                if value == nil { value = body(message) } else { backlog.append(message) }
            }
        }
        return value
    }

    private func processEvents(until deadline: MonotonicTime, _ body: (Message) -> Void) throws {
        let ready = try loop.wait(readable: [session.descriptor], until: deadline)
        if ready.shouldEnd { throw Interruption() }
        try receive(body)
    }

    private func receive(_ body: (Message) -> Void) throws {
        var fault: ProgramFault?
        session.receive { notice in
            switch notice {
            case .subscriptionGranted(let filter):
                if filter == replyTopic { answerDenial = nil }
                if filter == markTopic { markDenial = nil }
            case .connected: isConnected = true
            case .subscribed: break
            case .message(let message): body(message)
            case .trouble(.unreachable(let reason, let cause)):
                isConnected = false
                var words = "no connection to \(broker): \(reason)"
                if case .security(let mend?) = cause { words += "; \(mend)" }
                fault = ProgramFault(words)
                fault?.connection = (reason, cause)
            case .trouble(.subscriptionDenied(let filter, let reason)):
                // Without its topic no mark returns; the second of silence replaces it, unless a list must be whole.
                if filter == markTopic { markDenial = "reading \(markTopic): \(reason)" }
                if filter == replyTopic { answerDenial = reason }
                if filter != markTopic, filter != replyTopic {
                    fault = ProgramFault("\(broker) denied reading \(filter): \(reason)", isRefusal: true)
                }
            case .trouble(.publishRefused(let topic, let reason)):
                if topic == markTopic { markDenial = markDenial ?? "writing \(markTopic): \(reason)" }
                if topic != replyTopic, topic != markTopic { refusals[topic] = reason }
            case .trouble(.statusUnheard), .trouble(.statusReplaced): break
            }
        }
        if let fault { throw fault }
    }

    private static func deadlineAfter(_ seconds: Double) -> MonotonicTime {
        MonotonicClock.now() + .seconds(min(max(0, seconds), 1e6))
    }
}
