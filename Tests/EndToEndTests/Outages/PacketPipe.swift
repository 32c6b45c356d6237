import Advertising
import Bytes
import Glibc
import Support

/// A named pipe of btsnoop. It is held open, so that one reader can follow another.
final class PacketPipe {
    let path: String
    private var descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw SystemError(code: errno) }
        // For reading too: without a reader it could not be opened, and one that is killed must not break it.
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
    }

    deinit { end() }

    /// Writes all of it, as fast as it is read; false if `isRead` ceases to hold before.
    func write(_ bytes: [UInt8], while isRead: () throws -> Bool) rethrows -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                guard try isRead() else { return false }
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, 50)
            }
        }
        return true
    }

    /// Drains unread bytes, and returns those behind the last file header.
    func drainBehindHeader() -> ArraySlice<UInt8> {
        let bytes = drain()
        let size = Self.header.count
        let last = (0..<max(0, bytes.count - size)).last { bytes[$0..<$0 + size].elementsEqual(Self.header) }
        return bytes[(last.map { $0 + size } ?? 0)...]
    }

    private func drain() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
        }
    }

    /// Ends the writing.
    func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    static var header: [UInt8] {
        var bytes = Array("btsnoop\0".utf8)
        bytes.append(bigEndian: 1 as UInt32)
        bytes.append(bigEndian: 1002 as UInt32)
        return bytes
    }

    /// A record of an HCI event that was received.
    static func record(_ event: [UInt8], at time: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(event.count + 1))
        bytes.append(bigEndian: UInt32(event.count + 1))
        bytes.append(bigEndian: 3 as UInt32)
        bytes.append(bigEndian: 0 as UInt32)
        bytes.append(bigEndian: UInt64(time.microseconds + 719_540 * 86_400_000_000))
        return bytes + [4] + event
    }
}

/// Packets of a hall as a stream; an event is made once for each frame and level.
struct HallEncoder {
    private var events: [Int: [UInt8]] = [:]

    mutating func bytes(_ packets: [BusyHall.Packet], _ transmitters: [BusyHall.Transmitter]) -> [UInt8] {
        var bytes = PacketPipe.header
        for packet in packets {
            let key = (packet.beacon << 1 | packet.frame) << 8 | Int(UInt8(bitPattern: packet.rssi))
            let event = events[key] ?? Self.event(packet, transmitters[packet.beacon])
            events[key] = event
            bytes += PacketPipe.record(event, at: packet.time)
        }
        return bytes
    }

    private static func event(_ packet: BusyHall.Packet, _ transmitter: BusyHall.Transmitter) -> [UInt8] {
        var encoder = AdvertisingReportEncoder(.legacy)
        let report = AdvertisingReport(
            eventType: .advNonconnInd, address: transmitter.address, rssi: packet.rssi)
        let data = transmitter.data[packet.frame]
        encoder.append(report, data.span)
        return encoder.takeEvent()
    }
}
