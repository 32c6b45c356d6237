public import Advertising

/// Reads HCI packets from a capture, a file or a pipe, in order and one at a time.
///
/// The format is recognized by its beginning. Reading is buffered and blocks; memory doesn't grow with the file, and in
/// steady state no stored HCI packet costs an allocation. A truncated file yields all of its complete packets, then an
/// error with the position.
///
///     var reader = try CaptureReader(path: path)
///     while let packet = try reader.next() {
///         guard packet.kind == .event else { continue }
///         reader.withBytes { event in … }
///     }
///
/// Formats: btsnoop version 1 with data links 1002 (H4) and 2001 (Linux monitor); pcap version 2, in micro- and
/// nanoseconds and either byte order, and pcapng version 1, both with link types 187 (H4), 201 (H4 with direction), 254
/// (Linux monitor), and 251, 256 and 272 (Bluetooth LE link layer); PacketLogger; a text with Android's compressed log.
///
/// Link-layer packets are returned as the HCI events with which a scanning controller reports them
/// (``LinkLayerReceiver``).
public struct CaptureReader: ~Copyable {
    /// The most bytes that one stored packet may have; a longer one is an error.
    public static let maximumPacketSize = 256 << 10

    private enum State {
        case start
        case reading(CaptureFormat)
        case ended
        case failed(CaptureError)
    }

    private var source: ByteSource
    private var state = State.start
    private var current = 0..<0
    /// The bytes of the current packet, if they aren't in the source's buffer.
    private var copy: [UInt8]?
    private var reports = LinkLayerReports()

    /// A reader of a file, which it closes when it ends. Nothing is read yet.
    ///
    /// Throws `cannotOpen`. (open)
    public init(path: String) throws(CaptureError) {
        let descriptor = try SystemCalls.open(reading: path)
        self.init(ByteSource(descriptor: descriptor, closesDescriptor: true))
    }

    /// A reader of an open descriptor, such as 0 for standard input, which the caller closes.
    public init(descriptor: Int32) {
        self.init(ByteSource(descriptor: descriptor, closesDescriptor: false))
    }

    // A call that throws between two stored properties crashes the compiler of Swift 6.2.
    private init(_ source: consuming ByteSource) { self.source = source }

    /// The number of packets of a pcapng file that were skipped because their interface isn't Bluetooth HCI or LE.
    public private(set) var skippedPackets: UInt64 = 0

    /// The bytes of the file that were read.
    public var bytesRead: Int64 { source.offset }

    /// Counts of the link-layer packets, all zero for a capture of HCI packets.
    public var linkLayer: LinkLayerCounters { reports.counters }

    /// The next packet; nil at a clean end. Blocks while a pipe is silent.
    ///
    /// After an error it throws the same error again.
    public mutating func next() throws(CaptureError) -> CapturedPacket? {
        while true {
            if let report = reports.next() { return lendPacket(report) }
            do throws(CaptureError) {
                if let found = try findPacket() {
                    guard let reception = found.reception else { return lendPacket(found) }
                    reports.receive(found, reception, in: source)
                    continue
                }
                if case .ended = state { return lendPacket(nil) }
                state = .ended
            } catch {
                if case .failed = state {
                    _ = lendPacket(nil)
                    throw error
                }
                state = .failed(error)
            }
            // Nothing more can come: incomplete reports are discarded before the end is returned.
            reports.finish()
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

    private mutating func lendPacket(_ found: FoundPacket?) -> CapturedPacket? {
        current = found?.bytes ?? 0..<0
        copy = found?.copy
        return found?.packet
    }

    private mutating func findPacket() throws(CaptureError) -> FoundPacket? {
        switch state {
        case .start:
            state = .reading(try CaptureFormat.recognize(&source))
            return try findPacket()
        case .reading(var format):
            defer {
                if case .pcapng(let pcapng) = format { skippedPackets = pcapng.skipped }
                state = .reading(format)
            }
            return try format.next(&source)
        case .ended: return nil
        case .failed(let error): throw error
        }
    }
}
