internal import Foundation
internal import Glibc

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
