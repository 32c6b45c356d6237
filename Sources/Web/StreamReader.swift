internal import Bytes

/// The events of one connection while they are sent: a source, and the piece that the client is taking.
final class StreamReader {
    /// The result of a read.
    enum Reading {
        case bytes(Int)
        /// Nothing: the connection is to be suspended.
        case nothing
        case end
    }

    private let source: any EventSource
    private let limits: HTTPLimits
    private var piece: [UInt8] = []
    private var sent = 0
    private var lastPiece: MonotonicTime
    /// True while the connection is suspended.
    var isSuspended = false
    /// True if the server ends.
    var isEnding = false

    private static let ping = Array(": ping\n\n".utf8)

    init(_ source: any EventSource, _ limits: HTTPLimits, at now: MonotonicTime) {
        self.source = source
        self.limits = limits
        lastPiece = now
    }

    /// True if a comment is due, by which a lost client is found.
    private func isPingDue(at now: MonotonicTime) -> Bool { now - lastPiece >= limits.ping }

    /// True if it must be resumed although nobody woke it.
    func isDue(at now: MonotonicTime) -> Bool { source.isOver || isPingDue(at: now) }

    /// Copies the next bytes.
    func read(into room: UnsafeMutableRawBufferPointer, at now: MonotonicTime) -> Reading {
        if isEnding { return .end }
        if sent == piece.count {
            sent = 0
            switch source.nextPiece(atMost: limits.streamBytes) {
            case .events(let bytes): piece = bytes
            case .nothing: piece = isPingDue(at: now) ? Self.ping : []
            case .end: return .end
            }
            if piece.isEmpty { return .nothing }
            lastPiece = now
        }
        let count = min(room.count, piece.count - sent)
        unsafe piece.withUnsafeBytes { bytes in
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
        }
        sent += count
        return .bytes(count)
    }

    /// Releases what the source holds.
    func close() { source.ended() }
}
