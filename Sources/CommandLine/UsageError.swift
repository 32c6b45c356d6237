/// All faults of a command line, for standard error; the program ends with status 2.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The command, such as `whereabouts decode`.
    public var command: String
    /// Every fault, in the order of the command line; missing ones last.
    public var faults: [String]

    /// The exit status for a wrong call of the program.
    public static let exitStatus = ExitStatus.usage.rawValue

    /// An error with its faults.
    public init(command: String, faults: [String]) {
        self.command = command
        self.faults = faults
    }

    /// One line for each fault, and a last one with a reference to `--help`.
    public var description: String {
        faults.map { "\(command): \($0)\n" }.joined() + "Try '\(command) --help'."
    }
}
