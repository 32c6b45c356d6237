/// The properties of an advertising report's packet: the low five bits of the extended report's Event_Type (Core Vol 4
/// Part E 7.7.65.13). Legacy reports are represented by the same bits.
public struct AdvertisingEventType: OptionSet, Hashable, Sendable, BitwiseCopyable {
    /// The bits as the extended report has them.
    public let rawValue: UInt8

    /// The event type of these bits.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A central may connect.
    public static let connectable = AdvertisingEventType(rawValue: 0x01)
    /// An active scanner may request a scan response.
    public static let scannable = AdvertisingEventType(rawValue: 0x02)
    /// Meant for one receiver.
    public static let directed = AdvertisingEventType(rawValue: 0x04)
    /// The response to a scan request.
    public static let scanResponse = AdvertisingEventType(rawValue: 0x08)
    /// Sent as a legacy PDU (up to 31 bytes), reported by either event.
    public static let legacy = AdvertisingEventType(rawValue: 0x10)

    /// ADV_IND: connectable and scannable.
    public static let advInd: AdvertisingEventType = [.legacy, .connectable, .scannable]
    /// ADV_DIRECT_IND: connectable and directed.
    public static let advDirectInd: AdvertisingEventType = [.legacy, .connectable, .directed]
    /// ADV_SCAN_IND: scannable only.
    public static let advScanInd: AdvertisingEventType = [.legacy, .scannable]
    /// ADV_NONCONN_IND: neither; the type that most beacons send.
    public static let advNonconnInd: AdvertisingEventType = [.legacy]
    /// SCAN_RSP in a legacy report, which doesn't contain the advertiser's connectable bit.
    public static let scanRsp: AdvertisingEventType = [.legacy, .scannable, .scanResponse]

    /// The name that `whereabouts decode` prints as `event`.
    ///
    /// Legacy PDUs have the link layer's names: `adv_ind`, `adv_direct_ind`, `adv_scan_ind`, `adv_nonconn_ind`,
    /// `scan_rsp`. Extended ones are `ext_adv`, followed by their properties: `ext_adv`, `ext_adv_conn`,
    /// `ext_adv_scan`, `ext_adv_direct`, `ext_adv_conn_direct`, `ext_adv_scan_direct`, and `ext_scan_rsp` for the
    /// response to a scan request. The specification has no extended event that is both connectable and scannable; a
    /// report with both bits is `ext_adv_conn`.
    public var name: String {
        if contains(.legacy) {
            if contains(.scanResponse) { return "scan_rsp" }
            if contains(.directed) { return "adv_direct_ind" }
            if contains(.connectable) { return "adv_ind" }
            return contains(.scannable) ? "adv_scan_ind" : "adv_nonconn_ind"
        }
        if contains(.scanResponse) { return "ext_scan_rsp" }
        switch (contains(.connectable), contains(.scannable), contains(.directed)) {
        case (true, _, false): return "ext_adv_conn"
        case (true, _, true): return "ext_adv_conn_direct"
        case (false, true, false): return "ext_adv_scan"
        case (false, true, true): return "ext_adv_scan_direct"
        case (false, false, true): return "ext_adv_direct"
        case (false, false, false): return "ext_adv"
        }
    }
}
