/// Admits commands up to a rate, and rejects the excess with one answer a second for all of them.
///
/// Time is monotonic, in nanoseconds.
public struct CommandGate<Asked: CommandRequest>: Sendable {
    private var bucket = CommandBucket()
    /// The last excessive command.
    private var refused: Message?

    /// A gate in its initial state.
    public init() {}

    /// A Boolean value that is true if `takeRefusal` will return an answer within a second.
    public var isWaiting: Bool { refused != nil }

    /// Returns true if a command is to be executed.
    public mutating func admit(_ message: Message, at now: Int64) -> Bool {
        let isAdmitted = bucket.take(at: now)
        if !isAdmitted { refused = message }
        return isAdmitted
    }

    /// The command that represents all rejected since the last call, with its answer; nil if there is none.
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
