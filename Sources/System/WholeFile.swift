internal import Bytes
internal import Glibc

/// Reads whole files and pipes (open(2), read(2)).
public enum WholeFile {
    /// The size of a regular file in bytes; nil for a pipe, or if there is none (stat(2)).
    public static func size(_ path: String) -> Int64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// The first bytes of a regular file, fewer of a shorter one.
    public static func beginning(of path: String, count: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try Descriptor(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), "open \(path)")
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor.number, $0.baseAddress, $0.count, 0) }
        guard found >= 0 else { throw SystemError.last("read \(path)") }
        return Array(bytes.prefix(found))
    }

    /// All bytes of a file; one larger than `bound` is an error (EFBIG). Blocks until they are read.
    ///
    /// - Parameter start: the bytes with which the file must begin; of one that does not, only the first ones are read.
    public static func read(_ path: String, bound: Int, start: String = "") throws(SystemError) -> [UInt8] {
        let descriptor = try Descriptor(unsafe open(path, O_RDONLY | O_CLOEXEC), "open \(path)")
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor.number, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError.last("read \(path)") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= bound else { throw SystemError(code: EFBIG, context: "read \(path)") }
            bytes.append(contentsOf: chunk.span.extracting(0..<count))
            if bytes.count >= start.utf8.count, !bytes.starts(with: start.utf8) { return bytes }
        }
    }
}
