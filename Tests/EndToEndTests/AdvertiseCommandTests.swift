import Advertising
import Bytes
import Captures
import Foundation
import Support
import Testing

/// The output of the built `whereabouts advertise`.
@Suite struct AdvertiseCommandTests {
    static let lines = [
        "ibeacon --uuid 48534442-4c45-4144-80c0-1800fffffff0 --major 100 --minor 1 --power -61",
        "altbeacon --uuid 48534442-4c45-4144-80c0-1800fffffff0 --major 258 --minor 772 --company 0x0118 --mfg 9",
        "eddystone-uid --namespace 00112233445566778899 --instance 0123456789ab --power -20",
        "eddystone-url --url https://www.example.com/x --power -24",
        "eddystone-tlm --battery-mv 2950 --temperature -3.5 --advertisements 70000 --uptime 86400",
    ]

    static func advertise(_ line: String) throws -> Execution.Outcome {
        let words = line.split(separator: " ").map(String.init)
        return try Execution.run(Execution.path(of: "whereabouts"), ["advertise"] + words)
    }

    @Test("Read the printed bytes back through decode --hex", arguments: lines)
    func readsBack(_ line: String) throws {
        let printed = try Self.advertise(line + " --print")
        #expect(printed.status == 0 && printed.error.isEmpty && printed.lines.count == 1)
        let decoded = try Execution.run(
            Execution.path(of: "whereabouts"), ["decode", "--hex"], input: Array(printed.output))
        let object = try Self.advertise(line + " --print --json")
        let text = String(decoding: object.output, as: UTF8.self)
        #expect(String(decoding: decoded.output, as: UTF8.self) == text.replacing(/"length":[0-9]+,/, with: ""))
        #expect(text.contains("\"type\":\"\(line.prefix { $0 != " " })\""))
    }

    @Test("Reject invalid options for sending before anything is sent")
    func badWays() throws {
        let ways = [
            ("--adapter hci", "no adapter"), ("--interval 10ms", "20ms to 10240ms"), ("--tx-power 21", "-127 to 20"),
            ("--for soon", "such as 30s"), ("--json", "goes with --print"),
        ]
        for (way, words) in ways {
            let outcome = try Self.advertise(Self.lines[0] + " " + way)
            #expect(outcome.status == 2 && outcome.error.contains(words), "\(way): \(outcome.error)")
        }
    }

    @Test("Exit with status 1, a reason and a remedy for a missing adapter")
    func noAdapter() throws {
        let outcome = try Self.advertise(Self.lines[0] + " --adapter 02:00:00:00:00:77")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        let words = ["no adapter 02:00:00:00:00:77", "modprobe bluetooth", "CAP_NET_ADMIN"]
        #expect(words.contains { outcome.error.contains($0) }, "\(outcome.error)")
    }

    @Test("Exit with status 2 and print nothing for invalid values")
    func tooLong() throws {
        let outcome = try Self.advertise("eddystone-url --print --url https://a-name-too-long.example.com/")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.error.contains("longer than 17 bytes"))
    }

    @Test("Read the same values in tshark", .enabled(if: Execution.find("tshark") != nil, "tshark is not installed"))
    func tshark() throws {
        let folder = try TemporaryFolder()
        var writer = try CaptureWriter(path: folder.file("made.btsnoop"))
        for (number, line) in Self.lines.enumerated() {
            let printed = try Self.advertise(line + " --print")
            let data = try #require(Hex.bytes(printed.lines.first ?? ""))
            var encoder = AdvertisingReportEncoder(.legacy)
            let address = DeviceAddress(0xC0FF_EE00_0000 + UInt64(number), .random)
            encoder.append(AdvertisingReport(eventType: .advNonconnInd, address: address, rssi: -60), data.span)
            let time = Timestamp(microseconds: 1_795_248_000_000_000 + Int64(number) * 1_000_000)
            try writer.append(encoder.takeEvent().span, kind: .event, direction: .received, time: time)
        }
        try writer.close()
        let outcome = try Execution.run(
            try #require(Execution.find("tshark")),
            [
                "-r", folder.file("made.btsnoop"), "-T", "fields", "-e", "btcommon.eir_ad.entry.company_id",
                "-e", "btcommon.eir_ad.entry.data", "-e", "btcommon.eir_ad.entry.uuid_16",
                "-e", "btcommon.eir_ad.entry.service_data",
            ])
        let rows = outcome.lines.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(outcome.status == 0, "\(outcome.error)")
        // Written out from the specifications' tables by hand, not by the code under test.
        #expect(
            rows == [
                ["0x004c", "0215485344424c45414480c01800fffffff000640001c3", "", ""],
                ["0x0118", "beac485344424c45414480c01800fffffff001020304c509", "", ""],
                ["", "", "0xfeaa,0xfeaa", "00ec001122334455667788990123456789ab0000"],
                ["", "", "0xfeaa,0xfeaa", "10e8016578616d706c650078"],
                ["", "", "0xfeaa,0xfeaa", "20000b86fc8000011170000d2f00"],
            ])
    }
}
