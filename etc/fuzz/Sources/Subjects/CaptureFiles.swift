import Advertising
import Bytes
import CHarness
import Captures

/// Capture files, read from a file in memory as they would be from a disk.
enum CaptureFiles {
    static func parse(_ bytes: Span<UInt8>) -> Bool {
        let descriptor = bytes.withUnsafeBufferPointer { harness_file($0.baseAddress, $0.count) }
        guard descriptor >= 0 else { fatalError("no file in memory") }
        var reader = CaptureReader(descriptor: descriptor)
        var packets = 0
        // A compressed log may hold a thousand times its bytes; an event is longer than the packet that it is made of.
        let bound = bytes.count * 1100 + 300
        do throws(CaptureError) {
            while let packet = try reader.next() {
                packets += 1
                precondition(packets <= bound, "more packets than bytes")
                reader.withBytes { precondition($0.count <= bound, "more bytes than there are") }
                if let time = packet.time { _ = time.floor(toMultipleOf: 1_000_000) }
            }
            return true
        } catch {
            precondition(error.offset >= 0 && error.offset <= Int64(bytes.count), "a fault outside the file")
            _ = error.description
            return false
        }
    }

    /// Through the advertising reports that link-layer packets result in.
    static func reports(_ bytes: Span<UInt8>) -> Bool {
        let descriptor = bytes.withUnsafeBufferPointer { harness_file($0.baseAddress, $0.count) }
        guard descriptor >= 0 else { fatalError("no file in memory") }
        var reader = CaptureReader(descriptor: descriptor)
        var decoder = AdvertisingReportDecoder()
        var reports = 0
        do throws(CaptureError) {
            while let packet = try reader.next() {
                guard packet.kind == .event else { continue }
                reader.withBytes { event in
                    // A changed link type makes HCI packets of them, which may be malformed.
                    try? decoder.decode(event, at: packet.time ?? Timestamp(microseconds: 0)) { _, data in
                        precondition(data.count <= AdvertisingReportDecoder.maximumDataLength)
                        reports += 1
                    }
                }
            }
        } catch {
            precondition(error.offset >= 0 && error.offset <= Int64(bytes.count), "a fault outside the file")
        }
        precondition(reader.linkLayer.packets >= reader.linkLayer.crcFailures + reader.linkLayer.malformed)
        return reports > 0
    }

    // MARK: Seeds

    private static let event: [UInt8] = [
        0x3E, 0x0C, 0x02, 0x01, 0x03, 0x01, 1, 0, 0, 0, 0, 0xC0, 0x00, 0xC4,
    ]

    static var seeds: [[UInt8]] {
        [btsnoop(1002), btsnoop(2001)]
            + [187, 201, 254].flatMap { link in
                [true, false].flatMap { big in [pcap(link, big, 0xA1B2_C3D4), pcapng(link, big)] }
            } + [pcap(187, false, 0xA1B2_3C4D)] + radioSeeds + [packetLogger(true), packetLogger(false)]
            + [bugReport(1), bugReport(2)]
    }

    /// Of link-layer packets alone, which give reports.
    static var radioSeeds: [[UInt8]] {
        [251, 256, 272].flatMap { link in
            [true, false].flatMap { big in [pcap(link, big, 0xA1B2_C3D4), pcapng(link, big)] }
        }
    }

    /// A packet in the form that a link type asks for.
    private static func stored(_ link: UInt32, big: Bool = true) -> [UInt8] {
        switch link {
        case 201: [0, 0, 0, 1, 4] + event
        case 254: [0, 0, 0, 3] + event
        case 2001: event
        case 251: radio
        case 256: [5, 0xC4, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x13, 0x0C] + radio
        case 272: [3, UInt8(radio.count + 10), 0, 3, 1, 0, 2, 10, 1, 4, 60, 0, 0, 1, 2, 3, 4] + radio
        default: [4] + event
        }
    }

    /// AUX_ADV_IND of which more data is announced, without its CRC, which mutations would break.
    private static var radio: [UInt8] {
        [0xD6, 0xBE, 0x89, 0x8E, 0x07, 0x10, 0x0C, 0x19, 1, 2, 3, 4, 5, 6, 0x23, 0x51, 0x14, 40, 0, 2, 1, 6]
    }

    static func packetLogger(_ big: Bool) -> [UInt8] {
        var file = Words(big)
        for index: UInt32 in 0..<3 {
            for word in [UInt32(event.count + 9), 1_795_248_000 + index, 123_456] { file.add(word) }
            file.bytes += [index == 1 ? 0xFC : 1] + event
        }
        return file.bytes
    }

