/// The body of an answer while it is sent.
final class BodyReader {
    let body: [UInt8]

    init(_ body: [UInt8]) {
        self.body = body
    }

    /// Copies the bytes from a position on; returns their number.
    func read(from position: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
        guard body.indices.contains(position) else { return 0 }
        let count = min(room.count, body.count - position)
        unsafe body.withUnsafeBytes { bytes in
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        return count
    }
}
