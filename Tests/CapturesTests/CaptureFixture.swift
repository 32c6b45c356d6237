import Bytes
import Captures
import Glibc
import Support
import Testing

/// A small capture made by hand, what it holds, and where it may end.
struct CaptureFixture: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8] = []
    var packets: [ReadPacket] = []
    /// After each packet: where it ends.
    var packetEnds: [Int] = []
    /// The places where a file may be cut without a fault.
    var cleanEnds: Set<Int> = []

    var testDescription: String { name }

    /// An event, a command, ACL data sent, an empty event and an unknown kind, as an H4 host would see them.
    static let traffic: [(indicator: UInt8, sent: Bool, bytes: [UInt8])] = [
        (4, false, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
        (1, true, [0x0C, 0x20, 0x02, 0x01, 0x00]),
        (2, true, [0x40, 0x00, 0x03, 0x00, 0x01, 0x02, 0x03]),
        (4, false, [0xFF, 0x00]),
        (9, false, [0xAA]),
    ]

    /// 2026-11-21T08:00:00.123456Z, and a millisecond more for each packet.
    static func time(_ index: Int) -> Timestamp { Timestamp(microseconds: 1_795_248_000_123_456 + Int64(index) * 1000) }

    static func kind(_ indicator: UInt8) -> CapturedPacket.Kind {
        switch indicator {
        case 1: .command
        case 2: .acl
        case 4: .event
        default: .other
        }
    }

    /// Appends a piece that ends where a file may end, and the packet that it holds.
    mutating func append(_ piece: [UInt8], _ packet: ReadPacket? = nil) {
        bytes += piece
        cleanEnds.insert(bytes.count)
        if let packet {
            packets.append(packet)
            packetEnds.append(bytes.count)
        }
    }

    static let all: [CaptureFixture] =
        btsnoopFixtures + pcapFixtures + PacketLoggerFile.fixtures + pcapngFixtures
}

/// In what form the traffic stands in a fixture.
enum StoredForm: CaseIterable {
    case h4, h4WithDirection, linuxMonitor

    var linkType: UInt16 {
        switch self {
        case .h4: 187
        case .h4WithDirection: 201
        case .linuxMonitor: 254
        }
    }

    /// A packet of the traffic as this form stores it.
    func stored(_ indicator: UInt8, sent: Bool, _ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .h4: return [indicator] + bytes
        case .h4WithDirection: return [0, 0, 0, sent ? 0 : 1, indicator] + bytes
        case .linuxMonitor: return [0, 3, 0, UInt8(monitorOpcode(indicator))] + bytes
        }
    }

    /// The expected result of a reader.
    func packet(_ indicator: UInt8, sent: Bool, time: Timestamp?) -> CapturedPacket {
        let kind = CaptureFixture.kind(indicator)
        var direction: CapturedPacket.Direction = sent ? .sent : .received
        if self == .h4, kind == .acl || kind == .other { direction = .unknown }
        if self == .linuxMonitor, kind == .other { direction = .unknown }
        return CapturedPacket(time: time, kind: kind, direction: direction, adapter: self == .linuxMonitor ? 3 : nil)
    }
}

func monitorOpcode(_ indicator: UInt8) -> UInt32 {
    switch indicator {
    case 1: 2
    case 2: 4
    case 4: 3
    default: 12
    }
}

extension [UInt8] {
    /// Appends an integer in either byte order.
    mutating func append<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer, big: Bool) {
        if big { append(bigEndian: value) } else { append(littleEndian: value) }
    }
}

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
