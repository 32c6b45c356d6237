internal import Advertising
internal import Bytes
internal import CBluetooth
internal import Glibc

/// A socket of the kernel's Bluetooth stack, closed with its owner. Nothing here blocks.
final class HCISocket {
    /// The space for one packet in bytes: an event with its indicator. Longer packets, which a user channel carries
    /// beside events, are cut off and ignored.
    static let stride = 258
    /// The most packets read in one call.
    static let batch = Int(WB_BATCH)
    /// The requested size of the receive buffer in bytes: with the kernel's overhead about 5,000 events.
    static let bufferSize: Int32 = 2 << 20

    /// The packet indicator of an event (Core Vol 4 Part A 2).
    private static let eventIndicator: UInt8 = 0x04
    /// Answers to commands, hardware errors, and LE Meta.
    private static let events: [UInt8] = [
        ControllerReply.completeCode, ControllerReply.statusCode, ScanController.hardwareErrorCode, HCIEvent.leMeta,
    ]

    let number: Int32
    private var room = [UInt8](repeating: 0, count: stride * batch)
    private var lengths = [Int32](repeating: 0, count: batch)
    private var times = [Int64](repeating: 0, count: batch)

    /// Takes ownership of an open socket; throws the error that a shim returned in its place.
    init(_ number: Int32) throws(SocketError) {
        guard number >= 0 else { throw SocketError(code: -number) }
        self.number = number
    }

    deinit { close(number) }

    /// A socket that receives an adapter's events, on either channel.
    static func listening(to adapter: UInt16, _ channel: ScanSettings.Channel) throws(SocketError) -> HCISocket {
        let kind = channel == .user ? HCI_CHANNEL_USER : HCI_CHANNEL_RAW
        let socket = try HCISocket(wb_hci_open(adapter, UInt16(kind)))
        let code =
            channel == .user
            ? wb_hci_stamp(socket.number) : unsafe wb_hci_filter(socket.number, events, Int32(events.count))
        guard code == 0 else { throw SocketError(code: -code) }
        _ = wb_hci_buffer(socket.number, bufferSize)
        return socket
    }

    /// A socket of the management interface.
    static func management() throws(SocketError) -> HCISocket {
        try HCISocket(wb_hci_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_CONTROL)))
    }

    /// A socket for requests about adapters.
    static func control() throws(SocketError) -> HCISocket { try HCISocket(wb_hci_control()) }

    /// Packets that the kernel dropped because the buffer was full; nil if it doesn't count them.
    var dropped: UInt64? {
        let count = wb_hci_drops(number)
        return count < 0 ? nil : UInt64(count)
    }

    /// Sends a packet.
    func send(_ packet: [UInt8]) throws(SocketError) {
        while unsafe write(number, packet, packet.count) < 0 {
            guard errno == EINTR else { throw SocketError(code: errno) }
        }
    }

    /// Passes on the packets that wait, `batch` at most, each with its time of arrival in the kernel (nil if unknown).
    /// Returns their number.
    func receive(_ body: (Span<UInt8>, Timestamp?) -> Void) throws(SocketError) -> Int {
        let count = unsafe wb_hci_receive(number, &room, Self.stride, &lengths, &times)
        if count == -EAGAIN { return 0 }
        guard count >= 0 else { throw SocketError(code: -count) }
        for index in 0..<Int(count) {
            let start = index * Self.stride
            let stamp = times[index] == 0 ? nil : Timestamp(microseconds: times[index])
            body(room.span.extracting(start..<start + min(Int(lengths[index]), Self.stride)), stamp)
        }
        return Int(count)
    }

    /// Passes on all packets that wait.
    func drain(_ body: (Span<UInt8>) -> Void) throws(SocketError) {
        while try receive({ packet, _ in body(packet) }) == Self.batch {}
    }

    /// Passes on the events that wait, from their event codes on, as `receive` does.
    func receiveEvents(_ body: (Span<UInt8>, Timestamp?) -> Void) throws(SocketError) -> Int {
        try receive { packet, time in
            guard packet.byte(at: 0) == Self.eventIndicator else { return }
            body(packet.extracting(1..<packet.count), time)
        }
    }
}

/// The error of a system call (errno(3)).
struct SocketError: Error, Hashable {
    var code: Int32
}
