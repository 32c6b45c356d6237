import Bytes
import Captures
import Foundation
import Support
import Testing

/// Files of Apple's PacketLogger, of our own making.
enum PacketLoggerFile {
    static let types: [(indicator: UInt8, sent: Bool, type: UInt8)] = [
        (1, true, 0x00), (4, false, 0x01), (2, true, 0x02), (2, false, 0x03), (3, true, 0x08), (3, false, 0x09),
    ]

    static func record(_ type: UInt8, _ bytes: [UInt8], _ time: Timestamp, big: Bool) -> [UInt8] {
        let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        var record: [UInt8] = []
        for word in [UInt32(bytes.count + 9), UInt32(seconds), UInt32(rest)] { record.append(word, big: big) }
        return record + [type] + bytes
    }

    /// Each kind of packet, notes between them, in both versions; each begins with another kind.
    static let fixtures: [CaptureFixture] = [true, false].flatMap { big in
        (0..<5).map { start in
            var fixture = CaptureFixture(name: "PacketLogger \(big ? 1 : 2), beginning with \(start)")
            let rows: [(UInt8, CapturedPacket.Kind, CapturedPacket.Direction, [UInt8])] = [
                (0x01, .event, .received, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
                (0xFC, .other, .unknown, Array("a note".utf8)),
                (0x00, .command, .sent, [0x0C, 0x20, 0x02, 0x01, 0x00]),
                (0x03, .acl, .received, [0x40, 0x00, 0x03, 0x00, 1, 2, 3]),
                (0x02, .acl, .sent, [0x40, 0x00, 0x01, 0x00, 9]),
                (0x09, .sco, .received, [0x40, 0x00, 0x01, 9]),
                (0x01, .event, .received, HCIFixture.report),
            ]
            for index in rows.indices {
                let (type, kind, direction, bytes) = rows[(index + start) % rows.count]
                let time = CaptureFixture.time(index)
                fixture.append(
                    record(type, bytes, time, big: big),
                    ReadPacket(packet: CapturedPacket(time: time, kind: kind, direction: direction), bytes: bytes))
            }
            return fixture
        }
    }
}

enum HCIFixture {
    /// An ADV_NONCONN_IND from c4:00:00:00:00:01 at −60 dBm.
    static let report: [UInt8] = [0x3E, 0x0F, 2, 1, 3, 1, 1, 0, 0, 0, 0, 0xC4, 3, 2, 1, 6, 0xC4]
}

@Suite struct PacketLoggerTests {
    @Test func atLeastEightFiles() { #expect(PacketLoggerFile.fixtures.count >= 8) }

    @Test("Report the fault of a complete file with its place")
    func faults() {
        let good = PacketLoggerFile.record(1, [0xFF, 0], CaptureFixture.time(0), big: true)
        var long = good
        long.replaceSubrange(0..<4, with: [0, 5, 0, 0])
        var late = good
        late.replaceSubrange(8..<12, with: [0, 0x0F, 0x42, 0x40])
        #expect(readAll(good + long).fault == CaptureError(.lengthOutOfRange(.packet, 0x5_0000), at: Int64(good.count)))
        #expect(readAll(good + late).fault == CaptureError(.timeOutOfRange, at: Int64(good.count) + 4))
        // Neither the time nor the type of a first record can be these: the file is something else.
        #expect(readAll(late).fault == CaptureError(.unknownFormat, at: 0))
        var strange = good
        strange[12] = 0x55
        #expect(readAll(strange).fault == CaptureError(.unknownFormat, at: 0))
        #expect(readAll(good + strange).packets.last?.packet.kind == .other)
    }
}
