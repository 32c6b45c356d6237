public import Bytes

/// The rate limit of commands, from all senders together.
public enum CommandLimit {
    /// The number of commands executed in a burst after a pause.
    public static let burst = 20
    /// The sustained number of commands executed in a second.
    public static let perSecond = 10
    /// A full bucket, on a monotonic clock.
    public static var bucket: TokenBucket<MonotonicTime> {
        TokenBucket(burst: burst, interval: .seconds(1) / perSecond)
    }
}

/// Admits commands up to a rate, and rejects the excess with one answer a second for all of them.
public struct CommandGate<Asked: CommandRequest>: Sendable {
    private static var answerInterval: Duration { .seconds(1) }

    private var bucket = CommandLimit.bucket
    /// The last excessive command, and the number of all since the last answer.
    private var refused: (message: Message, count: Int)?
    /// The time of the last answer to excessive commands.
    private var answered: MonotonicTime?

    /// A gate in its initial state.
    public init() {}

    /// A Boolean value that is true if `takeRefusal` will return an answer within a second.
    public var isWaiting: Bool { refused != nil }

    /// Returns true if a command is to be executed.
    public mutating func admit(_ message: Message, at now: MonotonicTime) -> Bool {
        guard !bucket.take(at: now) else { return true }
        refused = (message, (refused?.count ?? 0) + 1)
        return false
    }

    /// The command that represents all rejected since the last call, with its answer; nil if there is none, or the last
    /// answer was less than a second ago.
    public mutating func takeRefusal(at now: MonotonicTime) -> (message: Message, refusal: CommandRefusal)? {
        guard let (message, count) = refused, answered.map({ now - $0 >= Self.answerInterval }) ?? true else {
            return nil
        }
        (refused, answered) = (nil, now)
        let fault = CommandFault.failed(
            "more than \(CommandLimit.perSecond) commands a second: \(count) were left out, this one among them")
        do throws(CommandRefusal) {
            let command = try Asked(payload: message.payload.span)
            return (message, CommandRefusal(id: command.id, action: command.name, fault: fault))
        } catch {
            return (message, CommandRefusal(id: error.id, action: error.action, fault: fault))
        }
    }
}
