/// Reads HCI packets from a pipe that carries btsnoop, pcap or pcapng, as they come, and never waits.
///
/// A reader may come in the middle of a stream, as one that was started again does: it passes over everything up to the
/// next file header, which whoever feeds the pipe may repeat between any two packets. After a fault it goes on with the
/// next header as well. Memory doesn't grow with the stream; a block of pcapng over 320 KiB is a fault. Link-layer packets are given as ``CaptureReader`` gives them.
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
    private var format: CaptureFormat?
    private var current = 0..<0
    private var copy: [UInt8]?
    private var reports = LinkLayerReports()
    private var passedOver = 0
    /// Whether a file header came, or its absence was told.
    private var hasBegun = false

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
    /// Throws as `CaptureReader` does, `unknownFormat` where no file header came for a long time, `noHeader` where none came at all; the next call goes on
    /// behind the fault.
    public mutating func next() throws(CaptureError) -> Step {
        current = 0..<0
        copy = nil
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
        if let copy { return try body(copy.span) }
        return try body(source.taken(current))
    }

    private mutating func find() throws(CaptureError) -> Step {
        while true {
            if let report = reports.next() { return lend(report) }
            let present = try source.available(CaptureHeader.size)
            if let header = CaptureHeader(source.bytes) {
                guard present >= header.size else { break }
                format = try header.begin(&source, after: format)
                hasBegun = true
                passedOver = 0
                if header.isRead { continue }
            }
            if format != nil {
                guard try hasNext() else { break }
                guard let found = try nextPacket() else { continue }
                guard let reception = found.reception else { return lend(found) }
                reports.receive(found, reception, in: source)
            } else {
                guard present == CaptureHeader.size else { break }
                try passOver()
            }
        }
        guard source.atEnd else { return .nothingYet }
        reports.finish()
        if let report = reports.next() { return lend(report) }
        // Nothing was recognized from the start to the end.
        if format == nil, !hasBegun, source.offset + Int64(source.bytes.count) > 0 {
            hasBegun = true
            throw CaptureError(.noHeader, at: source.offset + Int64(source.bytes.count))
        }
        // What is left of a packet that was cut short tells so.
        _ = try nextPacket()
        return .ended
    }

    private mutating func lend(_ found: FoundPacket) -> Step {
        current = found.bytes
        copy = found.copy
        return .packet(found.packet)
    }

    /// Whether all of the next packet or block is there.
    private mutating func hasNext() throws(CaptureError) -> Bool {
        switch format {
        case .btsnoop(let btsnoop): return try btsnoop.hasNext(&source)
        case .pcap(let pcap): return try pcap.hasNext(&source)
        case .pcapng(var pcapng):
            defer { format = .pcapng(pcapng) }
            return try pcapng.hasNext(&source)
        case .packetLogger, .bugReport, nil: return false
        }
    }

    /// The packet that is next, or nil for a block without one.
    private mutating func nextPacket() throws(CaptureError) -> FoundPacket? {
        switch format {
        case .btsnoop(let btsnoop): return try btsnoop.next(&source)
        case .pcap(let pcap): return try pcap.next(&source)
        case .pcapng(var pcapng):
            defer { format = .pcapng(pcapng) }
            return try source.available(1) > 0 ? pcapng.nextBlock(&source) : nil
        case .packetLogger, .bugReport, nil: return nil
        }
    }

    /// Passes over what is there up to the next header, or to where one may begin.
    private mutating func passOver() throws(CaptureError) {
        let count = CaptureHeader.place(in: source.bytes)
        passedOver += count
        let offset = source.offset
        _ = source.take(count)
        guard passedOver < Self.patience else {
            passedOver = 0
            throw CaptureError(.unknownFormat, at: offset)
        }
    }
}
