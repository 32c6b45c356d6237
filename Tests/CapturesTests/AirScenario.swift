import Advertising
import Bytes
import Testing

/// Packets on the air, and what a scanning controller that heard them would report.
struct AirScenario: CustomTestStringConvertible, Sendable {
    struct Heard: Equatable, Sendable, CustomStringConvertible {
        var event: String
        var address: String
        var rssi: Int?
        var data: [UInt8]
        var sid: UInt8?
        var power: Int8?
        var phys: [UInt8] = [1]
        var target: String?
        var isTruncated = false
        var interval: UInt16?

        var description: String {
            "\(event) \(address) \(rssi.map(String.init) ?? "-") \(Hex.text(data.span)) sid \(sid.map(String.init) ?? "-") "
                + "power \(power.map(String.init) ?? "-") phys \(phys) target \(target ?? "-") \(isTruncated) \(interval ?? 0)"
        }
    }

    var testDescription: String
    var packets: [AirPacket]
    var heard: [Heard]
    var counters: LinkLayerCounters

    init(
        _ name: String, _ packets: [AirPacket], _ heard: [Heard], _ count: (inout LinkLayerCounters) -> Void = { _ in }
    ) {
        testDescription = name
        self.packets = packets
        self.heard = heard
        counters = LinkLayerCounters()
        counters.packets = UInt64(packets.count)
        count(&counters)
    }

    static let all = [
        legacy, directed, requests, badCRC, malformed, extended, anonymous, chained, broken, scanned, coded, noPointer,
        periodic, overtaken,
    ]

