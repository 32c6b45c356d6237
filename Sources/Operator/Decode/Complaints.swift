internal import CommandLine

/// The messages of a command on standard error, and the exit status that follows from them.
struct Complaints: ~Copyable {
    private let command: String
    private var error = StandardOutput(descriptor: 2)
    /// 0, or 1 once there was a fault.
    private(set) var status: Int32 = 0

    /// No message yet, of a command such as `whereabouts decode`.
    init(of command: String) {
        self.command = command
    }

    /// The readable name of an input: a path, or standard input for `-`.
    static func name(of file: String) -> String { file == "-" ? "standard input" : file }

    /// Reports a fault that makes the command fail.
    mutating func fault(_ text: String) {
        status = 1
        note(text)
    }

    /// Reports a remark that does not.
    mutating func note(_ text: String) {
        error.line("\(command): \(text)")
        error.flush()
    }
}
