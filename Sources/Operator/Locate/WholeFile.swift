internal import Bytes
internal import Glibc

/// Files that are read at once (open(2), read(2)).
enum WholeFile {
    /// A larger file is a fault: recordings of months are smaller.
    static let bound = 2 << 30

    /// All bytes of a file. Blocks until they are read.
    static func read(_ path: String) throws(InputFault) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= bound else {
                throw InputFault(file: path, line: nil, message: "larger than 2 GiB")
            }
            bytes.append(contentsOf: chunk.span.extracting(0..<count))
        }
    }

    private static func failure(_ path: String) -> InputFault {
        InputFault(file: path, line: nil, message: unsafe String(cString: strerror(errno)))
    }
}
