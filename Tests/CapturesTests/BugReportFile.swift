import Bytes
import Captures
import Testing

/// Android bug reports of our own making: text, and the log of the Bluetooth stack in it.
struct BugReportFile: CustomTestStringConvertible, Sendable {
    enum Layout: CaseIterable, Sendable {
        case first, second, wide
    }

    var layout = Layout.second
    /// The number of events in the log, beside its other packets.
    var events = 1
    var lineEnd = "\n"
    /// Bytes of text before the log.
    var textBefore = 200
    var isStored = false

    var testDescription: String {
        "\(layout) \(events) events\(isStored ? ", stored" : "")\(lineEnd == "\n" ? "" : ", CRLF")"
    }

    static let all: [BugReportFile] =
        Layout.allCases.flatMap { layout in [1, 40].map { BugReportFile(layout: layout, events: $0) } } + [
            BugReportFile(events: 3, lineEnd: "\r\n"), BugReportFile(events: 3, textBefore: 200_000),
            BugReportFile(events: 300, isStored: true),
        ]

    var packets: [ReadPacket] {
        var packets: [ReadPacket] = []
        func add(_ kind: CapturedPacket.Kind, _ direction: CapturedPacket.Direction, _ bytes: [UInt8]) {
            let packet = CapturedPacket(
                time: CaptureFixture.time(packets.count * 7), kind: kind, direction: direction)
            packets.append(ReadPacket(packet: packet, bytes: bytes))
        }
        add(.command, .sent, [0x0C, 0x20, 0x02, 0x01, 0x00])
        add(.event, .received, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
        add(.acl, .received, [0x40, 0x00, 0x03, 0x00, 1, 2, 3])
        add(.acl, .sent, [0x40, 0x00, 0x01, 0x00, 9])
        for index in 0..<events {
            var report = HCIFixture.report
            report[6] = UInt8(truncatingIfNeeded: index)
            add(.event, .received, report)
        }
        return packets
    }

    /// The records of the log before it is compressed.
    var records: [UInt8] {
        var bytes: [UInt8] = []
        var before: Int64?
        for packet in packets {
            let time = packet.packet.time!.microseconds
            let delta = time - (before ?? time)
            before = time
            let length = UInt16(packet.bytes.count + 1)
            bytes.append(littleEndian: length)
            if layout != .first { bytes.append(littleEndian: length + 5) }
            if layout == .wide {
                bytes.append(littleEndian: UInt64(delta))
            } else {
                bytes.append(littleEndian: UInt32(delta))
            }
            bytes.append(type(packet.packet))
            bytes += packet.bytes
        }
        return bytes
    }

    private func type(_ packet: CapturedPacket) -> UInt8 {
        switch (packet.kind, packet.direction) {
        case (.command, _): 0x20
        case (.acl, .sent): 0x21
        case (.acl, _): 0x11
        default: 0x10
        }
    }

    /// Version, time of the last packet, zlib stream.
    var log: [UInt8] {
        var log: [UInt8] = [layout == .first ? 1 : 2]
        log.append(littleEndian: UInt64(packets.last!.packet.time!.microseconds))
        return log + ZlibStream.stored(records)
    }

    var head: [UInt8] {
        var text = ""
        while text.utf8.count < textBefore {
            text += "== dumpstate: 2026-11-21 08:00:00 --- BEGIN: no log ---" + lineEnd
        }
        return Array((text + "--- BEGIN:BTSNOOP_LOG_SUMMARY (\(records.count) bytes in) ---" + lineEnd).utf8)
    }

    var bytes: [UInt8] { file(log) }

    /// The report around a log.
    func file(_ log: [UInt8]) -> [UInt8] {
        var text: [UInt8] = head
        for (index, character) in Base64Text.of(log).enumerated() {
            text.append(character)
            if index % 128 == 127 { text += Array(lineEnd.utf8) }
        }
        return text + Array("\(lineEnd)--- END:BTSNOOP_LOG_SUMMARY ---\(lineEnd)more text\(lineEnd)".utf8)
    }
}

/// zlib streams (RFC 1950) of stored blocks (RFC 1951 section 3.2.4), which need no compressor.
enum ZlibStream {
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(1000)
            rest = rest.dropFirst(1000)
            stream.append(rest.isEmpty ? 1 : 0)
            stream.append(littleEndian: UInt16(block.count))
            stream.append(littleEndian: ~UInt16(block.count))
            stream += block
        } while !rest.isEmpty
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        stream.append(bigEndian: high << 16 | low)
        return stream
    }
}

enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[Int(bits >> UInt32(18 - 6 * index) & 63)] : 0x3D)
            }
        }
        return text
    }
}
