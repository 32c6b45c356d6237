import Bytes

/// Reads HCI packets from a pipe that carries btsnoop, as they come, and never waits.
///
/// A reader may come in the middle of a stream, as one that was started again does: it passes over everything up to the
/// next file header, which whoever feeds the pipe may repeat between any two packets. After a fault it goes on with the
/// next header as well. Memory doesn't grow with the stream.
///
///     var stream = try CaptureStream(path: "/run/whereabouts/hci")
///     while case .packet(let packet) = try stream.next() { … }     // again when stream.descriptor is readable
public struct CaptureStream: ~Copyable {
    /// What a call of `next` found.
    public enum Step: Hashable, Sendable {
        /// A packet; `withBytes` lends its bytes.
        case packet(CapturedPacket)
        /// Nothing whole before the descriptor is readable again.
        case nothingYet
        /// Nobody can write to the pipe any more.
        case ended
    }

    /// Bytes that are passed over in search of a file header before that is told as a fault.
    public static let patience = 1 << 20

    private var source: ByteSource
    private var format: BtsnoopFormat?
    private var current = 0..<0
    private var passedOver = 0

    /// A reader of a named pipe, which it closes when it ends. Doesn't wait for one who writes.
    ///
    /// Throws `cannotOpen`. (open)
    public init(path: String) throws(CaptureError) {
        source = ByteSource(
            descriptor: try SystemCalls.open(readingPipe: path), closesDescriptor: true, waits: false)
    }

    /// A reader of an open descriptor, such as 0 for standard input, which stays the caller's to close.
    public init(descriptor: Int32) {
        source = ByteSource(descriptor: descriptor, closesDescriptor: false, waits: false)
    }

    /// Readable when there may be more. (poll)
    public var descriptor: Int32 { source.descriptor }

    /// The next packet that is whole.
    ///
    /// Throws as `CaptureReader` does, `unknownFormat` where no file header came for a long time; the next call goes on
    /// behind the fault.
    public mutating func next() throws(CaptureError) -> Step {
        current = 0..<0
        do throws(CaptureError) {
            return try find()
        } catch {
            format = nil
            // Behind the first byte of a header that is refused, or it would be found again.
            if try source.available(1) > 0 { _ = source.take(1) }
            throw error
        }
    }

    /// Lends the bytes of the packet that `next` returned last, without the H4 indicator; empty before and after.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(source.taken(current))
    }

    private mutating func find() throws(CaptureError) -> Step {
        while try source.available(BtsnoopFormat.headerSize) == BtsnoopFormat.headerSize {
            if source.bytes.hasBytes(BtsnoopFormat.magic) {
                format = try BtsnoopFormat(&source)
                passedOver = 0
            } else if let format {
                guard try format.hasNext(&source), let found = try format.next(&source) else { break }
                current = found.bytes
                return .packet(found.packet)
            } else {
                try passOver()
            }
        }
        guard source.atEnd else { return .nothingYet }
        // What is left of a packet that was cut short tells so.
        _ = try format?.next(&source)
        return .ended
    }

    /// Passes over what is there up to the next header, or to where one may begin.
    private mutating func passOver() throws(CaptureError) {
        let count = Self.headerPlace(in: source.bytes)
        passedOver += count
        let offset = source.offset
        _ = source.take(count)
        guard passedOver < Self.patience else {
            passedOver = 0
            throw CaptureError(.unknownFormat, at: offset)
        }
    }

    /// Where a file header begins, or may begin in the last bytes.
    private static func headerPlace(in bytes: Span<UInt8>) -> Int {
        let magic = BtsnoopFormat.magic
        var place = 0
        while place + magic.count <= bytes.count, !bytes.hasBytes(magic, at: place) { place += 1 }
        return place
    }
}
