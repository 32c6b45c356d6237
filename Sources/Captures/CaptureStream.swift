/// Reads HCI packets from a pipe that carries btsnoop, pcap or pcapng, as they arrive, and never waits.
///
/// A reader may begin in the middle of a stream, as after a restart: it skips everything up to the next file header,
/// which the writer of the pipe may repeat between any two packets. After a fault it also continues with the next
/// header. Memory doesn't grow with the stream; a block of pcapng over 320 KiB is a fault. Link-layer packets are
/// returned as by ``CaptureReader``.
///
///     var stream = try CaptureStream(path: "/run/whereabouts/hci")
///     while case .packet(let packet) = try stream.next() { … }     // again when stream.descriptor is readable
public struct CaptureStream: ~Copyable {
    /// The result of a call of `next`.
    public enum Step: Hashable, Sendable {
        /// A packet; `withBytes` gives access to its bytes.
        case packet(CapturedPacket)
        /// No complete packet before the descriptor is readable again.
        case nothingYet
        /// The pipe has no writer any more.
        case ended
    }

    /// The number of bytes that are skipped in search of a file header before its absence is reported as a fault.
    public static let patience = 1 << 20

    private var source: ByteSource
    private var format: CaptureFormat?
    private var current = 0..<0
    private var copy: [UInt8]?
    private var reports = LinkLayerReports()
    private var passedOver = 0
    /// True if a file header was read, or its absence was reported.
    private var hasBegun = false

    /// A reader of a named pipe, which it closes when it ends. Doesn't wait for a writer.
    ///
    /// Throws `cannotOpen`. (open)
    public init(path: String) throws(CaptureError) {
        let descriptor = try SystemCalls.open(readingPipe: path)
        self.init(ByteSource(descriptor: descriptor, closesDescriptor: true, waits: false))
    }

    /// A reader of an open descriptor, such as 0 for standard input, which the caller closes.
    public init(descriptor: Int32) {
        self.init(ByteSource(descriptor: descriptor, closesDescriptor: false, waits: false))
    }

    // A call that throws between two stored properties crashes the compiler of Swift 6.2.
    private init(_ source: consuming ByteSource) { self.source = source }

    /// The descriptor, readable when there may be more. (poll)
    public var descriptor: Int32 { source.descriptor }

    /// The next complete packet.
    ///
    /// Throws as `CaptureReader` does, `unknownFormat` after a long time without a file header, and `noHeader` if none
    /// came at all. The next call continues after the fault.
    public mutating func next() throws(CaptureError) -> Step {
        current = 0..<0
        copy = nil
        do throws(CaptureError) {
            return try findStep()
        } catch {
            format = nil
            // Skips the first byte of a rejected header, which would be found again otherwise.
            if try source.available(1) > 0 { _ = source.consumeBytes(1) }
            throw error
        }
    }

    /// Passes the bytes of the packet that `next` returned last to `body`, without the H4 indicator; empty before and
    /// after.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let copy { return try body(copy.span) }
        return try body(source.taken(current))
    }

    private mutating func findStep() throws(CaptureError) -> Step {
        while true {
            if let report = reports.next() { return lendPacket(report) }
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
                guard let reception = found.reception else { return lendPacket(found) }
                reports.receive(found, reception, in: source)
            } else {
                guard present == CaptureHeader.size else { break }
                try passOver()
            }
        }
        guard source.atEnd else { return .nothingYet }
        reports.finish()
        if let report = reports.next() { return lendPacket(report) }
        // Nothing was recognized from the start to the end.
        if format == nil, !hasBegun, source.offset + Int64(source.bytes.count) > 0 {
            hasBegun = true
            throw CaptureError(.noHeader, at: source.offset + Int64(source.bytes.count))
        }
        // The rest of a truncated packet throws its own error.
        _ = try nextPacket()
        return .ended
    }

    private mutating func lendPacket(_ found: FoundPacket) -> Step {
        current = found.bytes
        copy = found.copy
        return .packet(found.packet)
    }

    /// True if all of the next packet or block is available.
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

    /// The next packet; nil for a block without one.
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

    /// Skips the available bytes up to the next header, or to a place where one may begin.
    private mutating func passOver() throws(CaptureError) {
        let count = CaptureHeader.place(in: source.bytes)
        passedOver += count
        let offset = source.offset
        _ = source.consumeBytes(count)
        guard passedOver < Self.patience else {
            passedOver = 0
            throw CaptureError(.unknownFormat, at: offset)
        }
    }
}
