/// The exit statuses of all programs. They are stable: scripts and service managers may rely on them.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The program did what was asked, or ended because it was asked to.
    case success = 0
    /// It could not; another try may help. Of some commands also an answer, such as a fault that was found.
    case failure = 1
    /// The command line, a configuration or an input file is wrong: only a person can mend it.
    case usage = 2

    /// The meaning for all programs, in words for a table; that of `failure` may differ from command to command.
    public var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .usage: "wrong usage or configuration"
        }
    }
}
