import Advertising
import Bytes
import Captures
import Foundation
import Support
import Testing

/// All reports of a capture, and the counts of its link-layer packets.
func hear(_ capture: [UInt8]) -> (heard: [AirScenario.Heard], counters: LinkLayerCounters, fault: CaptureError?) {
    let pipe = openPipe()
    defer { close(pipe.reading) }
    precondition(capture.isEmpty || write(pipe.writing, capture, capture.count) == capture.count)
    close(pipe.writing)
    var reader = CaptureReader(descriptor: pipe.reading)
    var decoder = AdvertisingReportDecoder()
    var heard: [AirScenario.Heard] = []
    var fault: CaptureError?
    do throws(CaptureError) {
        while let packet = try reader.next() {
            guard packet.kind == .event else { continue }
            reader.withBytes { event in
                let time = packet.time ?? Timestamp(microseconds: 0)
                try? decoder.decode(event, at: time) { heard.append(AirScenario.Heard($0, [UInt8](copying: $1))) }
            }
        }
    } catch {
        fault = error
    }
    #expect(decoder.counters.malformed == 0)
    #expect(decoder.counters.fragmentsDropped == 0)
    return (heard, reader.linkLayer, fault)
}

extension AirScenario.Heard {
    init(_ report: AdvertisingReport, _ data: [UInt8]) {
        self.init(
            event: report.eventType.name,
            address: report.address.kind == .anonymous ? "anonymous" : report.address.text,
            rssi: report.rssi.map { Int($0) }, data: data, sid: report.advertisingSID, power: report.txPower,
            phys: [report.primaryPHY, report.secondaryPHY].compactMap { $0?.rawValue },
            target: report.directAddress?.text, isTruncated: report.dataStatus == .truncated,
            interval: report.periodicInterval)
    }
}

@Suite struct SnifferFileTests {
    @Test func eachKindHasAtLeastEightFiles() {
        for kind in SnifferKind.allCases { #expect(SnifferFile.all.count { $0.kind == kind } >= 8, "\(kind)") }
    }

    @Test("Read the reports of a controller from a sniffer's file", arguments: SnifferFile.all)
    func reports(_ file: SnifferFile) {
        let (heard, counters, fault) = hear(file.file.bytes)
        #expect(fault == nil)
        #expect(heard == file.kind.heard(file.scenario))
        #expect(counters == file.kind.counters(file.scenario))
    }

    @Test(
        "Read the whole packets of a file cut anywhere, and report the place", arguments: SnifferFile.all
    )
    func truncations(_ file: SnifferFile) {
        let (bytes, ends) = file.file
        let headers = (ends.first ?? 0) - Self.recordSize(file, 0)
        // A long proof takes every place.
        let step = LongProofs.areRequested ? 1 : 11
        var expected = (end: -1, heard: [AirScenario.Heard](), counters: LinkLayerCounters())
        for cut in stride(from: headers, to: bytes.count, by: step) {
            let whole = ends.last { $0 <= cut } ?? headers
            let (heard, counters, fault) = hear(Array(bytes.prefix(cut)))
            if whole == cut {
                #expect(fault == nil, "cut at \(cut)")
            } else {
                #expect(fault?.offset == Int64(cut), "cut at \(cut)")
                // All that follows a whole packet's end is told as the end at that packet is.
                if expected.end != whole {
                    let read = hear(Array(bytes.prefix(whole)))
                    expected = (whole, read.heard, read.counters)
                }
                #expect(heard == expected.heard && counters == expected.counters, "cut at \(cut)")
            }
        }
    }

    /// The bytes that a packet has in a container.
    private static func recordSize(_ file: SnifferFile, _ index: Int) -> Int {
        let none = file.container.file(file.kind, []).bytes.count
        return file.container.file(file.kind, [file.scenario.packets[index]]).bytes.count - none
    }

    @Test("Never read another report from a packet stored without its end", arguments: SnifferKind.allCases)
    func snapped(_ kind: SnifferKind) {
        for packet in AirScenario.all.flatMap(\.packets)
        where packet.phy == .le1M && packet.bytes.count < 240 && packet.hasGoodCRC {
            let stored = kind.stored(packet)
            let whole = hear(SnifferContainer.pcap.file(kind, [packet]).bytes)
            for cut in 0..<stored.count {
                let bytes =
                    pcapHeader(linkType: kind.linkType, big: false)
                    + pcapRecord(Array(stored[..<cut]), seconds: 1_795_248_000, fraction: 123_456, big: false)
                let (heard, counters, fault) = hear(bytes)
                #expect(fault == nil && counters.packets <= 1)
                #expect(heard.isEmpty || heard == whole.heard, "cut at \(cut)")
            }
        }
    }

    @Test("Changed bytes never trap a reader", arguments: SnifferKind.allCases)
    func mutations(_ kind: SnifferKind) {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let files = SnifferFile.all.filter { $0.kind == kind }.map(\.file.bytes)
        for _ in 0..<Mutations.count(long: 300) {
            var bytes = files.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator)!
            }
            let (packets, fault) = readAll(bytes)
            #expect(packets.allSatisfy { $0.bytes.count <= 257 || $0.packet.kind != .event }, "seed \(seed)")
            if let fault { #expect((0...Int64(bytes.count)).contains(fault.offset), "seed \(seed): \(fault)") }
        }
    }
}
