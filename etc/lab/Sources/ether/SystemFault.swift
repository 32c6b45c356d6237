import Glibc

/// What went wrong with the machine or an order, for a person to read.
struct SystemFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The last system call's error.
    static func last(_ what: String) -> SystemFault { SystemFault("\(what): \(String(cString: strerror(errno)))") }
}
