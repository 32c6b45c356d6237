import Bytes
import Captures

let btsnoopFixtures = [btsnoopFixture(linuxMonitor: false), btsnoopFixture(linuxMonitor: true)]

func btsnoopHeader(version: UInt32 = 1, dataLink: UInt32) -> [UInt8] {
    var header: [UInt8] = Array("btsnoop\0".utf8)
    header.append(bigEndian: version)
    header.append(bigEndian: dataLink)
    return header
}

func btsnoopRecord(_ stored: [UInt8], flags: UInt32, stamp: UInt64) -> [UInt8] {
    var record: [UInt8] = []
    record.append(bigEndian: UInt32(stored.count))
    record.append(bigEndian: UInt32(stored.count))
    record.append(bigEndian: flags)
    record.append(bigEndian: 0 as UInt32)
    record.append(bigEndian: stamp)
    return record + stored
}

/// Times count from 719,540 days before 1970.
func btsnoopStamp(_ time: Timestamp) -> UInt64 { UInt64(time.microseconds + 719_540 * 86_400_000_000) }

private func btsnoopFixture(linuxMonitor: Bool) -> CaptureFixture {
    var fixture = CaptureFixture(name: "btsnoop " + (linuxMonitor ? "monitor" : "H4"))
    fixture.append(btsnoopHeader(dataLink: linuxMonitor ? 2001 : 1002))
    for (index, (indicator, sent, bytes)) in CaptureFixture.traffic.enumerated() {
        let time = CaptureFixture.time(index)
        let expected: CapturedPacket
        let record: [UInt8]
        if linuxMonitor {
            let flags = 3 << 16 | monitorOpcode(indicator)
            record = btsnoopRecord(bytes, flags: flags, stamp: btsnoopStamp(time))
            expected = StoredForm.linuxMonitor.packet(indicator, sent: sent, time: time)
        } else {
            record = btsnoopRecord([indicator] + bytes, flags: sent ? 0 : 1, stamp: btsnoopStamp(time))
            expected = StoredForm.h4WithDirection.packet(indicator, sent: sent, time: time)
        }
        fixture.append(record, ReadPacket(packet: expected, bytes: bytes))
    }
    return fixture
}
