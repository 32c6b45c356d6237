/// A program to be run for a reaction: a path and a list of arguments, without a shell.
public struct ActionCommand: Hashable, Sendable {
    /// The program: an absolute path, or a bare name that is looked up in `ActionRunner.searchPath`.
    public var program: String
    /// Its arguments, without its own name.
    public var arguments: [String]
    /// Environment variables, in addition to `PATH` and `LANG`.
    public var variables: [String: String]
    /// The content of standard input, at most `ActionRunner.inputBound` bytes; nil for an empty one. It stays in memory
    /// only until the program has ended.
    public var input: Secret?
    /// The time limit.
    public var timeout: Duration

    /// The default time limit.
    public static let defaultTimeout = Duration.seconds(10)

    /// A command from its parts.
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
