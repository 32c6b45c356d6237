internal import Bytes

/// Writes the HCI events that ``AdvertisingReportDecoder`` reads: for tests, simulated adapters and recordings.
///
///     var encoder = AdvertisingReportEncoder(.legacy)
///     encoder.append(report, data.span)
///     let event = encoder.takeEvent()
public struct AdvertisingReportEncoder: Sendable {
    /// The event to write.
    public enum Form: Sendable {
        /// LE Advertising Report (Core Vol 4 Part E 7.7.65.2).
        case legacy
        /// LE Extended Advertising Report (7.7.65.13).
        case extended
    }

    /// The maximum number of data bytes of one extended report in one event.
    public static let maximumFragmentLength = 255 - 2 - HCIEvent.extendedReportSize

    private let form: Form
    private var event: [UInt8]

    /// An encoder of empty events.
    public init(_ form: Form) {
        self.form = form
        self.event = Self.opening(form)
    }

    /// The number of reports in the event.
    public var count: Int { Int(event[3]) }

    /// Adds a report to the event.
    ///
    /// Returns false without a change if the event is full (255 bytes of parameters, 25 legacy or 10 extended reports)
    /// or its form can't express the report: a legacy event holds only legacy PDUs with complete data of 31 bytes or
    /// fewer.
    ///
    /// - Parameter moreToCome: Marks an extended report's data as a fragment, the remainder of which follows in another
    ///   report.
    @discardableResult
    public mutating func append(_ report: AdvertisingReport, _ data: Span<UInt8>, moreToCome: Bool = false) -> Bool {
        let size = form == .legacy ? HCIEvent.legacyReportSize : HCIEvent.extendedReportSize
        guard count < (form == .legacy ? 25 : 10), event.count + size + data.count <= 257 else { return false }
        switch form {
        case .legacy:
            guard !moreToCome, appendLegacy(report, data) else { return false }
        case .extended: appendExtended(report, data, moreToCome)
        }
        event[1] = UInt8(event.count - 2)
        event[3] += 1
        return true
    }

    /// The event so far, without the H4 indicator; the encoder is empty afterwards.
    public mutating func takeEvent() -> [UInt8] {
        defer { event = Self.opening(form) }
        return event
    }

    /// One report in as many extended events as its data needs, each but the last marked "more to come".
    ///
    /// `length` is the maximum number of data bytes in a fragment, clamped to 1...229.
    public static func fragments(
        _ report: AdvertisingReport, _ data: Span<UInt8>, of length: Int = maximumFragmentLength
    ) -> [[UInt8]] {
        let length = max(1, min(length, maximumFragmentLength))
        var encoder = AdvertisingReportEncoder(.extended)
        var events: [[UInt8]] = []
        var offset = 0
        repeat {
            let end = min(offset + length, data.count)
            encoder.append(report, data.extracting(offset..<end), moreToCome: end < data.count)
            events.append(encoder.takeEvent())
            offset = end
        } while offset < data.count
        return events
    }

    private static func opening(_ form: Form) -> [UInt8] {
        [HCIEvent.leMeta, 2, form == .legacy ? HCIEvent.advertisingReport : HCIEvent.extendedAdvertisingReport, 0]
    }

    private mutating func appendLegacy(_ report: AdvertisingReport, _ data: Span<UInt8>) -> Bool {
        guard data.count <= 31, report.dataStatus == .complete else { return false }
        let type: UInt8
        switch report.eventType {
        case .advInd: type = 0
        case .advDirectInd: type = 1
        case .advScanInd: type = 2
        case .advNonconnInd: type = 3
        case .scanRsp, [.scanRsp, .connectable]: type = 4
        default: return false
        }
        event.append(type)
        append(report.address)
        event.append(UInt8(data.count))
        event.append(contentsOf: data)
        append(level: report.rssi)
        return true
    }

    private mutating func appendExtended(_ report: AdvertisingReport, _ data: Span<UInt8>, _ moreToCome: Bool) {
        let status: UInt8 = moreToCome ? 1 : report.dataStatus == .truncated ? 2 : 0
        event.append(report.eventType.rawValue & 0x1F | status << 5)
        event.append(0)
        append(report.address)
        event.append(report.primaryPHY.rawValue)
        event.append(report.secondaryPHY?.rawValue ?? 0)
        event.append(report.advertisingSID ?? HCIEvent.noSID)
        append(level: report.txPower)
        append(level: report.rssi)
        event.append(littleEndian: report.periodicInterval ?? 0)
        append(report.directAddress ?? DeviceAddress(0, .public))
        event.append(UInt8(data.count))
        event.append(contentsOf: data)
    }

    private mutating func append(_ address: DeviceAddress) {
        event.append(address.kind.rawValue)
        for shift in stride(from: 0, to: 48, by: 8) {
            event.append(UInt8(truncatingIfNeeded: address.bits >> UInt64(shift)))
        }
    }

    private mutating func append(level: Int8?) {
        event.append(UInt8(bitPattern: level ?? HCIEvent.unavailable))
    }
}
