internal import Glibc

/// A server that can't be started: what failed, and why.
public struct WebError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed step, such as `listen on 127.0.0.1:8099`.
    public var context: String
    /// The reason, such as `Address already in use`.
    public var reason: String

    init(_ context: String, _ reason: String) {
        self.context = context
        self.reason = reason
    }

    /// The error of a system call by its errno.
    init(_ context: String, code: Int32) {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = buffer.count
        let isKnown = unsafe strerror_r(code, &buffer, count) == 0
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.init(context, isKnown ? text : "error \(code)")
    }

    /// A text such as `listen on 127.0.0.1:8099: Address already in use`.
    public var description: String { "\(context): \(reason)" }
}
