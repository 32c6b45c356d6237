import Bytes

extension AdvertisingReportDecoder {
    /// Core Vol 4 Part E 7.7.65.2: event type, address type, address, data length, data, RSSI.
    mutating func legacy(
        _ event: Span<UInt8>, _ reader: inout ReportReader, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) throws(AdvertisingFault) {
        let (start, length) = try reader.takeReport(event)
        let eventType: AdvertisingEventType
        switch event[start] {
        case 0: eventType = .advInd
        case 1: eventType = .advDirectInd
        case 2: eventType = .advScanInd
        case 3: eventType = .advNonconnInd
        case 4: eventType = .scanRsp
        default: throw AdvertisingFault(.reservedEventType, at: start)
        }
        let report = AdvertisingReport(
            eventType: eventType, address: try event.advertiser(at: start + reader.layout.addressOffset),
            rssi: event.level(at: start + 9 + length))
        tally.reports += 1
        body(report, event.extracting(start + 9..<start + 9 + length))
    }

    /// Core Vol 4 Part E 7.7.65.13: event type (2), address type, address, primary PHY, secondary PHY, SID, TX power,
    /// RSSI, periodic interval (2), direct address type, direct address, data length, data.
    mutating func extended(
        _ event: Span<UInt8>, _ reader: inout ReportReader, at time: Timestamp,
        _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) throws(AdvertisingFault) {
        let (start, length) = try reader.takeReport(event)
        let eventType = AdvertisingEventType(rawValue: event[start] & 0x1F)
        let status = event[start] >> 5 & 3
        guard status != 3 else { throw AdvertisingFault(.reservedDataStatus, at: start) }
        let interval = UInt16(event[start + 14]) | UInt16(event[start + 15]) << 8
        let sid = event[start + 11]
        var report = AdvertisingReport(
            eventType: eventType, address: try event.advertiser(at: start + reader.layout.addressOffset),
            rssi: event.level(at: start + 13),
            dataStatus: status == 2 ? .truncated : .complete, primaryPHY: PHY(rawValue: event[start + 9]),
            secondaryPHY: event[start + 10] == 0 ? nil : PHY(rawValue: event[start + 10]),
            advertisingSID: sid <= 0x0F ? sid : nil, txPower: event.level(at: start + 12),
            periodicInterval: interval == 0 ? nil : interval)
        if eventType.contains(.directed) { report.directAddress = try event.target(at: start + 16) }
        deliver(
            report, event.extracting(start + 24..<start + 24 + length), sid: sid, at: time, isLast: status != 1, body)
    }

    private mutating func deliver(
        _ report: AdvertisingReport, _ data: Span<UInt8>, sid: UInt8, at time: Timestamp, isLast: Bool,
        _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) {
        if isLast, fragments.open == 0 { return count(report, data, body) }
        let key = FragmentTable.Key(address: report.address, sid: sid, eventType: report.eventType)
        switch fragments.receive(data, of: key, at: time, isLast: isLast) {
        case .whole: count(report, data, body)
        case .held, .dropped: break
        case .joined(let entry):
            tally.reports += 1
            tally.fragmentsJoined += fragments.fragments(of: entry)
            if report.dataStatus == .truncated { tally.truncatedByController += 1 }
            let joined = fragments.data(of: entry)
            body(report, joined.span)
            fragments.release(entry)
        }
    }

    private mutating func count(
        _ report: AdvertisingReport, _ data: Span<UInt8>, _ body: (AdvertisingReport, Span<UInt8>) -> Void
    ) {
        tally.reports += 1
        if report.dataStatus == .truncated { tally.truncatedByController += 1 }
        body(report, data)
    }
}

extension Span where Element == UInt8 {
    /// The intended receiver of a directed report, with its type byte at `offset`. The type 0xFE is a resolvable
    /// private address that the controller could not resolve.
    fileprivate func target(at offset: Int) throws(AdvertisingFault) -> DeviceAddress {
        if self[offset] == 0xFE { return DeviceAddress(addressBits(at: offset + 1), .random) }
        return try advertiser(at: offset)
    }
}
