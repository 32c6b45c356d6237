internal import Bytes

/// The HCI events that carry advertisements, and their numbers (Core Vol 4 Part E 7.7.65).
public enum HCIEvent {
    /// LE Meta event.
    public static let leMeta: UInt8 = 0x3E
    /// LE Advertising Report, a subevent.
    static let advertisingReport: UInt8 = 0x02
    /// LE Extended Advertising Report, a subevent.
    static let extendedAdvertisingReport: UInt8 = 0x0D
    /// The bytes of a legacy report without its data.
    static let legacyReportSize = 10
    /// The bytes of an extended report without its data.
    static let extendedReportSize = 24
    /// RSSI or TX power that is not available.
    static let unavailable: Int8 = 127
    /// No advertising set identifier.
    static let noSID: UInt8 = 0xFF

    /// Returns true if an LE Meta event is for ``AdvertisingReportDecoder``: one that holds reports, or is too short to
    /// be recognized.
    public static func isForDecoder(_ event: Span<UInt8>) -> Bool {
        guard let subevent = event.byte(at: 2) else { return true }
        return ReportLayout(subevent: subevent) != nil
    }

    /// Passes on the address of each report of an event with its type, 56 bits, without decoding the rest.
    ///
    /// Data that is cut off ends the iteration after its report's address; the decoder counts that fault.
    public static func forEachAdvertiser(in event: Span<UInt8>, _ body: (UInt64) -> Void) {
        guard let subevent = event.byte(at: 2), let layout = ReportLayout(subevent: subevent),
            let count = event.byte(at: 3)
        else { return }
        var reader = ReportReader(layout, end: event.count)
        for _ in 0..<count {
            guard let start = reader.fieldsStart else { return }
            let address = start + layout.addressOffset
            body(UInt64(event[address]) << 48 | event.addressBits(at: address + 1))
            reader.skip(event)
        }
    }
}
