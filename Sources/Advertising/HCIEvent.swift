/// The numbers of the HCI events that carry advertisements (Core Vol 4 Part E 7.7.65).
enum HCIEvent {
    /// LE Meta event.
    static let leMeta: UInt8 = 0x3E
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
}
