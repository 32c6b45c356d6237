/// The result of a command.
public struct ActionResult: Hashable, Sendable, CustomStringConvertible {
    /// The way in which a command ended.
    public enum Ending: Hashable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// By a signal that this runner didn't send.
        case signalled(Int32)
        /// It was ended after its time limit.
        case timedOut
        /// It was ended at the stop of the runner.
        case stopped
        /// It never ran, for example because no program has that name.
        case notStarted(SystemError)
        /// It never ran: the queue was full.
        case dropped
    }

    /// The label that was passed to `start`.
    public var label: String
    /// The way in which it ended.
    public var ending: Ending
    /// True if programs that it started and left behind in its group were ended with it.
    public var leftOthers = false
    /// The first bytes of its standard output and error, mixed in order of arrival.
    public var output: [UInt8] = []
    /// The number of output bytes beyond those.
    public var outputDropped = 0

    /// True if it ran and ended with status 0.
    public var isGood: Bool { ending == .exited(0) }

    /// Logs a good end as information, any other as a warning, and each of the first lines of output.
    ///
    /// - Parameter names: the names of items in the label.
    public func write(to log: Log, about names: [String] = []) {
        log.write(isGood ? .info : .warning, description, about: names)
        for line in output.split(separator: 0x0A).prefix(Self.loggedLines) {
            log.info("\(label) printed: \(String(decoding: line, as: UTF8.self))")
        }
        if outputDropped > 0 { log.info("\(label) printed \(outputDropped) bytes more") }
    }

    /// The most lines of output that are logged.
    static let loggedLines = 10

    /// A text such as `on_enter of keys ended with status 3`.
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
