import Glibc

/// A failed system call: the call, its object, and the kernel's reason (errno(3)).
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the error, such as `ENOENT`.
    public var code: Int32
    /// The call with its object, such as `open /etc/whereabouts/agent.yaml`.
    public var context: String

    /// An error with its number.
    public init(code: Int32, context: String) {
        self.code = code
        self.context = context
    }

    /// The kind of error, as far as a person's action depends on it.
    public enum Kind: Hashable, Sendable {
        /// There is no such file, folder or device (ENOENT, ENOTDIR, ENODEV).
        case missing
        /// This user has no permission (EACCES, EPERM).
        case denied
        /// There is no space (ENOSPC, EDQUOT).
        case full
        /// The file system is read-only (EROFS).
        case readOnly
        /// Any other error.
        case other
    }

    /// The kind of error.
    public var kind: Kind {
        switch code {
        case ENOENT, ENOTDIR, ENODEV: .missing
        case EACCES, EPERM: .denied
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        default: .other
        }
    }

    /// The error of the last failed call of this thread.
    static func last(_ context: String) -> SystemError { SystemError(code: errno, context: context) }

    /// The kernel's text of the reason, such as `No such file or directory` (strerror_r(3)).
    public var reason: String {
        var room = [CChar](repeating: 0, count: 128)
        let text = unsafe room.withUnsafeMutableBufferPointer { buffer in
            // Glibc's declaration is the POSIX one here: it fills the buffer.
            unsafe strerror_r(code, buffer.baseAddress!, buffer.count)
        }
        guard text == 0 else { return "error \(code)" }
        return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A text such as `open agent.yaml: No such file or directory`.
    public var description: String { "\(context): \(reason)" }
}
