internal import Foundation
internal import Glibc

/// A pipe whose reading end returns all that was written.
public final class ReadablePipe {
    /// The reading end's descriptor; −1 once closed.
    public private(set) var reading: Int32
    /// The writing end's descriptor; −1 once closed.
    public private(set) var writing: Int32

    /// An open pipe.
    public init() {
        (reading, writing) = openPipe()
    }

    deinit {
        closeWriting()
        closeReading()
    }

    /// Closes the reading end, and waits until no process holds it any more, for at most 10 s: a forked child of another
    /// test keeps a copy until it executes its program, and a write succeeds as long as there is one.
    public func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
        guard writing >= 0 else { return }
        var waiting = pollfd(fd: writing, events: 0, revents: 0)
        precondition(poll(&waiting, 1, 10_000) == 1 && waiting.revents & Int16(POLLERR) != 0, "the pipe has a reader")
    }

    /// Closes the writing end.
    public func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// The bytes available now, as text; empty if there are none.
    public func available() -> String {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) == 1 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(reading, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// Opens a pipe whose ends no child inherits: a child of another test that held the writing end would keep the reader from
/// seeing the end. Glibc's module lacks pipe2(2), so that the pipe is a FIFO without a name.
public func openPipe() -> (reading: Int32, writing: Int32) {
    let path = "\(NSTemporaryDirectory())/whereabouts-pipe-\(UUID().uuidString)"
    precondition(mkfifo(path, 0o600) == 0)
    // The reading end opens first, and only so without waiting for a writer.
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    precondition(reading >= 0 && writing >= 0)
    precondition(fcntl(reading, F_SETFL, 0) == 0 && unlink(path) == 0)
    return (reading, writing)
}

/// Waits until no process holds the writing end of a pipe any more, for at most 10 s.
///
/// Another test that starts a program at the same time may keep a copy of the writing end for a moment: a forked child
/// closes it only when it executes its program.
public func waitForEnd(of reading: Int32) {
    var waiting = pollfd(fd: reading, events: 0, revents: 0)
    precondition(poll(&waiting, 1, 10_000) == 1 && waiting.revents & Int16(POLLHUP) != 0, "no end of the pipe")
}
