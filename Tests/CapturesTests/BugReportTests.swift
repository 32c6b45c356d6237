import Captures
import Support
import Testing

@Suite struct BugReportTests {
    @Test func atLeastEightFiles() { #expect(BugReportFile.all.count >= 8) }

    /// Through a file: a report may be larger than a pipe.
    private func read(_ bytes: [UInt8]) throws -> (packets: [ReadPacket], fault: CaptureError?) {
        let folder = try TemporaryFolder()
        return readAll(try CaptureReader(path: try folder.write(bytes, to: "bugreport.txt")))
    }

    @Test("Read the packets of a bug report's log with their times", arguments: BugReportFile.all)
    func packets(_ report: BugReportFile) throws {
        let (packets, fault) = try read(report.bytes)
        #expect(fault == nil)
        #expect(packets == report.packets)
    }

    @Test(
        "Read the whole packets of a log cut anywhere, without times, and report the cut",
        arguments: BugReportFile.all.filter { $0.textBefore < 1000 && $0.events < 100 })
    func truncations(_ report: BugReportFile) throws {
        let bytes = report.bytes
        let untimed = report.packets.map { packet in
            var packet = packet
            packet.packet.time = nil
            return packet
        }
        let mark = report.head.count - report.lineEnd.utf8.count - " (\(report.records.count) bytes in) ---".utf8.count
        let end =
            bytes.count - Array("-- END:BTSNOOP_LOG_SUMMARY ---\(report.lineEnd)more text\(report.lineEnd)".utf8).count
        var most = 0
        for cut in 0..<end {
            let (packets, fault) = readAll(bytes.prefix(cut))
            if cut < 4 {
                #expect(fault?.reason == .cutShort(.magic, missing: 4 - cut))
            } else if cut < mark {
                #expect(fault == CaptureError(.unknownFormat, at: 0), "cut at \(cut)")
            } else if fault == nil {
                // The text is cut behind the last byte of the log.
                #expect(packets == report.packets && cut > end - 8, "cut at \(cut)")
            } else {
                #expect(fault == CaptureError(.logCutShort, at: Int64(cut)), "cut at \(cut)")
                #expect(packets == Array(untimed.prefix(packets.count)), "cut at \(cut)")
                #expect(packets.count >= most, "cut at \(cut)")
                most = packets.count
            }
        }
        #expect(most >= untimed.count - 1)
        #expect(readAll(bytes.prefix(end)).packets == report.packets)
    }

    @Test("Read the packets before a log's damage, without times")
    func damaged() throws {
        let report = BugReportFile(events: 40)
        var log = report.log
        log[log.count - 1] ^= 1
        let (packets, fault) = try read(report.file(log))
        #expect(fault?.reason == .damagedLog)
        #expect(packets.map(\.bytes) == report.packets.map(\.bytes))
        #expect(packets.allSatisfy { $0.packet.time == nil })
        log = report.log
        log[0] = 3
        #expect(try read(report.file(log)).fault?.reason == .unsupportedVersion(3))
        var text = report.bytes
        text[report.head.count + 20] = UInt8(ascii: "%")
        let place = CaptureError(.unknownCharacter(UInt8(ascii: "%")), at: Int64(report.head.count + 20))
        #expect(try read(text).fault == place)
    }

    @Test("Reject a compressed file with a remedy")
    func archives() {
        let zip = readAll([0x50, 0x4B, 3, 4, 20, 0]).fault
        #expect(zip == CaptureError(.archive(.zip), at: 0))
        #expect(zip?.description.contains("unzip") == true)
        #expect(readAll([0x1F, 0x8B, 8, 0]).fault == CaptureError(.archive(.gzip), at: 0))
    }

    @Test("Reject a stream with an unbounded expansion")
    func bomb() throws {
        // A fixed-Huffman block of zeros, 258 at a time: 300,000 of 5 bits and more each are over 64 MiB.
        var bits = BitWriter()
        bits.write(1, 1)
        bits.write(1, 2)
        bits.writeHuffman(0x30, 8)
        for _ in 0..<300_000 {
            bits.writeHuffman(0xC5, 8)
            bits.write(0, 0)
            bits.writeHuffman(0, 5)
        }
        let report = BugReportFile()
        let log = Array(report.log.prefix(9)) + [0x78, 0x01] + bits.bytes
        #expect(try read(report.file(log)).fault?.reason == .logTooLong)
    }

    @Test("Changed bytes never trap the reader")
    func mutations() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let reports = BugReportFile.all.filter { $0.textBefore < 1000 && $0.events < 100 }
        for _ in 0..<Mutations.count(long: 300) {
            let report = reports.randomElement(using: &generator)!
            // Of the log, so that the text around it doesn't hide it; every other time of the text.
            var log = report.log
            var text = report.bytes
            let isLog = Bool.random(using: &generator)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                if isLog {
                    log[Int.random(in: log.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                } else {
                    text[Int.random(in: text.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }
            let bytes = isLog ? report.file(log) : text
            let (packets, fault) = readAll(bytes)
            #expect(packets.count <= bytes.count, "seed \(seed)")
            if let fault { #expect((0...Int64(bytes.count)).contains(fault.offset), "seed \(seed): \(fault)") }
        }
    }
}

/// Bits of a deflate stream, lowest first; Huffman codes highest first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: UInt32, _ bits: Int) {
        for index in 0..<bits { append(value >> UInt32(index) & 1) }
    }

    mutating func writeHuffman(_ code: UInt32, _ bits: Int) {
        for index in (0..<bits).reversed() { append(code >> UInt32(index) & 1) }
    }

    private mutating func append(_ bit: UInt32) {
        if count % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8(bit) << UInt8(count % 8)
        count += 1
    }
}
