/// A file or pipe read in order through one buffer: 64 KiB, grown to the largest piece asked for, never with the file.
struct ByteSource: ~Copyable {
    /// How much is read at once, in bytes.
    static let readSize = 64 << 10

    let descriptor: Int32
    private let closesDescriptor: Bool
    /// Whether it waits for bytes that a pipe doesn't have yet; otherwise it makes do with those that are there.
    private let waits: Bool
    private var buffer = [UInt8](repeating: 0, count: readSize)
    /// Where in `buffer` the bytes that were read and not yet taken lie.
    private var unread = 0..<0
    /// Whether nothing more can come.
    private(set) var atEnd = false
    /// Where in the file the next byte stands, counted from 0.
    private(set) var offset: Int64 = 0

    init(descriptor: Int32, closesDescriptor: Bool, waits: Bool = true) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.waits = waits
    }

    deinit {
        if closesDescriptor { SystemCalls.close(descriptor) }
    }

    /// The bytes that were read and not yet taken: as many as the last `available` said, or more.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { buffer.span.extracting(unread) }
    }

    /// How many of `count` bytes are there to be looked at: fewer only at the end of the file, or where it doesn't wait.
    ///
    /// The caller bounds `count`. What `take` returned before is no longer valid.
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

    /// Makes sure that `count` bytes are there; the last of them belong to `part`, which is named when they are not.
    mutating func require(_ count: Int, of part: CaptureError.Part) throws(CaptureError) {
        let present = try available(count)
        guard present == count else {
            throw CaptureError(.cutShort(part, missing: count - present), at: offset + Int64(present))
        }
    }

    /// Takes bytes that are there, and gives a name for them that is good until the next `available`.
    mutating func take(_ count: Int) -> Range<Int> {
        let taken = unread.lowerBound..<unread.lowerBound + count
        unread = taken.upperBound..<unread.upperBound
        offset += Int64(count)
        return taken
    }

    /// The bytes that `take` took.
    @_lifetime(borrow self)
    func taken(_ range: Range<Int>) -> Span<UInt8> {
        buffer.span.extracting(range)
    }

    /// Passes over `count` bytes of `part`, however many, piece by piece.
    mutating func skip(_ count: Int, of part: CaptureError.Part) throws(CaptureError) {
        var rest = count
        while rest > 0 {
            let present = try available(min(rest, Self.readSize))
            guard present > 0 else { throw CaptureError(.cutShort(part, missing: rest), at: offset) }
            _ = take(present)
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
