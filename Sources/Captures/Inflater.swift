import CZlib

/// Decompresses a zlib stream (RFC 1950) that comes in pieces. All calls of zlib are here.
@safe final class Inflater {
    /// The state of the stream after a piece.
    enum Outcome {
        /// More of it must come.
        case unfinished
        /// Its end was reached, with the correct check sum.
        case finished
        /// It isn't a zlib stream, or is damaged.
        case damaged
        /// It contains more than the bound allows.
        case tooLong
    }

    private static let pieceSize = 16 << 10

    /// zlib's state has a pointer back to the stream, which therefore must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let bound: Int
    private var piece = [UInt8](repeating: 0, count: pieceSize)
    private(set) var outcome: Outcome
    /// The output so far.
    private(set) var output: [UInt8] = []

    /// - Parameter bound: the most bytes of output.
    init(bound: Int) {
        self.bound = bound
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        outcome = status == Z_OK ? .unfinished : .damaged
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Decompresses the next bytes of the stream; those after its end are ignored. (inflate)
    func feed(_ input: inout [UInt8]) {
        let count = input.count
        unsafe input.withUnsafeMutableBufferPointer { bytes in
            unsafe stream.pointee.next_in = bytes.baseAddress
            unsafe stream.pointee.avail_in = UInt32(count)
            while outcome == .unfinished, inflateStep() {}
            unsafe stream.pointee.next_in = nil
        }
    }

    /// Decompresses up to one piece. Returns true if there may be more.
    private func inflateStep() -> Bool {
        var status = Z_OK
        var room = UInt32(Self.pieceSize)
        unsafe piece.withUnsafeMutableBufferPointer { bytes in
            unsafe stream.pointee.next_out = bytes.baseAddress
            unsafe stream.pointee.avail_out = room
            status = unsafe inflate(stream, Z_NO_FLUSH)
            room = unsafe stream.pointee.avail_out
            unsafe stream.pointee.next_out = nil
        }
        let produced = Self.pieceSize - Int(room)
        guard output.count + produced <= bound else {
            outcome = .tooLong
            return false
        }
        output += piece[..<produced]
        switch status {
        case Z_OK: return true
        // There is nothing more to read, or to write.
        case Z_BUF_ERROR: return false
        case Z_STREAM_END: outcome = .finished
        default: outcome = .damaged
        }
        return false
    }
}
