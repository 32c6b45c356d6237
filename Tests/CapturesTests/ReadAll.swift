import Bytes
import Captures
import Glibc
import Support

/// A packet with its bytes, so that whole captures can be compared.
struct ReadPacket: Hashable {
    var packet: CapturedPacket
    var bytes: [UInt8]
}

/// All that a reader gives, and how it ended: nil for a clean end.
func readAll(_ reader: consuming CaptureReader) -> (packets: [ReadPacket], fault: CaptureError?) {
    var packets: [ReadPacket] = []
    do throws(CaptureError) {
        while let packet = try reader.next() {
            packets.append(ReadPacket(packet: packet, bytes: reader.withBytes { [UInt8](copying: $0) }))
        }
        return (packets, nil)
    } catch {
        return (packets, error)
    }
}

/// All that is read of a capture that comes through a pipe in one piece; it must fit into a pipe (64 KiB).
func readAll(_ capture: some Collection<UInt8>) -> (packets: [ReadPacket], fault: CaptureError?) {
    let pipe = openPipe()
    defer { close(pipe.reading) }
    let bytes = Array(capture)
    precondition(bytes.isEmpty || write(pipe.writing, bytes, bytes.count) == bytes.count)
    close(pipe.writing)
    return readAll(CaptureReader(descriptor: pipe.reading))
}
