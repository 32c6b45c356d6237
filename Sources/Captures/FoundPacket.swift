/// A packet, and where in its source's buffer its bytes lie.
struct FoundPacket {
    var packet: CapturedPacket
    var bytes: Range<Int>

    init(_ packet: CapturedPacket, _ bytes: Range<Int>) {
        self.packet = packet
        self.bytes = bytes
    }
}
