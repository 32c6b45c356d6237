import Bytes

/// Reads HCI packets from a btsnoop, pcap or pcapng file, or from a pipe, in order and one at a time.
///
/// The format is told by its magic. Reading is buffered and blocks; memory doesn't grow with the file, and in steady
/// state no packet costs an allocation. A file that is cut gives all of its whole packets, then an error that says where.
///
///     var reader = try CaptureReader(path: path)
///     while let packet = try reader.next() {
///         guard packet.kind == .event else { continue }
///         reader.withBytes { event in … }
///     }
///
/// Read: btsnoop version 1 with data links 1002 (H4) and 2001 (Linux monitor); pcap version 2, in micro- and
/// nanoseconds and either byte order, and pcapng version 1, both with link types 187 (H4), 201 (H4 with direction) and
/// 254 (Linux monitor).
public struct CaptureReader: ~Copyable {
    /// The most bytes that one stored packet may have; a longer one is an error.
    public static let maximumPacketSize = 256 << 10

    private enum State {
        case start
        case btsnoop(BtsnoopFormat)
        case pcap(PcapFormat)
        case pcapng
        case ended
        case failed(CaptureError)
    }

    private var source: ByteSource
    private var state = State.start
    private var pcapng = PcapngFormat()
    private var current = 0..<0

    /// A reader of a file, which it closes when it ends. Nothing is read yet.
    ///
    /// Throws `cannotOpen`. (open)
    public init(path: String) throws(CaptureError) {
        source = ByteSource(descriptor: try SystemCalls.open(reading: path), closesDescriptor: true)
    }

    /// A reader of an open descriptor, such as 0 for standard input, which stays the caller's to close.
    public init(descriptor: Int32) {
        source = ByteSource(descriptor: descriptor, closesDescriptor: false)
    }

    /// How many packets of a pcapng file were passed over because their interface isn't Bluetooth HCI.
    public var skippedPackets: UInt64 { pcapng.skipped }

    /// The next packet, or nil at a clean end. Blocks while a pipe is silent.
    ///
    /// Once it has thrown it throws the same again.
    public mutating func next() throws(CaptureError) -> CapturedPacket? {
        do throws(CaptureError) {
            guard let found = try find() else {
                current = 0..<0
                state = .ended
                return nil
            }
            current = found.bytes
            return found.packet
        } catch {
            current = 0..<0
            state = .failed(error)
            throw error
        }
    }

    /// Lends the bytes of the packet that `next` returned last, without the H4 indicator; empty before and after.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(source.taken(current))
    }

    private mutating func find() throws(CaptureError) -> FoundPacket? {
        switch state {
        case .start:
            state = try recognize()
            return try find()
        case .btsnoop(let format): return try format.next(&source)
        case .pcap(let format): return try format.next(&source)
        case .pcapng: return try pcapng.next(&source)
        case .ended: return nil
        case .failed(let error): throw error
        }
    }

    private mutating func recognize() throws(CaptureError) -> State {
        try source.require(4, of: .magic)
        if let (order, units) = PcapFormat.recognize(source.bytes) {
            return .pcap(try PcapFormat(&source, order, unitsPerMicrosecond: units))
        }
        if source.bytes.bigEndian(UInt32.self, at: 0) == PcapngFormat.sectionHeader { return .pcapng }
        let magic = BtsnoopFormat.magic
        guard source.bytes.hasBytes(Array(magic.prefix(4))) else { throw CaptureError(.unknownFormat, at: 0) }
        try source.require(magic.count, of: .magic)
        guard source.bytes.hasBytes(magic) else { throw CaptureError(.unknownFormat, at: 0) }
        return .btsnoop(try BtsnoopFormat(&source))
    }
}
