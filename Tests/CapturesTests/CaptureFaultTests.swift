import Bytes
import Captures
import Testing

/// Files that are whole and wrong: each must end in its own error, at the byte that is wrong.
@Suite struct CaptureFaultTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var fault: CaptureError

        init(_ name: String, _ bytes: [UInt8], _ reason: CaptureError.Reason, at offset: Int64) {
            testDescription = name
            self.bytes = bytes
            fault = CaptureError(reason, at: offset)
        }
    }

    @Test(arguments: btsnoop + pcap + pcapng)
    func aWrongFileSaysWhatIsWrongAndWhere(_ row: Row) {
        let (packets, fault) = readAll(row.bytes)
        #expect(packets.isEmpty)
        #expect(fault == row.fault)
    }

    static let btsnoop: [Row] = {
        let header = btsnoopHeader(dataLink: 1002)
        var long = header
        for word in [5, 0xFFFF_FFFF, 0, 0, 0, 0] as [UInt32] { long.append(bigEndian: word) }
        return [
            Row("another file", Array("<html></html>".utf8), .unknownFormat, at: 0),
            Row("almost btsnoop", Array("btsnoap\0".utf8), .unknownFormat, at: 0),
            Row("btsnoop version 2", btsnoopHeader(version: 2, dataLink: 1002), .unsupportedVersion(2), at: 8),
            Row("btsnoop of H1", btsnoopHeader(dataLink: 1001), .unsupportedLinkType(1001), at: 12),
            Row(
                "btsnoop packet of 4 GiB", long + [UInt8](repeating: 0, count: 64),
                .lengthOutOfRange(.packet, 0xFFFF_FFFF), at: 20),
            Row(
                "btsnoop time before the year −99,000",
                header + btsnoopRecord([4], flags: 1, stamp: 1 << 63), .timeOutOfRange, at: 32),
            Row(
                "btsnoop time after the year 100,000",
                header + btsnoopRecord([4], flags: 1, stamp: .max >> 1), .timeOutOfRange, at: 32),
        ]
    }()

    static let pcap: [Row] = [true, false].flatMap { big in
        let header = pcapHeader(linkType: 187, big: big)
        var long = header
        for word in [0, 0, 262_145, 262_145] as [UInt32] { long.append(word, big: big) }
        return [
            Row("pcap version 1", pcapHeader(linkType: 187, big: big, major: 1), .unsupportedVersion(1), at: 4),
            Row("pcap of Ethernet", pcapHeader(linkType: 1, big: big), .unsupportedLinkType(1), at: 20),
            Row("pcap packet too long", long, .lengthOutOfRange(.packet, 262_145), at: 32),
            Row(
                "pcap fraction of a second and more",
                header + pcapRecord([4], seconds: 1, fraction: 1_000_000, big: big), .timeOutOfRange, at: 24),
        ]
    }

    static let pcapng: [Row] = [true, false].flatMap { big in
        let blocks = PcapngBlocks(big: big)
        let header = blocks.sectionHeader()
        let start = header + blocks.interface(187)
        let place = Int64(start.count)
        var strange = header
        strange[8] = 0
        var trailer = header
        trailer[trailer.count - 4] ^= 0x40
        trailer[trailer.count - 1] ^= 0x40
        var short = blocks.block(0x77, [0, 0, 0, 0])
        short.replaceSubrange(4..<8, with: blocks.words([8]))
        var option = blocks.option(9, [9])
        option.replaceSubrange(2..<4, with: [0x7F, 0x7F])
        var long = blocks.enhanced([4, 0xFF, 0], stamp: 0)
        long.replaceSubrange(20..<24, with: blocks.words([5]))
        let far = blocks.interface(187, options: blocks.option(9, [0]))
        let trailing = UInt32(header.count) ^ 0x4000_0040
        return [
            Row("pcapng without byte order", strange, .unknownByteOrder, at: 8),
            Row("pcapng version 2", blocks.sectionHeader(major: 2), .unsupportedVersion(2), at: 12),
            Row(
                "pcapng block with two lengths", trailer, .lengthOutOfRange(.blockTrailer, trailing),
                at: Int64(header.count) - 4),
            Row("pcapng block too short", start + short, .lengthOutOfRange(.block, 8), at: place + 4),
            Row(
                "pcapng option past its block", header + blocks.interface(187, options: option),
                .lengthOutOfRange(.option, 0x7F7F), at: Int64(header.count) + 18),
            Row("pcapng packet past its block", start + long, .lengthOutOfRange(.packet, 5), at: place + 20),
            Row(
                "pcapng packet of no interface", start + blocks.enhanced([4], interface: 1, stamp: 0),
                .unknownInterface(1), at: place + 8),
            Row(
                "pcapng simple packet of no interface", header + blocks.simple([4]), .unknownInterface(0),
                at: Int64(header.count)),
            Row(
                "pcapng time out of range", header + far + blocks.enhanced([4], stamp: .max), .timeOutOfRange,
                at: Int64(header.count + far.count) + 12),
            Row(
                "pcapng of Ethernet alone", header + blocks.interface(1) + blocks.enhanced([4], stamp: 0),
                .unsupportedLinkType(1), at: Int64(header.count) + 8),
            Row(
                "pcapng of 1,025 interfaces",
                header + Array(repeatElement(blocks.interface(187), count: 1025).joined()), .tooManyInterfaces,
                at: Int64(header.count) + 1024 * 20),
        ]
    }
}
