internal import Glibc

/// The environment and exit status of a process.
public enum ProcessEnvironment {
    /// The environment variables (environ(7)); of a repeated name the first is used.
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

    /// The name of this machine (gethostname(2)); empty if it has none.
    public static var hostName: String {
        var name = [UInt8](repeating: 0, count: 256)
        let code = unsafe name.withUnsafeMutableBytes { unsafe gethostname($0.baseAddress!, $0.count - 1) }
        return code == 0 ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : ""
    }

    /// The name of the user whose process this is (getpwuid(3)); the user's number if there is none.
    public static var userName: String {
        guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else {
            return "\(getuid())"
        }
        return unsafe String(cString: name)
    }

    /// Ends the process with a status (exit(3)).
    public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
