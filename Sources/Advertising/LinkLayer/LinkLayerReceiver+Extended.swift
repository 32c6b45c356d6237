import Bytes

/// Extended advertising (Core Vol 6 Part B 4.4.2): ADV_EXT_IND on a primary channel, the others on secondary ones. All
/// of these PDUs have one type number, so that the channel determines the kind.
extension LinkLayerReceiver {
    mutating func extended(
        _ header: ExtendedHeader, _ packet: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp,
        _ body: Body
    ) throws(AdvertisingPDU.Refusal) {
        let data = packet.extracting(header.data)
        switch reception.content {
        case .auxiliary(.advertisement): advertisement(header, data, reception, at: time, body)
        case .auxiliary(.scanResponse): scanResponse(header, data, reception, at: time, body)
        case .auxiliary(.periodic): counters.other += 1
        case .auxiliary(.chain):
            if !chain(header, data, reception, at: time, body) { counters.orphans += 1 }
        case .unspecified, .foreign:
            if Self.isPrimary(header, reception) {
                try primary(header, reception, at: time, body)
            } else if !chain(header, data, reception, at: time, body) {
                unspecified(header, data, reception, at: time, body)
            }
        }
    }

    /// Returns true for a packet on a primary channel. If the channel isn't known: ADV_EXT_IND has no data, and either
    /// points to a packet that has, or has no ADI.
    private static func isPrimary(_ header: ExtendedHeader, _ reception: LinkLayerReception) -> Bool {
        if let channel = reception.channel { return channel >= 37 }
        return header.data.isEmpty && header.periodicInterval == nil
            && (header.pointer != nil || header.dataInfo == nil)
    }

    /// AUX_ADV_IND has an ADI and AUX_SCAN_RSP an address; one with both is the latter if its set is scannable.
    private mutating func unspecified(
        _ header: ExtendedHeader, _ data: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp,
        _ body: Body
    ) {
        let isScanned = awaited.contains(.scanResponse) { $0.report.address == header.address }
        if header.mode == 0, header.address != nil, header.dataInfo == nil || isScanned {
            scanResponse(header, data, reception, at: time, body)
        } else {
            advertisement(header, data, reception, at: time, body)
        }
    }

    /// ADV_EXT_IND: the whole report if it has no AuxPtr, else the announcement of AUX_ADV_IND.
    private mutating func primary(
        _ header: ExtendedHeader, _ reception: LinkLayerReception, at time: Timestamp, _ body: Body
    ) throws(AdvertisingPDU.Refusal) {
        var report = AdvertisingReport(
            eventType: Self.eventType(header), address: header.address ?? .anonymous, rssi: reception.rssi,
            directAddress: header.target, primaryPHY: reception.phy, advertisingSID: header.sid,
            txPower: header.txPower)
        guard let pointer = header.pointer else {
            guard header.address != nil else { throw .malformed }
            Self.report(report, Span<UInt8>(), moreToCome: false, at: time, body)
            return
        }
        guard pointer.offset > .zero else { return }
        report.rssi = nil
        // Sent on each primary channel in turn; all of them announce the same packet.
        _ = awaited.removePacket(.advertisement, near: time) {
            $0.dataInfo == header.dataInfo && $0.channel == pointer.channel && $0.report.address == report.address
        }
        expect(.advertisement, report, header.dataInfo, pointer, at: time, body)
    }

    /// AUX_ADV_IND: the report, or its first fragment.
    private mutating func advertisement(
        _ header: ExtendedHeader, _ data: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp,
        _ body: Body
    ) {
        let announced = awaited.removePacket(.advertisement, near: time) { awaited in
            awaited.dataInfo == header.dataInfo && Self.agree(awaited.channel, reception.channel)
                && (header.address == nil || awaited.report.address.kind == .anonymous
                    || awaited.report.address == header.address)
        }
        // A missing ADV_EXT_IND may have contained the absent address.
        guard announced != nil || header.address != nil else {
            counters.orphans += 1
            return
        }
        let target = header.target ?? announced?.report.directAddress
        let report = AdvertisingReport(
            eventType: Self.eventType(header, isDirected: target != nil),
            address: header.address ?? announced?.report.address ?? .anonymous, rssi: reception.rssi,
            directAddress: target, primaryPHY: announced?.report.primaryPHY ?? .le1M, secondaryPHY: reception.phy,
            advertisingSID: header.sid, txPower: header.txPower ?? announced?.report.txPower,
            periodicInterval: header.periodicInterval)
        begin(report, header, data, at: time, body)
        guard header.mode == 2 else { return }
        var answer = report
        answer.eventType.insert(.scanResponse)
        let open = AwaitedPacket(
            role: .scanResponse, report: answer, dataInfo: nil, channel: nil, due: time,
            deadline: time.advanced(by: Self.patience))
        if let evicted = awaited.insert(open) { giveUp(evicted, at: time, body) }
    }

