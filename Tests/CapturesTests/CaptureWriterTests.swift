import Bytes
import Captures
import Foundation
import Support
import Testing

@Suite struct CaptureWriterTests {
    @Test func whatIsRecordedReadsBackTheSame() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("recorded.btsnoop")
        let fixture = try #require(CaptureFixture.all.first)
        let packets = fixture.packets.filter { $0.packet.kind != .other }
        var writer = try CaptureWriter(path: path)
        for entry in packets {
            let time = try #require(entry.packet.time)
            try writer.append(entry.bytes.span, kind: entry.packet.kind, direction: entry.packet.direction, time: time)
        }
        try writer.close()
        let (read, fault) = readAll(try CaptureReader(path: path))
        #expect(fault == nil)
        #expect(read == packets)
    }

    @Test func aLongRecordingIsWrittenInPiecesAndWhole() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("long.btsnoop")
        do {
            var writer = try CaptureWriter(path: path)
            let event = [UInt8](repeating: 0x3E, count: 257)
            for index in 0..<1000 {
                try writer.append(event.span, kind: .event, direction: .unknown, time: CaptureFixture.time(index))
            }
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect(size > 128 << 10)
            // Let go without close.
        }
        let (packets, fault) = readAll(try CaptureReader(path: path))
        #expect(fault == nil)
        #expect(packets.count == 1000)
        #expect(packets.last?.packet.time == CaptureFixture.time(999))
        #expect(packets.allSatisfy { $0.packet.direction == .received })
    }

    @Test func whatCannotBeWrittenIsRefused() throws {
        let folder = try TemporaryFolder()
        var writer = try CaptureWriter(path: folder.file("refused.btsnoop"))
        let start: Int64 = 16
        let huge = [UInt8](repeating: 0, count: CaptureReader.maximumPacketSize)
        func failure(
            _ bytes: [UInt8], _ kind: CapturedPacket.Kind, _ time: Timestamp = CaptureFixture.time(0)
        ) -> CaptureError? {
            do throws(CaptureError) {
                try writer.append(bytes.span, kind: kind, direction: .received, time: time)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure([1], .other) == CaptureError(.unwritableKind, at: start))
        #expect(failure(huge, .acl) == CaptureError(.lengthOutOfRange(.packet, 262_144), at: start))
        #expect(failure([1], .acl, Timestamp(microseconds: .max)) == CaptureError(.timeOutOfRange, at: start))
        #expect(failure([1], .acl) == nil)
    }

    @Test func aFullDiskIsAnErrorAndNotACrash() throws {
        var writer = try CaptureWriter(path: "/dev/full")
        #expect(throws: CaptureError(.cannotWrite(ENOSPC), at: 0)) {
            try writer.flush()
        }
    }
}
