public import Bytes

/// Converts link-layer packets, as sniffers record them, to the HCI events with which a scanning controller would
/// report them: LE Extended Advertising Reports (Core Vol 4 Part E 7.7.65.13), for ``AdvertisingReportDecoder``.
///
/// Legacy advertisements and scan responses are reported one by one. An extended advertisement is followed from its
/// ADV_EXT_IND over AUX_ADV_IND to its last AUX_CHAIN_IND (Vol 6 Part B 4.4.2) as far as the recording has them:
/// packets are matched by their ADI, the channel and the time that AuxPtr announces. Data without its next packet is
/// reported as truncated. An advertisement of which only ADV_EXT_IND was recorded is counted and not reported. All
/// other packets are counted.
///
/// Bounds: 32 announced packets, each until a tenth of a second after its expected time, a chain's 0.9 s at most.
///
///     var receiver = LinkLayerReceiver()
///     receiver.receive(packet.span, reception, at: now) { time, event in … }
public struct LinkLayerReceiver: Sendable {
    /// Receives an HCI event, without the H4 indicator: code, length, parameters; and the time of the report.
    public typealias Body = (Timestamp, [UInt8]) -> Void

    /// The tolerance after a packet's expected time: recorded times are those of a host, not of the
    /// air.
    static let patience: Duration = .milliseconds(100)
    /// The tolerance around the expected time of a chain's next packet, if no channel distinguishes it
    /// from a later part.
    static let precision: Duration = .milliseconds(1)
    /// The longest wait for the remainder of a chain: shorter than the lifetime of fragments.
    static let longestChainWait: Duration = FragmentTable.maximumAge - patience

    /// Counts from the beginning.
    public internal(set) var counters = LinkLayerCounters()
    var awaited = AwaitedPackets()
    private var latest = Timestamp(microseconds: 0)

    /// A receiver in its initial state.
    public init() {}

    /// Receives a packet that begins with its access address, without the preamble.
    ///
    /// - Parameter body: Called for each HCI event that results. A report that is given up has the time at which a
    ///   controller would have given it up, which is not before any packet received earlier.
    public mutating func receive(
        _ packet: Span<UInt8>, _ reception: LinkLayerReception, at time: Timestamp, _ body: Body
    ) {
        counters.packets += 1
        latest = time
        while let missing = awaited.takeExpired(at: time) { giveUp(missing, at: missing.deadline, body) }
        do throws(AdvertisingPDU.Refusal) {
            try read(AdvertisingPDU(packet, reception), packet, reception, body)
        } catch {
            switch error {
            case .other: counters.other += 1
            case .crcFailed: counters.crcFailures += 1
            case .whitened: counters.whitened += 1
            case .malformed: counters.malformed += 1
            }
        }
    }

    /// Gives up all awaited packets, as at the end of a recording.
    public mutating func finish(_ body: Body) {
        while let missing = awaited.takeExpired(at: nil) { giveUp(missing, at: latest, body) }
    }

    private mutating func read(
        _ pdu: AdvertisingPDU, _ packet: Span<UInt8>, _ reception: LinkLayerReception, _ body: Body
    ) throws(AdvertisingPDU.Refusal) {
        switch pdu.kind {
        case .advInd: try legacy(.advInd, pdu, packet, reception, body)
        case .advNonconnInd: try legacy(.advNonconnInd, pdu, packet, reception, body)
        case .advScanInd: try legacy(.advScanInd, pdu, packet, reception, body)
        case .scanResponse: try legacy(.scanRsp, pdu, packet, reception, body)
        case .advDirectInd: try directed(pdu, packet, reception, body)
        case .extended:
            guard let header = ExtendedHeader(packet, pdu) else { throw .malformed }
            try extended(header, packet, reception, at: latest, body)
        case .scanRequest, .connectRequest, .connectResponse: counters.requests += 1
        case nil: counters.other += 1
        }
    }

    /// AdvA, then up to 31 bytes of data (Vol 6 Part B 2.3.1 and 2.3.2.2).
    private func legacy(
        _ eventType: AdvertisingEventType, _ pdu: AdvertisingPDU, _ packet: Span<UInt8>,
        _ reception: LinkLayerReception, _ body: Body
    ) throws(AdvertisingPDU.Refusal) {
        guard (6...37).contains(pdu.payload.count) else { throw .malformed }
        let report = AdvertisingReport(
            eventType: eventType, address: pdu.advertiser(packet, at: pdu.payload.lowerBound), rssi: reception.rssi,
            primaryPHY: reception.phy)
        Self.report(report, packet.extracting(pdu.payload.dropFirst(6)), moreToCome: false, at: latest, body)
    }

    /// ADV_DIRECT_IND: AdvA and TargetA (2.3.1.2).
    private func directed(
        _ pdu: AdvertisingPDU, _ packet: Span<UInt8>, _ reception: LinkLayerReception, _ body: Body
    ) throws(AdvertisingPDU.Refusal) {
        guard pdu.payload.count == 12 else { throw .malformed }
        let report = AdvertisingReport(
            eventType: .advDirectInd, address: pdu.advertiser(packet, at: pdu.payload.lowerBound),
            rssi: reception.rssi, directAddress: pdu.target(packet, at: pdu.payload.lowerBound + 6),
            primaryPHY: reception.phy)
        Self.report(report, packet.extracting(0..<0), moreToCome: false, at: latest, body)
    }

    /// Counts a missing packet, and ends the report that waits for it.
    mutating func giveUp(_ missing: AwaitedPacket, at time: Timestamp, _ body: Body) {
        switch missing.role {
        case .advertisement: counters.unanswered += 1
        case .scanResponse: break
        case .chain:
            counters.truncated += 1
            var report = missing.report
            report.dataStatus = .truncated
            Self.report(report, Span<UInt8>(), moreToCome: false, at: time, body)
        }
    }

    /// Passes the events of a report to `body`, in as many fragments as its data needs.
    static func report(
        _ report: AdvertisingReport, _ data: Span<UInt8>, moreToCome: Bool, at time: Timestamp, _ body: Body
    ) {
        var encoder = AdvertisingReportEncoder(.extended)
        var offset = 0
        repeat {
            let end = min(offset + AdvertisingReportEncoder.maximumFragmentLength, data.count)
            encoder.append(report, data.extracting(offset..<end), moreToCome: moreToCome || end < data.count)
            body(time, encoder.takeEvent())
            offset = end
        } while offset < data.count
    }
}
