import CZlib

/// Decompresses a zlib stream (RFC 1950) that comes in pieces. This is where all of zlib is used.
@safe final class Inflater {
    /// How the stream stands after a piece.
    enum Outcome {
        /// More of it must come.
        case unfinished
        /// Its end has come, with the right check sum.
        case finished
        /// It isn't a zlib stream, or is damaged.
        case damaged
        /// It holds more than the bound allows.
        case tooLong
    }

    private static let pieceSize = 16 << 10

    /// zlib's state points back at it, so that it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let bound: Int
    private var piece = [UInt8](repeating: 0, count: pieceSize)
    private(set) var outcome: Outcome
    /// What came out so far.
    private(set) var output: [UInt8] = []

    /// - Parameter bound: the most bytes that may come out.
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

    /// Takes the next bytes of the stream; those behind its end are passed over. (inflate)
    func feed(_ input: inout [UInt8]) {
        let count = input.count
        unsafe input.withUnsafeMutableBufferPointer { bytes in
            unsafe stream.pointee.next_in = bytes.baseAddress
            unsafe stream.pointee.avail_in = UInt32(count)
            while outcome == .unfinished, step() {}
            unsafe stream.pointee.next_in = nil
        }
    }

    /// Decompresses up to one piece. Returns whether there may be more.
    private func step() -> Bool {
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
        // Nothing more to read, or to write.
        case Z_BUF_ERROR: return false
        case Z_STREAM_END: outcome = .finished
        default: outcome = .damaged
        }
        return false
    }
}
