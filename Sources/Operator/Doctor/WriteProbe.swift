internal import WireProtocol

/// Whether the broker lets a program's status be written: a message of our own must come back.
///
/// It repeats what stands there, or says `offline` where nothing does, and is not retained: nobody learns anything new of
/// it, and a program that is connected after all says `online` at once.
struct WriteProbe {
    private enum State {
        case new
        case waiting(until: Int64)
        case sent(until: Int64, payload: [UInt8])
        case over(refusal: String?)
    }

    private var state = State.new

    /// Whether all is known that will be.
    var isOver: Bool { if case .over = state { true } else { false } }

    /// When `advance` must be called at the latest.
    var nextDeadline: Int64? {
        switch state {
        case .waiting(let due), .sent(let due, _): due
        case .new, .over: nil
        }
    }

    /// What is to be sent now; `status` is what is retained, as far as that has come.
    mutating func advance(to now: Int64, _ publisher: Publisher, _ status: String?) -> Message? {
        let pause = Int64(BrokerCheck.pause * 1e9)
        switch state {
        case .new:
            state = .waiting(until: now + pause)
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

    /// Whether a message that isn't a retained one is ours as it comes back.
    mutating func takes(_ message: Message) -> Bool {
        guard case .sent(_, let payload) = state, message.payload == payload else { return false }
        state = .over(refusal: nil)
        return true
    }

    /// The broker said why not.
    mutating func refused(_ words: String) { state = .over(refusal: words) }

    /// What is wrong; nil where nothing is, or nothing is known.
    func complaint(of publisher: Publisher, _ user: String?) -> Finding? {
        guard case .over(let refusal?) = state else { return nil }
        return .fault(
            .agent, "the broker does not take messages on \(publisher.statusTopic): \(refusal)",
            mend: "let its access list grant writing there\(user.map { " to \($0)" } ?? "")")
    }
}
