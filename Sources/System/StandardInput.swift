internal import Glibc

/// The standard input (read(2)).
public enum StandardInput {
    /// The next bytes, at most 4 KiB, empty at the end; nil if it can't be read. Blocks until there are some.
    public static func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(0, &bytes, bytes.count)
            if count >= 0 { return Array(bytes.prefix(count)) }
            guard errno == EINTR else { return nil }
        }
    }
}
