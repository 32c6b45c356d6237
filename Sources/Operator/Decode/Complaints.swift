internal import CommandLine

/// What a command tells people on standard error, and the exit status that follows from it.
struct Complaints: ~Copyable {
    private let command: String
    private var error = StandardOutput(descriptor: 2)
    /// 0, or 1 once there was a fault.
    private(set) var status: Int32 = 0

    /// None yet, of a command such as `whereabouts decode`.
    init(of command: String) {
        self.command = command
    }

    /// What people call an input: a path, or standard input for `-`.
    static func name(of file: String) -> String { file == "-" ? "standard input" : file }

    /// Tells something that makes the command fail.
    mutating func fault(_ text: String) {
        status = 1
        note(text)
    }

    /// Tells something that doesn't.
    mutating func note(_ text: String) {
        error.line("\(command): \(text)")
        error.flush()
    }
}
