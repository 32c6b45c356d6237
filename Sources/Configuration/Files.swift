internal import Glibc
internal import System

/// Whole files, read with a bound.
public enum Files {
    /// The reason why a file can't be read, in a text that follows "the file 'x'".
    struct Problem: Error {
        var words: String
    }

    /// The bytes of a regular file. Blocks while the disk does.
    static func read(_ path: String, bound: Int) throws(Problem) -> [UInt8] {
        // Without O_NONBLOCK a named pipe would block the program.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw problem(errno) }
        defer { close(number) }
        var information = stat()
        guard unsafe fstat(number, &information) == 0 else { throw problem(errno) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Problem(words: "is a directory")
        default: throw Problem(words: "is not a regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress!, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw problem(errno) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            // One byte more than the bound shows the reader that there is more.
            guard bytes.count <= bound else { return Array(bytes.prefix(bound + 1)) }
        }
    }

    /// The reason why a regular file can't be opened; nil if it can.
    static func problem(opening path: String) -> Problem? {
        do {
            _ = try read(path, bound: 0)
            return nil
        } catch {
            return error
        }
    }

    /// True if a path names a stream instead of a file: a named pipe, or `-` for standard input. (stat)
    public static func isPipe(_ path: String) -> Bool {
        if path == "-" { return true }
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
    }

    /// True if a path names a folder. (stat)
    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// The path of `name` relative to the folder of `file`.
    static func path(_ name: String, besides file: String) -> String {
        guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
        return String(file[...slash]) + name
    }

    private static func problem(_ code: Int32) -> Problem {
        switch code {
        case ENOENT, ENOTDIR: Problem(words: "does not exist")
        case EACCES: Problem(words: "may not be read by this user")
        default: Problem(words: "can't be read: \(SystemError(code: code, context: "").reason)")
        }
    }
}
