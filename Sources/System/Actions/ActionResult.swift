/// What became of a command.
public struct ActionResult: Hashable, Sendable, CustomStringConvertible {
    /// How it ended.
    public enum Ending: Hashable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// By a signal that wasn't ours.
        case signalled(Int32)
        /// It was ended after its time limit.
        case timedOut
        /// It was ended because the runner was.
        case stopped
        /// It never ran: such as no program of that name.
        case notStarted(SystemError)
        /// It never ran: the queue was full.
        case dropped
    }

    /// What `start` was told about it.
    public var label: String
    /// How it ended.
    public var ending: Ending
    /// Whether programs that it started and left behind in its group were ended with it.
    public var leftOthers = false
    /// The first bytes of its standard output and error, mixed as they came.
    public var output: [UInt8] = []
    /// Bytes of output beyond those.
    public var outputDropped = 0

    /// Whether it ran and ended with status 0.
    public var isGood: Bool { ending == .exited(0) }

    /// Writes it to a log: a good end as information, any other as a warning, and each of its first lines of output.
    public func write(to log: Log) {
        log.write(isGood ? .info : .warning, description)
        for line in output.split(separator: 0x0A).prefix(Self.loggedLines) {
            log.info("\(label) printed: \(String(decoding: line, as: UTF8.self))")
        }
        if outputDropped > 0 { log.info("\(label) printed \(outputDropped) bytes more") }
    }

    /// The most lines of output that are logged.
    static let loggedLines = 10

    /// Such as `on_enter of keys ended with status 3`.
    public var description: String {
        let what =
            switch ending {
            case .exited(let status): "ended with status \(status)"
            case .signalled(let signal): "ended by signal \(signal)"
            case .timedOut: "was ended after its time limit"
            case .stopped: "was ended with the service"
            case .notStarted(let error): "could not be started: \(error)"
            case .dropped: "was dropped: too many wait"
            }
        return "\(label) \(what)\(leftOthers ? "; what it left running was ended" : "")"
    }
}
