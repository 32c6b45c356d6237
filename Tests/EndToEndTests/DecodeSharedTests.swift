import Foundation
import Support
import Testing

/// `decode` on real captures that are not ours to store: the repository holds their counts and the digests of the
/// output.
@Suite(.enabled(if: SharedMaterial.path("captures") != nil, "the shared captures are not here"))
struct DecodeSharedTests {
    struct Capture: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var reports: Int
        var iBeacons: Int
        var digest: String
    }

    static let captures = [
        Capture(
            testDescription: "epfl-crowd-01.btsnoop", reports: 15_041, iBeacons: 350,
            digest: "9cf7b52df1ffb9009ce80523308066561b8b05b91b58cac33fdc890479ef7350"),
        Capture(
            testDescription: "epfl-crowd-15.btsnoop", reports: 20_346, iBeacons: 1901,
            digest: "668fc173e349d47573e29f4c351157b3b13c5a84a497c3c58dc5927b0b3b0b84"),
        Capture(
            testDescription: "epfl-crowd-18.btsnoop", reports: 19_078, iBeacons: 2850,
            digest: "455ba62140f2ab828b67b37f9a3a5421ec671a91e5f127b0a7f049ff1a51bf14"),
    ]

    struct Line: Decodable {
        struct Frame: Decodable {
            var type: String
            var uuid: String?
            var major: UInt16?
            var minor: UInt16?
            var power: Int?
        }
        var address: String
        var rssi: Int?
        var frames: [Frame]
    }

    /// An iBeacon as tshark shows it: the manufacturer data behind the company.
    struct Beacon: Hashable {
        var address: String
        var rssi: Int?
        var data: String
    }

    func decode(_ capture: Capture) throws -> Execution.Outcome {
        try DecodeTests.decode([try #require(SharedMaterial.path("captures/" + capture.testDescription))])
    }

    @Test(arguments: captures)
    func realCapturesKeepTheirCountsAndDigest(_ capture: Capture) throws {
        let outcome = try decode(capture)
        #expect(outcome.status == 0)
        #expect(outcome.error.isEmpty)
        #expect(outcome.lines.count == capture.reports)
        #expect(outcome.lines.count { $0.contains("\"type\":\"ibeacon\"") } == capture.iBeacons)
        let digest = try Execution.run("/usr/bin/sha256sum", [], input: Array(outcome.output))
        #expect(digest.lines.first?.prefix(64) == capture.digest[...])
    }

    @Test(.enabled(if: Execution.find("tshark") != nil, "tshark is not installed"), arguments: captures)
    func everyReportIsTheOneThatTsharkSees(_ capture: Capture) throws {
        let path = try #require(SharedMaterial.path("captures/" + capture.testDescription))
        let tshark = try Execution.run(
            try #require(Execution.find("tshark")),
            [
                "-r", path, "-Y", "bthci_evt.le_meta_subevent == 0x02 || bthci_evt.le_meta_subevent == 0x0d",
                "-T", "fields", "-e", "bthci_evt.bd_addr", "-e", "bthci_evt.rssi", "-e", "btcommon.eir_ad.entry.data",
            ])
        let rows = tshark.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let decoder = JSONDecoder()
        let lines = try decode(capture).lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }
        #expect(counts(lines.map { "\($0.address) \($0.rssi ?? 127)" }) == counts(rows.map { "\($0[0]) \($0[1])" }))

        let theirs = rows.flatMap { row in
            row[2].split(separator: ",").filter { $0.hasPrefix("0215") && $0.count == 46 }
                .map { Beacon(address: String(row[0]), rssi: Int(row[1]), data: String($0)) }
        }
        let ours = lines.flatMap { line in
            line.frames.compactMap { frame in
                Self.manufacturerData(frame).map { Beacon(address: line.address, rssi: line.rssi, data: $0) }
            }
        }
        #expect(counts(ours) == counts(theirs))
        #expect(ours.count == capture.iBeacons)
    }

    static func manufacturerData(_ frame: Line.Frame) -> String? {
        guard frame.type == "ibeacon", let uuid = frame.uuid, let major = frame.major, let minor = frame.minor,
            let power = frame.power
        else { return nil }
        return "0215" + uuid.filter { $0 != "-" }
            + String(format: "%04x%04x%02x", Int(major), Int(minor), power & 0xFF)
    }

    func counts<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
        values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
