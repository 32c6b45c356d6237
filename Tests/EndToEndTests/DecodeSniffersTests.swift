import Foundation
import Support
import Testing

/// The output of `decode` and `replay:` for common captures of sniffers.
@Suite struct DecodeSniffersTests {
    /// An iBeacon's ADV_NONCONN_IND from c1:22:33:44:55:66 at −60 dBm, each 100 ms, the CRC of every fourth wrong.
    private static func pcap(_ linkType: UInt32 = 256, count: UInt32 = 40) -> [UInt8] {
        var file: [UInt8] = []
        func word(_ value: UInt32) {
            for shift in [0, 8, 16, 24] as [UInt32] { file.append(UInt8(value >> shift & 0xFF)) }
        }
        for value in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, linkType] as [UInt32] { word(value) }
        let data = [2, 1, 6, 26, 0xFF, 0x4C, 0, 2, 21] + [UInt8](repeating: 0xAB, count: 16) + [0, 100, 0, 1, 0xC5]
        for index in 0..<count {
            let isBad = index % 4 == 3
            let pdu: [UInt8] = [0x42, UInt8(data.count + 6), 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1] + data
            let header: [UInt8] = [12, 0xC4, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x13, isBad ? 0x04 : 0x0C]
            let packet = header + [0xD6, 0xBE, 0x89, 0x8E] + pdu + [0, 0, 0]
            for value in [1_795_248_000 + index / 10, index % 10 * 100_000, UInt32(packet.count), UInt32(packet.count)]
            {
                word(value)
            }
            file += packet
        }
        return file
    }

    @Test("Decode a sniffer's capture to lines like a controller's, and count unused packets")
    func sniffer() throws {
        let outcome = try DecodeTests.decode(["-"], input: Self.pcap(count: 4))
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 3)
        #expect(
            outcome.lines.first?.hasPrefix(
                "{\"t\":1795248000,\"address\":\"c1:22:33:44:55:66\",\"address_type\":\"random\",\"rssi\":-60,"
                    + "\"event\":\"adv_nonconn_ind\",\"data\":\"0201061aff4c000215abab") == true, "\(outcome.lines)")
        #expect(outcome.lines.first?.contains("\"type\":\"ibeacon\"") == true)
        #expect(outcome.error == "whereabouts decode: standard input: packets with a wrong CRC: 1\n")
    }

    @Test("Replay a sniffer's capture from a file and from a pipe alike")
    func replay() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.pcap(), to: "sniffer.pcap")
        let words = ["range", "--json", "--all", "--source"]
        let range = Execution.path(of: "whereabouts")
        let file = try Execution.run(range, words + ["replay:\(path)", "--speed", "max"])
        let fed = try Execution.run(range, words + ["replay:-"], input: Self.pcap())
        #expect(file.status == 0 && fed.status == 0, "\(file.error)\(fed.error)")
        #expect(file.output == fed.output && file.lines.contains { $0.contains("abababab") }, "\(file.lines)")
    }

    @Test("Reject an unreadable capture with its contents, the place and the remedy")
    func refused() throws {
        let rows: [([UInt8], String)] = [
            (Self.pcap(1), "link-layer type 1 (Ethernet) at byte 20: expected Bluetooth HCI (187, 201)"),
            ([0x50, 0x4B, 3, 4, 0, 0, 0, 0], "a ZIP archive: unpack it (unzip)"),
            (Array("dumpstate without a log\n".utf8), "an Android bug report with its BTSNOOP_LOG_SUMMARY"),
        ]
        for (bytes, text) in rows {
            let outcome = try DecodeTests.decode([], input: bytes)
            #expect(outcome.status == 1 && outcome.error.contains(text), "\(outcome.error)")
        }
        let fed = try Execution.run(
            Execution.path(of: "whereabouts"), ["range", "--json", "--source", "replay:-"], input: Array("nothing".utf8)
        )
        #expect(fed.status == 1 && fed.error.contains("without a file header"), "\(fed.error)")
    }
}
