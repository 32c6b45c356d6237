import Glibc

/// A file descriptor that is closed with its owner.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes ownership of a descriptor; throws the error of the call that should have opened it.
    init(_ number: Int32, _ context: String) throws(SystemError) {
        guard number >= 0 else { throw SystemError.last(context) }
        self.number = number
    }

    deinit { close(number) }
}

/// Writing whole buffers (write(2)).
package enum Descriptors {
    /// Writes all of `bytes`; waits if the descriptor doesn't block, and continues after an interruption.
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
            default: throw SystemError.last("write")
            }
        }
    }
}
