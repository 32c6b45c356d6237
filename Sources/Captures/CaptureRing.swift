public import Bytes

/// A recording that never outgrows its bound: two btsnoop files, of which the older makes room for the newer.
///
///     var ring = try CaptureRing(path: "kitchen.btsnoop", bound: 64 << 20)
///     try ring.append(event, kind: .event, direction: .received, time: now)
///     try ring.flush()                       // as often as a crash may cost
///
/// The file at `path` holds the latest packets; the one that ends in `.1` those before them. What an earlier recording left
/// at `path` becomes the older file: a program that starts again after a crash doesn't wipe out what led to it.
public struct CaptureRing: ~Copyable {
    /// The bytes that both files may hold together.
    public let bound: Int64
    /// Where the latest packets are.
    public let path: String
    private var writer: CaptureWriter

    /// Where the packets before those at a path are.
    public static func older(_ path: String) -> String { path + ".1" }

    /// Begins a recording. A file holds half of `bound`, and 512 KiB at the least.
    ///
    /// Throws `cannotOpen`. (open, rename)
    public init(path: String, bound: Int64) throws(CaptureError) {
        self.path = path
        self.bound = max(bound, 1 << 20)
        writer = try Self.begin(path)
    }

    private static func begin(_ path: String) throws(CaptureError) -> CaptureWriter {
        try SystemCalls.rename(path, to: older(path))
        return try CaptureWriter(path: path)
    }

    /// Appends a packet, as ``CaptureWriter/append(_:kind:direction:time:)`` does, in a new file where this one is full.
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

    /// Writes what is still held back. Throws `cannotWrite`. (write)
    public mutating func flush() throws(CaptureError) {
        try writer.flush()
    }
}
