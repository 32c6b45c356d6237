import Bytes
import Captures

let pcapngFixtures =
    StoredForm.allCases.flatMap { form in [true, false].map { pcapngFixture(form, big: $0) } }
    + [twoSections()]

/// The blocks of a pcapng section in one byte order.
struct PcapngBlocks {
    var big: Bool

    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        block.append(type, big: big)
        block.append(UInt32(padded.count + 12), big: big)
        block += padded
        block.append(UInt32(padded.count + 12), big: big)
        return block
    }

    func words(_ words: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in words { bytes.append(word, big: big) }
        return bytes
    }

    func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        var option: [UInt8] = []
        option.append(code, big: big)
        option.append(UInt16(value.count), big: big)
        return option + value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    func sectionHeader(major: UInt16 = 1) -> [UInt8] {
        var body = words([0x1A2B_3C4D])
        body.append(major, big: big)
        body.append(0 as UInt16, big: big)
        return block(0x0A0D_0D0A, body + [UInt8](repeating: 0xFF, count: 8) + option(4, Array("tests".utf8)))
    }

    func interface(_ linkType: UInt16, snapLength: UInt32 = 0, options: [UInt8] = []) -> [UInt8] {
        var body: [UInt8] = []
        body.append(linkType, big: big)
        body.append(0 as UInt16, big: big)
        return block(1, body + words([snapLength]) + options)
    }

    func enhanced(_ stored: [UInt8], interface: UInt32 = 0, stamp: UInt64, flags: UInt32? = nil) -> [UInt8] {
        let size = UInt32(stored.count)
        let head = [interface, UInt32(stamp >> 32), UInt32(truncatingIfNeeded: stamp), size, size]
        let padding = [UInt8](repeating: 0, count: (4 - stored.count % 4) % 4)
        let options = flags.map { option(1, Array("note".utf8)) + option(2, words([$0])) + option(0, []) } ?? []
        return block(6, words(head) + stored + padding + options)
    }

    func obsolete(_ stored: [UInt8], interface: UInt16 = 0, stamp: UInt64) -> [UInt8] {
        var head: [UInt8] = []
        head.append(interface, big: big)
        head.append(7 as UInt16, big: big)
        let size = UInt32(stored.count)
        return block(2, head + words([UInt32(stamp >> 32), UInt32(truncatingIfNeeded: stamp), size, size]) + stored)
    }

    func simple(_ stored: [UInt8]) -> [UInt8] { block(3, words([UInt32(stored.count)]) + stored) }
}

/// All three kinds of packet blocks, with blocks of other kinds between.
private func pcapngFixture(_ form: StoredForm, big: Bool) -> CaptureFixture {
    let blocks = PcapngBlocks(big: big)
    var fixture = CaptureFixture(name: "pcapng \(form) \(big ? "big" : "little")-endian")
    fixture.append(blocks.sectionHeader())
    fixture.append(blocks.interface(form.linkType, options: blocks.option(9, [9])))
    fixture.append(blocks.block(0x0BAD, [1, 2, 3, 4, 5]))
    for (index, (indicator, sent, bytes)) in CaptureFixture.traffic.enumerated() {
        let time = CaptureFixture.time(index)
        let stamp = UInt64(time.microseconds) * 1000 + 1
        let stored = form.stored(indicator, sent: sent, bytes)
        let expected = form.packet(indicator, sent: sent, time: time)
        switch index {
        case 1: fixture.append(blocks.obsolete(stored, stamp: stamp), ReadPacket(packet: expected, bytes: bytes))
        case 3:
            let untimed = form.packet(indicator, sent: sent, time: nil)
            fixture.append(blocks.simple(stored), ReadPacket(packet: untimed, bytes: bytes))
        default: fixture.append(blocks.enhanced(stored, stamp: stamp), ReadPacket(packet: expected, bytes: bytes))
        }
    }
    fixture.append(blocks.block(5, blocks.words([0, 0, 0])))
    return fixture
}

/// Sections of different byte orders, whose interfaces differ in form, resolution and offset.
private func twoSections() -> CaptureFixture {
    var fixture = CaptureFixture(name: "pcapng of two sections")
    let event: [UInt8] = [0xFF, 0x01, 0x55]
    let time = CaptureFixture.time(0)
    func packet(_ kind: CapturedPacket.Kind, _ direction: CapturedPacket.Direction, _ time: Timestamp) -> ReadPacket {
        ReadPacket(packet: CapturedPacket(time: time, kind: kind, direction: direction), bytes: event)
    }
    let first = PcapngBlocks(big: true)
    fixture.append(first.sectionHeader())
    // Interface 0 is Ethernet, whose packets are passed over; 1 counts in units of 2^-20 s from a day after 1970.
    fixture.append(first.interface(1))
    var offset: [UInt8] = []
    offset.append(86_400 as UInt64, big: true)
    fixture.append(first.interface(187, options: first.option(9, [0x94]) + first.option(14, offset)))
    fixture.append(first.enhanced([1, 2, 3], interface: 0, stamp: 5))
    let aDayAndMore = Timestamp(microseconds: 86_400_000_000 + 1_500_000)
    fixture.append(
        first.enhanced([4] + event, interface: 1, stamp: 3 << 19, flags: 1), packet(.event, .received, aDayAndMore))
    fixture.append(
        first.enhanced([2] + event, interface: 1, stamp: 3 << 19, flags: 2), packet(.acl, .sent, aDayAndMore))
    let second = PcapngBlocks(big: false)
    fixture.append(second.sectionHeader())
    fixture.append(second.interface(201))
    let stamp = UInt64(time.microseconds)
    fixture.append(second.enhanced([0, 0, 0, 1, 2] + event, stamp: stamp), packet(.acl, .received, time))
    fixture.append(second.enhanced([0, 0, 0, 0, 5] + event, stamp: stamp), packet(.iso, .sent, time))
    return fixture
}
