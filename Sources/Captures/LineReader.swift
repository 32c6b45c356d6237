internal import Bytes

/// Reads a text file, or a pipe, line by line; memory doesn't grow with the file.
///
///     var lines = try LineReader(path: path)
///     while let line = try lines.next() { … }
public struct LineReader: ~Copyable {
    /// The most bytes of a line without its end; nothing of a longer one is retained.
    public static let maximumLength = 16 << 10

    /// A line.
    public struct Line: Hashable, Sendable {
        /// The number of the line, counted from 1.
        public var number: Int
        /// The text without the line end; invalid UTF-8 is replaced. Nil for a line that is too long.
        public var text: String?
    }

    private var source: ByteSource
    private var number = 0

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

    /// The next line; nil at the end. A last line needs no line end. Blocks while a pipe is silent.
    ///
    /// Throws `cannotRead`. (read)
    public mutating func next() throws(CaptureError) -> Line? {
        var isTooLong = false
        var length = 0
        while try source.available(length + 1) > length {
            let present = source.bytes.count
            while length < present, source.bytes[length] != 0x0A { length += 1 }
            if length < present { return makeLine(length, endSize: 1, isTooLong) }
            if length > Self.maximumLength {
                isTooLong = true
                _ = source.consumeBytes(length)
                length = 0
            }
        }
        return length > 0 || isTooLong ? makeLine(length, endSize: 0, isTooLong) : nil
    }

    private mutating func makeLine(_ length: Int, endSize: Int, _ isTooLong: Bool) -> Line {
        number += 1
        let range = source.consumeBytes(length)
        _ = source.consumeBytes(endSize)
        if isTooLong || length > Self.maximumLength { return Line(number: number, text: nil) }
        return Line(number: number, text: String(decoding: [UInt8](copying: source.taken(range)), as: UTF8.self))
    }
}
