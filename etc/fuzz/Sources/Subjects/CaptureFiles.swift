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
        do throws(CaptureError) {
            while let packet = try reader.next() {
                packets += 1
                precondition(packets <= bytes.count, "more packets than bytes")
                reader.withBytes { precondition($0.count <= bytes.count, "more bytes than there are") }
                if let time = packet.time { _ = time.floor(toMultipleOf: 1_000_000) }
            }
            return true
        } catch {
            precondition(error.offset >= 0 && error.offset <= Int64(bytes.count), "a fault outside the file")
            _ = error.description
            return false
        }
    }

    // MARK: Seeds

    private static let event: [UInt8] = [
        0x3E, 0x0C, 0x02, 0x01, 0x03, 0x01, 1, 0, 0, 0, 0, 0xC0, 0x00, 0xC4,
    ]

    static var seeds: [[UInt8]] {
        [btsnoop(1002), btsnoop(2001)]
            + [187, 201, 254].flatMap { link in
                [true, false].flatMap { big in [pcap(link, big, 0xA1B2_C3D4), pcapng(link, big)] }
            } + [pcap(187, false, 0xA1B2_3C4D)]
    }

    /// A packet in the form that a link type asks for.
    private static func stored(_ link: UInt32, big: Bool = true) -> [UInt8] {
        switch link {
        case 201: [0, 0, 0, 1, 4] + event
        case 254: [0, 0, 0, 3] + event
        case 2001: event
        default: [4] + event
        }
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
