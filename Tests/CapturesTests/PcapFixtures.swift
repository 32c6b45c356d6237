import Bytes

let pcapFixtures = StoredForm.allCases.flatMap { form in
    [(true, true), (true, false), (false, true), (false, false)].map { big, nanoseconds in
        pcapFixture(form, big: big, nanoseconds: nanoseconds)
    }
}

func pcapHeader(linkType: UInt32, big: Bool, nanoseconds: Bool = false, major: UInt16 = 2) -> [UInt8] {
    var header: [UInt8] = []
    header.append((nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4) as UInt32, big: big)
    header.append(major, big: big)
    header.append(4 as UInt16, big: big)
    for word in [0, 0, 65535, linkType] as [UInt32] { header.append(word, big: big) }
    return header
}

func pcapRecord(_ stored: [UInt8], seconds: UInt32, fraction: UInt32, big: Bool) -> [UInt8] {
    var record: [UInt8] = []
    for word in [seconds, fraction, UInt32(stored.count), UInt32(stored.count)] { record.append(word, big: big) }
    return record + stored
}

private func pcapFixture(_ form: StoredForm, big: Bool, nanoseconds: Bool) -> CaptureFixture {
    let name = "pcap \(form) \(big ? "big" : "little")-endian, \(nanoseconds ? "nanoseconds" : "microseconds")"
    var fixture = CaptureFixture(name: name)
    fixture.append(pcapHeader(linkType: UInt32(form.linkType), big: big, nanoseconds: nanoseconds))
    for (index, (indicator, sent, bytes)) in CaptureFixture.traffic.enumerated() {
        let time = CaptureFixture.time(index)
        let (seconds, microseconds) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Nanoseconds are rounded down to a microsecond.
        let fraction = UInt32(nanoseconds ? microseconds * 1000 + 999 : microseconds)
        let stored = form.stored(indicator, sent: sent, bytes)
        let expected = form.packet(indicator, sent: sent, time: time)
        let record = pcapRecord(stored, seconds: UInt32(seconds), fraction: fraction, big: big)
        fixture.append(record, ReadPacket(packet: expected, bytes: bytes))
    }
    return fixture
}
