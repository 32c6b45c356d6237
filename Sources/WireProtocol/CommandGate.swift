/// Which commands are obeyed, and what is answered for those that are too many: one answer a second, for all of them.
///
/// Time is monotonic, in nanoseconds.
public struct CommandGate<Asked: CommandRequest>: Sendable {
    private var bucket = CommandBucket()
    /// The last one that was too many.
    private var refused: Message?

    /// A gate that nothing has passed yet.
    public init() {}

    /// Whether `takeRefusal` will have something within a second.
    public var isWaiting: Bool { refused != nil }

    /// Whether a command is to be obeyed.
    public mutating func admit(_ message: Message, at now: Int64) -> Bool {
        let isAdmitted = bucket.take(at: now)
        if !isAdmitted { refused = message }
        return isAdmitted
    }

    /// The one that stands for all that were left out since the last time, with what to answer; nil where there is none.
    public mutating func takeRefusal(at now: Int64) -> (message: Message, refusal: CommandRefusal)? {
        guard let message = refused, let count = bucket.takeRefused(at: now) else { return nil }
        refused = nil
        let fault = CommandFault.failed(
            "more than \(CommandBucket.perSecond) commands a second: \(count) were left out, this one among them")
        do throws(CommandRefusal) {
            let command = try Asked(payload: message.payload.span)
            return (message, CommandRefusal(id: command.id, action: command.name, fault: fault))
        } catch {
            return (message, CommandRefusal(id: error.id, action: error.action, fault: fault))
        }
    }
}
