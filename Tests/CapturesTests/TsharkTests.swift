import Bytes
import Captures
import Support
import Testing

/// The sniffers' files of our own making, read by another program as well.
@Suite(.enabled(if: Execution.find("tshark") != nil, "tshark is not installed"))
struct TsharkTests {
    /// tshark joins no chains: these have parts that are missing.
    private static let incomplete: Set<String> = ["malformed", "broken chain", "overtaken"]

    /// The files of a form: one that has all scenarios after one another, and in a long proof each by itself.
    private static func files(_ kind: SnifferKind) -> [[UInt8]] {
        let files = SnifferFile.all.filter {
            $0.kind == kind && !incomplete.contains($0.scenario.testDescription)
        }
        let all = files.enumerated().flatMap { index, file in
            file.scenario.packets.map { packet in
                var packet = packet
                packet.time += Int64(index) * 10_000_000
                return packet
            }
        }
        let isLong = LongProofs.areRequested
        return [SnifferContainer.pcapng.file(kind, all).bytes] + (isLong ? files.map(\.file.bytes) : [])
    }

    @Test("Match each report with tshark's packets, field by field", arguments: SnifferKind.allCases)
    func fields(_ kind: SnifferKind) throws {
        let folder = try TemporaryFolder()
        let tshark = try #require(Execution.find("tshark"))
        var compared = 0
        for file in Self.files(kind) {
            let path = try folder.write(file, to: "sniffer.cap")
            var theirs = try Self.reports(TsharkRow.read(path, tshark))
            var ours = hear(file).heard
            if kind == .plain {
                // Without a channel tshark calls all of them ADV_EXT_IND.
                ours.removeAll { $0.event.hasPrefix("ext_adv") && $0.data.isEmpty && $0.sid != nil }
                theirs.removeAll { $0.event == "ext" && $0.data.isEmpty && $0.sid != nil }
            }
            let mine = ours.map { heard in
                var heard = heard
                if heard.event.hasPrefix("ext") { heard.event = "ext" }
                heard.phys = []
                heard.target = nil
                heard.interval = nil
                return heard
            }
            #expect(mine == theirs)
            compared += ours.count
        }
        #expect(compared >= 8)
    }

    /// The reports of tshark's rows: legacy ones one by one, extended ones joined by their set.
    private static func reports(_ rows: [TsharkRow]) -> [AirScenario.Heard] {
        var reports: [AirScenario.Heard] = []
        var announced: [UInt8: String?] = [:]
        var open: [UInt8: AirScenario.Heard] = [:]
        for row in rows where !row.isCRCWrong {
            let legacy = [0: "adv_ind", 1: "adv_direct_ind", 2: "adv_nonconn_ind", 4: "scan_rsp", 6: "adv_scan_ind"]
            // A level that HCI can't report is unknown.
            let rssi = row.rssi.flatMap { (-127...20).contains($0) ? $0 : nil }
            var report = AirScenario.Heard(
                event: "ext", address: row.address ?? "anonymous", rssi: rssi, data: row.data, sid: row.sid,
                power: row.power == 127 ? nil : row.power, phys: [])
            if let type = row.type, let name = legacy[type] {
                report.event = name
                reports.append(report)
            } else if row.type == 7, row.accessAddress != Int(AirPacket.advertising) {
                continue
            } else if row.type == 7, row.isPrimary ?? row.data.isEmpty {
                if row.pointsOn, let sid = row.sid {
                    announced[sid] = .some(row.address)
                } else if row.sid == nil {
                    reports.append(report)
                }
            } else if row.type == 7, let sid = row.sid {
                if row.address == nil, let begun = open.removeValue(forKey: sid) {
                    report.address = begun.address
                    report.power = report.power ?? begun.power
                    report.data = begun.data + report.data
                } else if row.address == nil {
                    guard let address = announced.removeValue(forKey: sid) else { continue }
                    report.address = address ?? "anonymous"
                }
                if row.pointsOn { open[sid] = report } else { reports.append(report) }
            }
        }
        return reports
    }

    @Test(
        "Match PacketLogger's packets with tshark's times and bytes",
        arguments: [PacketLoggerFile.fixtures[0], PacketLoggerFile.fixtures[6]])
    func packetLogger(_ fixture: CaptureFixture) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(fixture.bytes, to: "apple.pklg")
        let rows = try Execution.run(
            try #require(Execution.find("tshark")),
            ["-r", path, "-T", "fields", "-e", "frame.time_epoch", "-e", "packetlogger.type", "-e", "frame.len"]
        ).lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let packets = readAll(fixture.bytes).packets
        #expect(rows.count == packets.count)
        let types: [CapturedPacket.Kind: Set<String>] = [
            .command: ["0x00"], .event: ["0x01"], .acl: ["0x02", "0x03"], .sco: ["0x08", "0x09"], .other: ["0xfc"],
        ]
        for (row, packet) in zip(rows, packets) {
            #expect(Timestamp(seconds: try #require(Double(row[0]))) == packet.packet.time)
            #expect(types[packet.packet.kind]?.contains(String(row[1])) == true, "\(row[1])")
            #expect(Int(row[2]) == packet.bytes.count + 1)
        }
    }
}
