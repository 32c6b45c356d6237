import Advertising
import Bytes
import Testing

/// The forms in which sniffers store packets of the air.
enum SnifferKind: CaseIterable, Sendable {
    case plain, withHeader, nordic0, nordic1, nordic2, nordic3

    var linkType: UInt32 {
        switch self {
        case .plain: 251
        case .withHeader: 256
        default: 272
        }
    }

    /// True if it stores levels, channels and PHYs.
    var isDetailed: Bool { self != .plain }
    /// True if it distinguishes auxiliary PDUs.
    var tellsAuxiliary: Bool { self == .withHeader || self == .nordic3 }

    func stored(_ packet: AirPacket) -> [UInt8] {
        let isData = packet.accessAddress != AirPacket.advertising && packet.auxiliary == nil
        switch self {
        case .plain: return packet.bytes
        case .withHeader:
            var flags: UInt16 = 0x0001 | 0x0002 | 0x0010 | 0x0400 | (packet.hasGoodCRC ? 0x0800 : 0)
            flags |= packet.phy == .le2M ? 0x4000 : packet.phy == .leCoded ? 0x8000 : 0
            if let auxiliary = packet.auxiliary { flags |= 0x0080 | UInt16(auxiliary.rawValue) << 12 }
            if isData { flags |= 2 << 7 }
            var bytes = [packet.radioChannel, UInt8(truncatingIfNeeded: packet.rssi), 0, 0]
            bytes.append(littleEndian: packet.accessAddress)
            bytes.append(littleEndian: flags)
            return bytes + packet.bytes
        case .nordic0, .nordic1, .nordic2, .nordic3: return nordic(packet, isData)
        }
    }

    private func nordic(_ packet: AirPacket, _ isData: Bool) -> [UInt8] {
        var flags: UInt8 = packet.hasGoodCRC ? 1 : 0
        if self == .nordic2 || self == .nordic3 {
            flags |= packet.phy == .le2M ? 0x10 : packet.phy == .leCoded ? 0x20 : 0
        }
        if self == .nordic3, let auxiliary = packet.auxiliary { flags |= auxiliary.rawValue << 1 }
        let event =
            [flags, packet.channel, UInt8(truncatingIfNeeded: -packet.rssi), 7, 0, 1, 2, 3, 4] + packet.bytes
        switch self {
        case .nordic0: return [0xBE, 0xEF, 6, 1, 0, 0, 0, UInt8(event.count)] + event
        case .nordic1: return [3, 6, UInt8(event.count + 1), 1, 1, 0, 6, 10] + event
        default:
            let size = UInt16(event.count + 1)
            let kind: UInt8 = self == .nordic2 || isData ? 6 : 2
            let version: UInt8 = self == .nordic2 ? 2 : 3
            return [3, UInt8(size & 0xFF), UInt8(size >> 8), version, 1, 0, kind, 10] + event
        }
    }

    /// True if this form can express a scenario: old headers have lengths of one byte, and no coded PHY.
    func tells(_ scenario: AirScenario) -> Bool {
        switch self {
        case .plain: !scenario.packets.contains { $0.phy == .leCoded }
        case .nordic0, .nordic1:
            !scenario.packets.contains { $0.phy != .le1M || $0.bytes.count > 240 }
        default: true
        }
    }

    /// The receptions of a scenario, without the values that this form doesn't store.
    func heard(_ scenario: AirScenario) -> [AirScenario.Heard] {
        scenario.heard.map { heard in
            var heard = heard
            // The level is stored without its sign.
            if linkType == 272, let level = heard.rssi, level > 0 { heard.rssi = nil }
            guard !isDetailed else { return heard }
            heard.rssi = nil
            heard.phys = heard.phys.map { _ in 1 }
            return heard
        }
    }
}

extension SnifferKind {
    /// The counts of a scenario. Without the channel an ADV_EXT_IND that lacks everything may be an AUX_ADV_IND.
    func counters(_ scenario: AirScenario) -> LinkLayerCounters {
        var counters = scenario.counters
        if !isDetailed, counters.malformed > 1 {
            counters.malformed -= 1
            counters.orphans += 1
        }
        return counters
    }
}

/// The containers of those forms.
enum SnifferContainer: CaseIterable, Sendable {
    case pcap, pcapBig, pcapNanoseconds, pcapng, pcapngBig

    func file(_ kind: SnifferKind, _ packets: [AirPacket]) -> (bytes: [UInt8], ends: [Int]) {
        let start = CaptureFixture.time(0).microseconds
        var ends: [Int] = []
        switch self {
        case .pcap, .pcapBig, .pcapNanoseconds:
            let big = self == .pcapBig
            let isFine = self == .pcapNanoseconds
            var bytes = pcapHeader(linkType: kind.linkType, big: big, nanoseconds: isFine)
            for packet in packets {
                let (seconds, rest) = (start + packet.time).quotientAndRemainder(dividingBy: 1_000_000)
                bytes += pcapRecord(
                    kind.stored(packet), seconds: UInt32(seconds), fraction: UInt32(isFine ? rest * 1000 : rest),
                    big: big)
                ends.append(bytes.count)
            }
            return (bytes, ends)
        case .pcapng, .pcapngBig:
            let blocks = PcapngBlocks(big: self == .pcapngBig)
            var bytes = blocks.sectionHeader() + blocks.interface(UInt16(kind.linkType))
            for packet in packets {
                bytes += blocks.enhanced(kind.stored(packet), stamp: UInt64(start + packet.time))
                ends.append(bytes.count)
            }
            return (bytes, ends)
        }
    }
}

/// A file of a sniffer: a scenario, a form and a container, all combinations of which there are.
struct SnifferFile: CustomTestStringConvertible, Sendable {
    var scenario: AirScenario
    var kind: SnifferKind
    var container: SnifferContainer

    var testDescription: String { "\(kind) \(container) \(scenario.testDescription)" }
    var file: (bytes: [UInt8], ends: [Int]) { container.file(kind, scenario.packets) }

    /// Each scenario in each form, the containers taking turns.
    static let all: [SnifferFile] = {
        var files: [SnifferFile] = []
        for kind in SnifferKind.allCases {
            for (index, scenario) in AirScenario.all.enumerated() where kind.tells(scenario) {
                let containers = SnifferContainer.allCases
                files.append(
                    SnifferFile(scenario: scenario, kind: kind, container: containers[index % containers.count]))
            }
        }
        return files
    }()
}
