internal import Glibc

/// What a process is given by its parent, and gives back.
public enum ProcessEnvironment {
    /// The variables of the environment (environ(7)); of a name that stands twice the first counts.
    public static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
            unsafe entry = entry.advanced(by: 1)
        }
        return variables
    }

    /// Ends the process with a status (exit(3)).
    public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
