/// A file or pipe read in order through one buffer: 64 KiB, grown to the largest piece requested, independent of the
/// size of the file.
struct ByteSource: ~Copyable {
    /// The number of bytes requested by one read.
    static let readSize = 64 << 10

    let descriptor: Int32
    private let closesDescriptor: Bool
    /// True if it waits for bytes that a pipe doesn't have yet; otherwise it uses those that are available.
    private let waits: Bool
    private var buffer = [UInt8](repeating: 0, count: readSize)
    /// The range of `buffer` with the bytes that were read and not yet consumed.
    private var unread = 0..<0
    /// True if nothing more can come.
    private(set) var atEnd = false
    /// The position of the next byte in the file, counted from 0.
    private(set) var offset: Int64 = 0

    init(descriptor: Int32, closesDescriptor: Bool, waits: Bool = true) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.waits = waits
    }

    deinit {
        if closesDescriptor { SystemCalls.close(descriptor) }
    }

    /// The bytes that were read and not yet consumed: as many as the last `available` returned, or more.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { buffer.span.extracting(unread) }
    }

    /// The number of bytes, `count` at most, that can be examined: fewer only at the end of the file, or if it doesn't
    /// wait.
    ///
    /// The caller bounds `count`. The result of an earlier `take` is no longer valid.
    mutating func available(_ count: Int) throws(CaptureError) -> Int {
        if unread.count >= count { return count }
        makeRoom(for: count)
        while unread.count < count, !atEnd, waits || SystemCalls.isReadable(descriptor) {
            let end = offset + Int64(unread.count)
            let more = try SystemCalls.read(descriptor, into: &buffer, from: unread.upperBound, at: end)
            atEnd = more == 0
            unread = unread.lowerBound..<unread.upperBound + more
        }
        return min(unread.count, count)
    }

    /// Makes sure that `count` bytes are available; otherwise throws an error that names `part`, the one that the last
    /// of them belong to.
    mutating func require(_ count: Int, of part: CaptureError.Part) throws(CaptureError) {
        let present = try available(count)
        guard present == count else {
            throw CaptureError(.cutShort(part, missing: count - present), at: offset + Int64(present))
        }
    }

    /// Consumes available bytes, and returns their range, which is valid until the next `available`.
    mutating func consumeBytes(_ count: Int) -> Range<Int> {
        let taken = unread.lowerBound..<unread.lowerBound + count
        unread = taken.upperBound..<unread.upperBound
        offset += Int64(count)
        return taken
    }

    /// The bytes of a range returned by `take`.
    @_lifetime(borrow self)
    func taken(_ range: Range<Int>) -> Span<UInt8> {
        buffer.span.extracting(range)
    }

    /// Skips `count` bytes of `part`, in pieces, without a bound on their number.
    mutating func skip(_ count: Int, of part: CaptureError.Part) throws(CaptureError) {
        var rest = count
        while rest > 0 {
            let present = try available(min(rest, Self.readSize))
            guard present > 0 else { throw CaptureError(.cutShort(part, missing: rest), at: offset) }
            _ = consumeBytes(present)
            rest -= present
        }
    }

    private mutating func makeRoom(for count: Int) {
        guard unread.lowerBound + count > buffer.count || unread.isEmpty else { return }
        let kept = unread.count
        for index in 0..<kept { buffer[index] = buffer[unread.lowerBound + index] }
        unread = 0..<kept
        if count > buffer.count { buffer.append(contentsOf: repeatElement(0, count: count - buffer.count)) }
    }
}
