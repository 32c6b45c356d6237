import Glibc

/// The system calls of this target, with the only conversion of `errno` into errors.
enum SystemCalls {
    /// Opens a file for reading. (open)
    static func open(reading path: String) throws(CaptureError) -> Int32 {
        try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    }

    /// Opens a named pipe for reading, without waiting for a writer. (open)
    static func open(readingPipe path: String) throws(CaptureError) -> Int32 {
        try open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    }

    /// True if a read returns at once: with bytes, with the end, or with an error. (poll)
    static func isReadable(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) > 0
    }

    /// Creates a file, or empties an existing one. (open)
    static func open(writing path: String) throws(CaptureError) -> Int32 {
        try open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY)
    }

    /// Reads into `buffer` from `start` on the bytes that are available; returns 0 at the end. Blocks until there is
    /// one. (read)
    static func read(
        _ descriptor: Int32, into buffer: inout [UInt8], from start: Int, at offset: Int64
    ) throws(CaptureError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe Glibc.read(descriptor, room.baseAddress! + start, room.count - start)
            }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitFor(descriptor, Int16(POLLIN))
            case let code: throw CaptureError(.cannotRead(code), at: offset)
            }
        }
    }

    /// Writes all of `bytes`. Blocks until it is done. (write)
    static func write(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int64) throws(CaptureError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe Glibc.write(descriptor, all.baseAddress! + done, all.count - done)
            }
            if count >= 0 {
                done += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitFor(descriptor, Int16(POLLOUT))
            case let code: throw CaptureError(.cannotWrite(code), at: offset + Int64(done))
            }
        }
    }

    /// Renames a file and replaces the one at the new path; does nothing without such a file. (rename)
    static func rename(_ path: String, to other: String) throws(CaptureError) {
        guard unsafe Glibc.rename(path, other) != 0, errno != ENOENT else { return }
        throw CaptureError(.cannotOpen(errno), at: 0)
    }

    /// Closes a descriptor. (close)
    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// The system's text for an error. (strerror_r)
    static func text(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        // The GNU form would return its own pointer; the C library's Swift module offers the POSIX form.
        _ = unsafe strerror_r(code, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? "error \(code)" : text
    }

    private static func open(_ path: String, _ flags: Int32) throws(CaptureError) -> Int32 {
        while true {
            let descriptor = unsafe Glibc.open(path, flags, 0o644)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw CaptureError(.cannotOpen(errno), at: 0) }
        }
    }

    /// Waits until a non-blocking descriptor is ready; the caller evaluates the result. (poll)
    private static func waitFor(_ descriptor: Int32, _ events: Int16) {
        var waiting = pollfd(fd: descriptor, events: events, revents: 0)
        _ = unsafe poll(&waiting, 1, -1)
    }
}