    /// AUX_SCAN_RSP: a report of its own.
    private mutating func scanResponse(
        _ header: ExtendedHeader, _ data: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp,
        _ body: Body
    ) {
        guard let address = header.address else {
            counters.orphans += 1
            return
        }
        let scanned = awaited.removePacket(.scanResponse, near: time) { $0.report.address == address }
        var report =
            scanned?.report ?? AdvertisingReport(eventType: [.scannable, .scanResponse], address: address, rssi: nil)
        report.rssi = reception.rssi
        report.secondaryPHY = reception.phy
        report.advertisingSID = header.sid ?? report.advertisingSID
        report.txPower = header.txPower ?? report.txPower
        begin(report, header, data, at: time, body)
    }

    /// AUX_CHAIN_IND: the next fragment of a report. Returns false if no report is waiting for it.
    private mutating func chain(
        _ header: ExtendedHeader, _ data: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp,
        _ body: Body
    ) -> Bool {
        guard header.address == nil, header.mode == 0 else { return false }
        let begun = awaited.removePacket(.chain, near: time) {
            $0.dataInfo == header.dataInfo && Self.agree($0.channel, reception.channel)
                && (reception.channel != nil || time.duration(since: $0.due).magnitude <= Self.precision)
        }
        guard var report = begun?.report else { return false }
        report.rssi = reception.rssi
        report.txPower = header.txPower ?? report.txPower
        go(on: report, header, data, at: time, body)
        return true
    }

    /// Begins a report, and ends an incomplete one of the same set, since the set has moved on.
    private mutating func begin(
        _ report: AdvertisingReport, _ header: ExtendedHeader, _ data: Span<UInt8>, at time: Timestamp,
        _ body: Body
    ) {
        let broken = awaited.removePacket(.chain, near: time) {
            $0.report.address == report.address && $0.report.advertisingSID == report.advertisingSID
                && $0.report.eventType == report.eventType
        }
        if let broken { giveUp(broken, at: time, body) }
        go(on: report, header, data, at: time, body)
    }

    private mutating func go(
        on report: AdvertisingReport, _ header: ExtendedHeader, _ data: Span<UInt8>, at time: Timestamp,
        _ body: Body
    ) {
        guard let pointer = header.pointer, pointer.offset > .zero else {
            return Self.report(report, data, moreToCome: false, at: time, body)
        }
        Self.report(report, data, moreToCome: true, at: time, body)
        expect(.chain, report, header.dataInfo, pointer, at: time, body)
    }

    private mutating func expect(
        _ role: AwaitedPacket.Role, _ report: AdvertisingReport, _ dataInfo: UInt16?,
        _ pointer: ExtendedHeader.Pointer, at time: Timestamp, _ body: Body
    ) {
        let wait = pointer.offset + Self.patience
        let packet = AwaitedPacket(
            role: role, report: report, dataInfo: dataInfo, channel: pointer.channel,
            due: time.advanced(by: pointer.offset),
            deadline: time.advanced(by: role == .chain ? min(wait, Self.longestChainWait) : wait))
        if let evicted = awaited.insert(packet) { giveUp(evicted, at: time, body) }
    }

    private static func agree(_ announced: UInt8?, _ channel: UInt8?) -> Bool {
        guard let announced, let channel else { return true }
        return announced == channel
    }

    private static func eventType(_ header: ExtendedHeader, isDirected: Bool? = nil) -> AdvertisingEventType {
        var eventType: AdvertisingEventType = []
        if header.mode == 1 { eventType.insert(.connectable) }
        if header.mode == 2 { eventType.insert(.scannable) }
        if isDirected ?? (header.target != nil) { eventType.insert(.directed) }
        return eventType
    }
}