    /// A log with a zlib stream of one stored block.
    static func bugReport(_ version: UInt8) -> [UInt8] {
        var records: [UInt8] = []
        for _ in 0..<3 {
            records += [UInt8(event.count + 1), 0] + (version == 1 ? [] : [UInt8(event.count + 1), 0])
            records += [0x10, 0x27, 0, 0, 0x10] + event
        }
        let size = UInt8(records.count)
        var sums: (low: UInt32, high: UInt32) = (1, 0)
        for byte in records {
            sums.low += UInt32(byte)
            sums.high += sums.low
        }
        var check: [UInt8] = []
        check.append(bigEndian: (sums.high % 65_521) << 16 | sums.low % 65_521)
        let log = [version, 0, 0x40, 0x42, 0x0F, 0x7B, 0x34, 6, 0, 0x78, 1, 1, size, 0, ~size, 0xFF] + records + check
        var text = Array("dumpstate\n--- BEGIN:BTSNOOP_LOG_SUMMARY (9 bytes in) ---\n".utf8)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for start in stride(from: 0, to: log.count, by: 3) {
            let bits = (0..<3).reduce(0) { $0 << 8 | (start + $1 < log.count ? Int(log[start + $1]) : 0) }
            for shift in [18, 12, 6, 0] { text.append(digits[bits >> shift & 63]) }
        }
        return text + Array("\n--- END:BTSNOOP_LOG_SUMMARY ---\n".utf8)
    }

    private static func btsnoop(_ link: UInt32) -> [UInt8] {
        var file: [UInt8] = Array("btsnoop".utf8) + [0]
        file.append(bigEndian: UInt32(1))
        file.append(bigEndian: link)
        for _ in 0..<2 {
            let packet = stored(link)
            file.append(bigEndian: UInt32(packet.count))
            file.append(bigEndian: UInt32(packet.count))
            file.append(bigEndian: UInt32(3))
            file.append(bigEndian: UInt32(0))
            file.append(bigEndian: UInt64(0x00E2_6300_0000_0000))
            file += packet
        }
        return file
    }

    private static func pcap(_ link: UInt32, _ big: Bool, _ magic: UInt32) -> [UInt8] {
        var file = Words(big)
        file.add(magic)
        file.add(UInt16(2))
        file.add(UInt16(4))
        for word: UInt32 in [0, 0, 65535, link] { file.add(word) }
        for index: UInt32 in 0..<2 {
            let packet = stored(link)
            for word in [1_795_248_000 + index, 123_456, UInt32(packet.count), UInt32(packet.count)] { file.add(word) }
            file.bytes += packet
        }
        return file.bytes
    }

    private static func pcapng(_ link: UInt32, _ big: Bool) -> [UInt8] {
        var file = Words(big)
        file.block(0x0A0D_0D0A) { body in
            body.add(UInt32(0x1A2B_3C4D))
            body.add(UInt16(1))
            body.add(UInt16(0))
            body.add(UInt64.max)
        }
        file.block(1) { body in
            body.add(UInt16(link))
            body.add(UInt16(0))
            body.add(UInt32(0))
            // if_tsresol: nanoseconds; if_tsoffset; the end of options.
            body.option(9, [9])
            body.option(14, [0, 0, 0, 0, 0, 0, 0, 1])
            body.add(UInt32(0))
        }
        let packet = stored(link)
        file.block(6) { body in
            for word: UInt32 in [0, 0x18E9_D000, 0x1234_5678, UInt32(packet.count), UInt32(packet.count)] {
                body.add(word)
            }
            body.pad(packet)
            body.option(2, big ? [0, 0, 0, 1] : [1, 0, 0, 0])
            body.add(UInt32(0))
        }
        file.block(3) { body in
            body.add(UInt32(packet.count))
            body.pad(packet)
        }
        return file.bytes
    }
}

/// Words of either byte order.
private struct Words {
    var bytes: [UInt8] = []
    let big: Bool

    init(_ big: Bool) {
        self.big = big
    }

    mutating func add<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer) {
        if big { bytes.append(bigEndian: value) } else { bytes.append(littleEndian: value) }
    }

    mutating func pad(_ payload: [UInt8]) {
        bytes += payload
        while bytes.count % 4 != 0 { bytes.append(0) }
    }

    mutating func option(_ code: UInt16, _ value: [UInt8]) {
        add(code)
        add(UInt16(value.count))
        pad(value)
    }

    mutating func block(_ type: UInt32, _ fill: (inout Words) -> Void) {
        var body = Words(big)
        fill(&body)
        add(type)
        add(UInt32(body.bytes.count + 12))
        bytes += body.bytes
        add(UInt32(body.bytes.count + 12))
    }
}
