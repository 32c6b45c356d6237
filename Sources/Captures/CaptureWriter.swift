public import Bytes

/// Writes HCI packets to a btsnoop file (version 1, data link 1002: H4), 64 KiB at a time.
///
/// Call `close()` to know that all of it is written; a writer that is only released writes the rest without reporting
/// errors.
public struct CaptureWriter: ~Copyable {
    private static let pieceSize = 64 << 10

    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var written: Int64 = 0

    /// Creates a file, or empties an existing one.
    ///
    /// Throws `cannotOpen`. (open)
    public init(path: String) throws(CaptureError) {
        let descriptor = try SystemCalls.open(writing: path)
        self.init(descriptor)
    }

    // A call that throws between two stored properties crashes the compiler of Swift 6.2.
    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        pending.reserveCapacity(Self.pieceSize + 1024)
        pending.append(contentsOf: BtsnoopFormat.magic)
        pending.append(bigEndian: 1 as UInt32)
        pending.append(bigEndian: BtsnoopFormat.h4)
    }

    /// The size of the file in bytes, including those still buffered.
    public var size: Int64 { written + Int64(pending.count) }

    deinit {
        // A failure can't be reported here.
        try? SystemCalls.write(descriptor, pending, at: written)
        SystemCalls.close(descriptor)
    }

    /// Appends a packet; `bytes` as returned by the reader, without the H4 indicator.
    ///
    /// An unknown direction is written as the only one that its kind has, otherwise as received. Throws
    /// `unwritableKind`, `lengthOutOfRange` over 256 KiB, `timeOutOfRange` and `cannotWrite`. Blocks when a piece is
    /// full.
    public mutating func append(
        _ bytes: Span<UInt8>, kind: CapturedPacket.Kind, direction: CapturedPacket.Direction, time: Timestamp
    ) throws(CaptureError) {
        let offset = size
        guard let indicator = kind.h4Indicator else { throw CaptureError(.unwritableKind, at: offset) }
        guard bytes.count < CaptureReader.maximumPacketSize else {
            throw CaptureError(.lengthOutOfRange(.packet, UInt32(clamping: bytes.count)), at: offset)
        }
        let (stamp, overflow) = time.microseconds.addingReportingOverflow(BtsnoopFormat.origin)
        guard !overflow, time.microseconds.magnitude <= CaptureTime.limit else {
            throw CaptureError(.timeOutOfRange, at: offset)
        }
        let length = UInt32(bytes.count + 1)
        let sent = (direction == .unknown ? kind.onlyDirection : direction) == .sent
        let isCommandOrEvent = kind == .command || kind == .event
        pending.append(bigEndian: length)
        pending.append(bigEndian: length)
        pending.append(bigEndian: (sent ? 0 : 1) | (isCommandOrEvent ? 2 : 0) as UInt32)
        pending.append(bigEndian: 0 as UInt32)
        pending.append(bigEndian: UInt64(bitPattern: stamp))
        pending.append(indicator)
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceSize { try flush() }
    }

    /// Writes the buffered bytes. Throws `cannotWrite`. (write)
    public mutating func flush() throws(CaptureError) {
        // A failed write is not repeated: it would be repeated for ever on a full disk.
        defer { pending.removeAll(keepingCapacity: true) }
        try SystemCalls.write(descriptor, pending, at: written)
        written += Int64(pending.count)
    }

    /// Writes the rest and closes the file. Throws `cannotWrite`.
    public consuming func close() throws(CaptureError) {
        try flush()
    }
}