    private static let adva: [UInt8] = [0x66, 0x55, 0x44, 0x33, 0x22, 0xC1]
    private static let address = "c1:22:33:44:55:66"
    private static let other: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06]
    private static let otherAddress = "06:05:04:03:02:01"
    private static let beacon: [UInt8] =
        [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (0..<16).map { $0 * 7 + 1 } + [0, 100, 0, 1, 0xC5]

    /// AD structures of manufacturer data, `count` bytes in all.
    static func data(_ count: Int, _ seed: UInt8 = 3) -> [UInt8] {
        var data: [UInt8] = []
        while data.count < count {
            let size = min(count - data.count, 60)
            let tail = (0..<max(0, size - 4)).map { UInt8(truncatingIfNeeded: $0) &* seed }
            data += size < 4 ? [UInt8](repeating: 0, count: size) : [UInt8(size - 1), 0xFF, 0x59, 0x00] + tail
        }
        return data
    }

    /// The data of legacy PDUs of every kind, with and without data, on all primary channels.
    private static let legacy = AirScenario(
        "legacy",
        [
            AirPacket(time: 0, channel: 37, header: 0x40, payload: adva + beacon),
            AirPacket(time: 450, channel: 38, rssi: -71, header: 0x00, payload: other + [2, 1, 6]),
            AirPacket(time: 900, channel: 39, rssi: -127, header: 0x42, payload: adva + data(31)),
            AirPacket(time: 100_000, channel: 37, rssi: 20, header: 0x06, payload: other),
            AirPacket(
                time: 100_400, channel: 37, rssi: -80, header: 0x44, payload: adva + [5, 9, 0x41, 0x42, 0x43, 0x44]),
        ],
        [
            Heard(event: "adv_ind", address: address, rssi: -60, data: beacon),
            Heard(event: "adv_ind", address: otherAddress, rssi: -71, data: [2, 1, 6]),
            Heard(event: "adv_nonconn_ind", address: address, rssi: -127, data: data(31)),
            Heard(event: "adv_scan_ind", address: otherAddress, rssi: 20, data: []),
            Heard(event: "scan_rsp", address: address, rssi: -80, data: [5, 9, 0x41, 0x42, 0x43, 0x44]),
        ])

    private static let directed = AirScenario(
        "directed",
        [AirPacket(time: 0, channel: 38, header: 0x81, payload: other + adva)],
        [Heard(event: "adv_direct_ind", address: otherAddress, rssi: -60, data: [], target: address)])

    private static let requests = AirScenario(
        "requests and connections",
        [
            AirPacket(time: 0, channel: 37, header: 0xC3, payload: adva + other),
            AirPacket(
                time: 300, channel: 37, header: 0xC5, payload: other + adva + [UInt8](repeating: 1, count: 22)),
            AirPacket(
                time: 5000, channel: 9, accessAddress: 0x5065_4D2A, header: 0x02, payload: [3, 0, 4, 0, 2, 23, 0]),
            AirPacket(time: 9000, channel: 39, header: 0x0F, payload: other),
        ], [],
        { counters in
            counters.requests = 2
            counters.other = 2
        })

    private static let badCRC = AirScenario(
        "wrong CRC",
        [
            AirPacket(time: 0, channel: 37, header: 0x42, payload: adva + beacon, hasGoodCRC: false),
            AirPacket(time: 450, channel: 38, header: 0x42, payload: adva + beacon),
        ], [Heard(event: "adv_nonconn_ind", address: address, rssi: -60, data: beacon)], { $0.crcFailures = 1 })

    private static let malformed = AirScenario(
        "malformed",
        [
            AirPacket(time: 0, channel: 37, header: 0x02, payload: [1, 2, 3, 4, 5]),
            AirPacket(time: 1, channel: 37, header: 0x02, payload: other + data(32)),
            AirPacket(time: 2, channel: 37, header: 0x01, payload: other + [1, 2, 3, 4, 5]),
            AirPacket(time: 3, channel: 37, header: 0x07, payload: []),
            AirPacket(time: 4, channel: 37, header: 0x07, payload: [0x08, 0x01, 1, 2, 3]),
            AirPacket(time: 5, channel: 37, header: 0x07, payload: [0x07, 0x03, 1, 2, 3, 4, 5, 6]),
            AirPacket(time: 6, channel: 37, header: 0x07, payload: [0xC7, 0x01, 1, 2, 3, 4, 5, 6]),
            AirPacket(time: 7, channel: 37, header: 0x07, payload: [0x03, 0x08, 1, 2]),
        ], [], { $0.malformed = 8 })

    /// ADV_EXT_IND with AuxPtr on all primary channels, AUX_ADV_IND with the data, ACAD and power.
    private static let extended: AirScenario = {
        let announcement = ExtendedParts(info: (0x123, 5), pointer: (20, 40, 0)).payload
        let parts = ExtendedParts(
            address: adva, info: (0x123, 5), sync: 80, power: -7, acad: [2, 0x0A, 0], data: data(200))
        let second = ExtendedParts(mode: 1, target: other, info: (0x001, 0), pointer: (3, 20, 1)).payload
        let answer = ExtendedParts(
            mode: 1, address: adva, target: other, tone: true, info: (0x001, 0), power: 4, data: [2, 1, 6])
        return AirScenario(
            "extended",
            [
                AirPacket(time: 0, channel: 37, header: 0x07, payload: announcement),
                AirPacket(time: 300, channel: 38, header: 0x07, payload: announcement),
                AirPacket(time: 600, channel: 39, header: 0x07, payload: announcement),
                AirPacket(
                    time: 1200, channel: 20, rssi: -50, auxiliary: .advertisement, header: 0x47, payload: parts.payload),
                AirPacket(time: 50_000, channel: 39, header: 0x07, payload: second),
                AirPacket(
                    time: 50_600, channel: 3, rssi: -51, phy: .le2M, auxiliary: .advertisement, header: 0x47,
                    payload: answer.payload),
            ],
            [
                Heard(
                    event: "ext_adv", address: address, rssi: -50, data: data(200), sid: 5, power: -7, phys: [1, 1],
                    interval: 80),
                Heard(
                    event: "ext_adv_conn_direct", address: address, rssi: -51, data: [2, 1, 6], sid: 0, power: 4,
                    phys: [1, 2], target: otherAddress),
            ])
    }()

    /// One with its address in ADV_EXT_IND, one without, and one whose ADV_EXT_IND was not heard.
    private static let anonymous: AirScenario = {
        let told = ExtendedParts(address: adva, info: (7, 1), pointer: (11, 30, 0)).payload
        let untold = ExtendedParts(info: (8, 2), pointer: (12, 30, 0)).payload
        let first = ExtendedParts(info: (7, 1), data: [2, 1, 4])
        let second = ExtendedParts(info: (8, 2), data: [2, 1, 5])
        return AirScenario(
            "anonymous",
            [
                AirPacket(time: 0, channel: 37, header: 0x47, payload: told),
                AirPacket(time: 400, channel: 37, header: 0x07, payload: untold),
                AirPacket(time: 900, channel: 11, auxiliary: .advertisement, header: 0x07, payload: first.payload),
                AirPacket(time: 1300, channel: 12, auxiliary: .advertisement, header: 0x07, payload: second.payload),
                AirPacket(time: 9000, channel: 13, auxiliary: .advertisement, header: 0x07, payload: second.payload),
            ],
            [
                Heard(event: "ext_adv", address: address, rssi: -60, data: [2, 1, 4], sid: 1, phys: [1, 1]),
                Heard(event: "ext_adv", address: "anonymous", rssi: -60, data: [2, 1, 5], sid: 2, phys: [1, 1]),
            ], { $0.orphans = 1 })
    }()

    private static func chain(_ start: Int64, lost: Bool) -> [AirPacket] {
        let info = (did: UInt16(0xABC), sid: UInt16(9))
        let all = data(600)
        let first = ExtendedParts(address: adva, info: info, pointer: (5, 90, 0), data: Array(all[..<180])).payload
        // Longer than an HCI event's fragment.
        let second = ExtendedParts(info: info, pointer: (6, 90, 0), data: Array(all[180..<420])).payload
        let third = ExtendedParts(info: info, data: Array(all[420...])).payload
        let announcement = ExtendedParts(info: info, pointer: (4, 50, 0)).payload
        var packets = [
            AirPacket(time: start, channel: 37, header: 0x07, payload: announcement),
            AirPacket(time: start + 1500, channel: 4, auxiliary: .advertisement, header: 0x47, payload: first),
            AirPacket(time: start + 4200, channel: 5, rssi: -61, auxiliary: .chain, header: 0x07, payload: second),
            AirPacket(time: start + 6900, channel: 6, rssi: -62, auxiliary: .chain, header: 0x07, payload: third),
        ]
        if lost { packets.remove(at: 2) }
        return packets
    }

    private static let chained = AirScenario(
        "chained", chain(0, lost: false),
        [Heard(event: "ext_adv", address: address, rssi: -62, data: data(600), sid: 9, phys: [1, 1])])

    /// The middle of a chain is missing, so that its end belongs to nothing; ADV_EXT_IND without anything behind it.
    private static let broken: AirScenario = {
        let lonely = ExtendedParts(info: (1, 1), pointer: (9, 100, 0)).payload
        let packets =
            chain(0, lost: true) + [
                AirPacket(time: 20_000, channel: 38, header: 0x07, payload: lonely),
                AirPacket(time: 2_000_000, channel: 37, header: 0x42, payload: adva + [2, 1, 6]),
            ]
        return AirScenario(
            "broken chain", packets,
            [
                Heard(
                    event: "ext_adv", address: address, rssi: -60, data: Array(data(600)[..<180]), sid: 9,
                    phys: [1, 1],
                    isTruncated: true),
                Heard(event: "adv_nonconn_ind", address: address, rssi: -60, data: [2, 1, 6]),
            ],
            { counters in
                counters.orphans = 1
                counters.unanswered = 1
                counters.truncated = 1
            })
    }()

    private static let scanned: AirScenario = {
        let announcement = ExtendedParts(mode: 2, info: (3, 3), pointer: (7, 40, 0)).payload
        let advertisement = ExtendedParts(mode: 2, address: adva, info: (3, 3)).payload
        let response = ExtendedParts(address: adva, info: (3, 3), data: data(120)).payload
        return AirScenario(
            "scanned",
            [
                AirPacket(time: 0, channel: 37, header: 0x07, payload: announcement),
                AirPacket(time: 1200, channel: 7, auxiliary: .advertisement, header: 0x47, payload: advertisement),
                AirPacket(time: 1600, channel: 7, header: 0xC3, payload: other + adva),
                AirPacket(
                    time: 2000, channel: 7, rssi: -63, auxiliary: .scanResponse, header: 0x47, payload: response),
            ],
            [
                Heard(event: "ext_adv_scan", address: address, rssi: -60, data: [], sid: 3, phys: [1, 1]),
                Heard(event: "ext_scan_rsp", address: address, rssi: -63, data: data(120), sid: 3, phys: [1, 1]),
            ], { $0.requests = 1 })
    }()

    private static let coded: AirScenario = {
        let announcement = ExtendedParts(info: (4, 4), pointer: (8, 400, 2)).payload
        let advertisement = ExtendedParts(address: adva, info: (4, 4), power: 127, data: beacon).payload
        return AirScenario(
            "coded",
            [
                AirPacket(time: 0, channel: 39, phy: .leCoded, header: 0x07, payload: announcement),
                AirPacket(
                    time: 12_000, channel: 8, phy: .leCoded, auxiliary: .advertisement, header: 0x47,
                    payload: advertisement),
            ], [Heard(event: "ext_adv", address: address, rssi: -60, data: beacon, sid: 4, phys: [3, 3])])
    }()

    private static let noPointer = AirScenario(
        "no pointer",
        [
            AirPacket(time: 0, channel: 37, header: 0x47, payload: ExtendedParts(address: adva, power: 8).payload),
            AirPacket(
                time: 9, channel: 37, header: 0x47,
                payload: ExtendedParts(address: adva, info: (1, 1), pointer: (1, 0, 0)).payload),
        ], [Heard(event: "ext_adv", address: address, rssi: -60, data: [], power: 8, phys: [1])])

    private static let periodic = AirScenario(
        "periodic",
        [
            AirPacket(
                time: 0, channel: 21, auxiliary: .periodic, accessAddress: 0x7184_2C1B, header: 0x07,
                payload: ExtendedParts(data: data(50)).payload)
        ], [], { $0.other = 1 })

    /// A set that begins anew before the rest of its data came.
    private static let overtaken = AirScenario(
        "overtaken", chain(0, lost: true).dropLast() + chain(50_000, lost: false),
        [
            Heard(
                event: "ext_adv", address: address, rssi: -60, data: Array(data(600)[..<180]), sid: 9, phys: [1, 1],
                isTruncated: true),
            Heard(event: "ext_adv", address: address, rssi: -62, data: data(600), sid: 9, phys: [1, 1]),
        ], { $0.truncated = 1 })
}
