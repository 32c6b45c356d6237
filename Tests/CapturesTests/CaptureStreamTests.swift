import Bytes
import Captures
import Glibc
import Support
import Testing

/// A pipe is read while another program writes it: nothing is lost, nothing is waited for.
@Suite struct CaptureStreamTests {
    /// A pipe that a test feeds by hand, and what a reader has made of it.
    private final class Feed {
        private(set) var reading: Int32
        private var writing: Int32

        init() {
            (reading, writing) = openPipe()
        }

        deinit {
            if writing >= 0 { close(writing) }
            close(reading)
        }

        func write(_ bytes: some Collection<UInt8>) {
            let bytes = Array(bytes)
            precondition(Glibc.write(writing, bytes, bytes.count) == bytes.count)
        }

        func end() {
            close(writing)
            writing = -1
            waitForEnd(of: reading)
        }
    }

    /// The packets available now, with the step that ended them.
    private func take(_ stream: inout CaptureStream) throws(CaptureError) -> (packets: [ReadPacket], CaptureStream.Step)
    {
        var packets: [ReadPacket] = []
        while true {
            let step = try stream.next()
            guard case .packet(let packet) = step else { return (packets, step) }
            packets.append(ReadPacket(packet: packet, bytes: stream.withBytes { [UInt8](copying: $0) }))
        }
    }

    @Test(
        "Return each packet of a stream as soon as it is complete, for any pieces",
        arguments: btsnoopFixtures + pcapFixtures + pcapngFixtures)
    func pieces(_ fixture: CaptureFixture) throws {
        let feed = Feed()
        var stream = CaptureStream(descriptor: feed.reading)
        var packets: [ReadPacket] = []
        for (index, byte) in fixture.bytes.enumerated() {
            feed.write([byte])
            let (found, step) = try take(&stream)
            packets += found
            #expect(step == .nothingYet)
            #expect(packets.count == fixture.packetEnds.count { $0 <= index + 1 })
        }
        feed.end()
        #expect(try take(&stream).1 == .ended)
        #expect(packets == fixture.packets)
    }

    @Test("Continue with the next file header after a start in the middle", arguments: btsnoopFixtures)
    func middle(_ fixture: CaptureFixture) throws {
        for cut in stride(from: 1, to: fixture.bytes.count, by: 3) {
            let feed = Feed()
            var stream = CaptureStream(descriptor: feed.reading)
            feed.write(fixture.bytes[cut...])
            #expect(try take(&stream) == ([], .nothingYet))
            feed.write(fixture.bytes + fixture.bytes)
            #expect(try take(&stream) == (fixture.packets + fixture.packets, .nothingYet))
        }
    }

    @Test("Lose the packets up to the next file header to a fault, and no more")
    func fault() throws {
        let fixture = btsnoopFixtures[0]
        let feed = Feed()
        var stream = CaptureStream(descriptor: feed.reading)
        var long = btsnoopHeader(dataLink: 1002)
        for word in [5, 0xFFFF_FFFF, 0, 0, 0, 0] as [UInt32] { long.append(bigEndian: word) }
        for (bad, reason) in [
            (btsnoopHeader(version: 2, dataLink: 1002), CaptureError.Reason.unsupportedVersion(2)),
            (btsnoopHeader(dataLink: 1001), .unsupportedLinkType(1001)),
            (long, .lengthOutOfRange(.packet, 0xFFFF_FFFF)),
        ] {
            feed.write(bad)
            let fault = #expect(throws: CaptureError.self) { try take(&stream) }
            #expect(fault?.reason == reason)
            feed.write(fixture.bytes)
            #expect(try take(&stream).packets == fixture.packets)
        }
    }

    @Test("Report an end in the middle of a packet, and then the end")
    func cutShort() throws {
        let fixture = btsnoopFixtures[0]
        let feed = Feed()
        var stream = CaptureStream(descriptor: feed.reading)
        feed.write(fixture.bytes.dropLast())
        feed.end()
        let last = fixture.packets.count - 1
        for packet in fixture.packets[..<last] { #expect(try stream.next() == .packet(packet.packet)) }
        let fault = #expect(throws: CaptureError.self) { try stream.next() }
        #expect(fault == CaptureError(.cutShort(.packet, missing: 1), at: Int64(fixture.bytes.count - 1)))
        #expect(try stream.next() == .ended)
    }

    @Test("Report a missing file header after a megabyte, in bounded memory")
    func foreign() throws {
        let feed = Feed()
        var stream = CaptureStream(descriptor: feed.reading)
        var faults = 0
        for _ in 0..<160 {
            feed.write([UInt8](repeating: 0x62, count: 16 << 10))
            do throws(CaptureError) { _ = try take(&stream) } catch { faults += error.reason == .unknownFormat ? 1 : 0 }
        }
        #expect(faults == 2)
    }

    @Test("Read the same packets from a sniffer's stream as from its file", arguments: SnifferKind.allCases)
    func sniffer(_ kind: SnifferKind) throws {
        for file in SnifferFile.all where file.kind == kind {
            let feed = Feed()
            var stream = CaptureStream(descriptor: feed.reading)
            let bytes = file.file.bytes
            feed.write(bytes.prefix(bytes.count / 2))
            var packets = try take(&stream).packets
            feed.write(bytes.dropFirst(bytes.count / 2))
            packets += try take(&stream).packets
            feed.end()
            packets += try take(&stream).packets
            #expect(packets == readAll(bytes).packets, "\(file.testDescription)")
        }
    }

    @Test("Report a stream without a file header at its end")
    func nothing() throws {
        let feed = Feed()
        var stream = CaptureStream(descriptor: feed.reading)
        feed.write(Array("nothing".utf8))
        #expect(try take(&stream).1 == .nothingYet)
        feed.end()
        let fault = #expect(throws: CaptureError.self) { try stream.next() }
        #expect(fault == CaptureError(.noHeader, at: 7))
        #expect(try stream.next() == .ended)
    }
}
