import Advertising

/// A packet, with the place of its bytes in the source's buffer or a copy of them.
struct FoundPacket {
    var packet: CapturedPacket
    var bytes: Range<Int>
    var copy: [UInt8]?
    /// The reception of a link-layer packet, which is not yet an HCI packet.
    var reception: LinkLayerReception?

    init(_ packet: CapturedPacket, _ bytes: Range<Int>, _ reception: LinkLayerReception? = nil) {
        self.packet = packet
        self.bytes = bytes
        self.reception = reception
    }

    init(_ packet: CapturedPacket, copy: [UInt8]) {
        self.packet = packet
        bytes = 0..<0
        self.copy = copy
    }
}
