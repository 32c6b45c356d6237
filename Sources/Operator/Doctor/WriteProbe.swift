internal import BrokerSession
internal import Bytes
internal import WireProtocol

/// Checks that the broker accepts a program's status: a message of its own must come back.
///
/// It repeats the status, or publishes `offline` if there is none, and is not retained: it is no news to anybody. The fusers of a
/// pool would take the shards of one that serves, so that its status is awaited for as long as its next claim.
struct WriteProbe {
    private enum State {
        case new
        case waiting(until: MonotonicTime)
        case sent(until: MonotonicTime, payload: [UInt8])
        case over(refusal: String?)
    }

    private var state = State.new

    /// True if the result is final.
    var isOver: Bool { if case .over = state { true } else { false } }

    /// The time by which `advance` must be called.
    var nextDeadline: MonotonicTime? {
        switch state {
        case .waiting(let due), .sent(let due, _): due
        case .new, .over: nil
        }
    }

    /// The message to send now; `status` is the program's, if one has arrived.
    mutating func advance(to now: MonotonicTime, _ publisher: Publisher, _ status: String?) -> Message? {
        let pause = Duration.seconds(BrokerCheck.pause)
        switch state {
        case .new:
            state = .waiting(until: now + (publisher.claimTopic == nil ? pause : .seconds(BrokerCheck.claimPatience)))
            return advance(to: now, publisher, status)
        case .waiting(let due):
            guard status != nil || now >= due else { return nil }
            let message = Message(topic: publisher.statusTopic, text: status ?? "offline", qos: .atLeastOnce)
            state = .sent(until: now + pause, payload: message.payload)
            return message
        case .sent(let due, _):
            if now >= due { state = .over(refusal: "they are acknowledged and dropped") }
        case .over: break
        }
        return nil
    }

    /// True if a message that is not retained is the probe's own coming back.
    mutating func takes(_ message: Message) -> Bool {
        guard case .sent(_, let payload) = state, message.payload == payload else { return false }
        state = .over(refusal: nil)
        return true
    }

    /// Records the broker's refusal.
    mutating func refused(_ words: String) { state = .over(refusal: words) }

    /// The fault found; nil if there is none, or if the result is unknown.
    func rightsFinding(of publisher: Publisher, _ user: String?) -> Finding? {
        guard case .over(let refusal?) = state else { return nil }
        return .fault(
            .agent, "the broker does not take messages on \(publisher.statusTopic): \(refusal)",
            mend: "let its access list grant writing there\(user.map { " to \($0)" } ?? "")")
    }
}
