public import Bytes

/// A recording of bounded size: two btsnoop files, of which the older is replaced as the newer fills up.
///
///     var ring = try CaptureRing(path: "kitchen.btsnoop", bound: 64 << 20)
///     try ring.append(event, kind: .event, direction: .received, time: now)
///     try ring.flush()                       // as often as a crash may cost
///
/// The file at `path` contains the latest packets, the one that ends in `.1` those before them. An earlier recording at
/// `path` becomes the older file: a program that restarts after a crash doesn't erase the packets that led to it.
public struct CaptureRing: ~Copyable {
    /// The bytes that both files may contain together.
    public let bound: Int64
    /// The path of the file with the latest packets.
    public let path: String
    private var writer: CaptureWriter

    /// The path of the file with the packets before those at `path`.
    public static func older(_ path: String) -> String { path + ".1" }

    /// Begins a recording. A file contains half of `bound`, and 512 KiB at the least.
    ///
    /// Throws `cannotOpen`. (open, rename)
    public init(path: String, bound: Int64) throws(CaptureError) {
        let writer = try Self.begin(path)
        self.init(writer, path: path, bound: bound)
    }

    // A call that throws between two stored properties crashes the compiler of Swift 6.2.
    private init(_ writer: consuming CaptureWriter, path: String, bound: Int64) {
        self.path = path
        self.bound = max(bound, 1 << 20)
        self.writer = writer
    }

    private static func begin(_ path: String) throws(CaptureError) -> CaptureWriter {
        try SystemCalls.rename(path, to: older(path))
        return try CaptureWriter(path: path)
    }

    /// Appends a packet, as ``CaptureWriter/append(_:kind:direction:time:)`` does; begins a new file if this one is
    /// full.
    public mutating func append(
        _ bytes: Span<UInt8>, kind: CapturedPacket.Kind, direction: CapturedPacket.Direction, time: Timestamp
    ) throws(CaptureError) {
        let record = Int64(BtsnoopFormat.recordHeaderSize + 1 + bytes.count)
        if writer.size + record > bound / 2 {
            try flush()
            writer = try Self.begin(path)
        }
        try writer.append(bytes, kind: kind, direction: direction, time: time)
    }

    /// Writes the buffered bytes. Throws `cannotWrite`. (write)
    public mutating func flush() throws(CaptureError) {
        try writer.flush()
    }
}
