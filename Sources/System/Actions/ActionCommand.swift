/// A program to be run for a reaction: a path and a list of arguments, with no shell between.
public struct ActionCommand: Hashable, Sendable {
    /// The program: an absolute path, or a bare name that is looked up in `ActionRunner.searchPath`.
    public var program: String
    /// Its arguments, without its own name.
    public var arguments: [String]
    /// Variables of its environment, beside `PATH` and `LANG`.
    public var variables: [String: String]
    /// What it reads from standard input, at most `ActionRunner.inputBound` bytes; nothing where nil. It stands in memory
    /// alone until the program has ended.
    public var input: Secret?
    /// How long it may run.
    public var timeout: Duration

    /// The time limit where none is given.
    public static let defaultTimeout = Duration.seconds(10)

    /// A command by its parts.
    public init(
        _ program: String, _ arguments: [String] = [], variables: [String: String] = [:], input: Secret? = nil,
        timeout: Duration = defaultTimeout
    ) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
        self.input = input
        self.timeout = timeout
    }
}
