import Advertising

/// A packet, and where in its source's buffer its bytes lie, or a copy of them.
struct FoundPacket {
    var packet: CapturedPacket
    var bytes: Range<Int>
    var copy: [UInt8]?
    /// Of a link-layer packet, which is no packet of HCI yet.
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
