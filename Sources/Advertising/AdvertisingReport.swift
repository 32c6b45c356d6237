/// One received advertisement without its data: the fields of an LE Advertising Report (Core Vol 4 Part E 7.7.65.2) or
/// an LE Extended Advertising Report (7.7.65.13). It holds no references; the data travels beside it as a span.
public struct AdvertisingReport: Hashable, Sendable, BitwiseCopyable {
    /// Whether the data is all that the advertiser sent.
    public enum DataStatus: Hashable, Sendable, BitwiseCopyable {
        /// All of it.
        case complete
        /// Its beginning: the controller lost the rest.
        case truncated
    }

    /// What the packet allows and how it was sent.
    public var eventType: AdvertisingEventType
    /// Whether the data is whole.
    public var dataStatus: DataStatus
    /// Who sent it.
    public var address: DeviceAddress
    /// Whom it is meant for; nil unless directed, and in legacy reports, which don't say.
    public var directAddress: DeviceAddress?
    /// Where it was announced.
    public var primaryPHY: PHY
    /// Where its data came; nil for what came on the primary channels alone.
    public var secondaryPHY: PHY?
    /// The advertising set's identifier, 0...15; nil where the packet has none.
    public var advertisingSID: UInt8?
    /// The power at which the packet says it was sent, in dBm; nil where it doesn't say.
    public var txPower: Int8?
    /// The received signal strength in dBm; nil where the controller could not tell (127 on the wire).
    public var rssi: Int8?
    /// The interval of periodic advertising in units of 1.25 ms; nil where there is none.
    public var periodicInterval: UInt16?

    /// A report of these fields; what isn't named has the value of a legacy report.
    @inlinable
    public init(
        eventType: AdvertisingEventType, address: DeviceAddress, rssi: Int8?, dataStatus: DataStatus = .complete,
        directAddress: DeviceAddress? = nil, primaryPHY: PHY = .le1M, secondaryPHY: PHY? = nil,
        advertisingSID: UInt8? = nil, txPower: Int8? = nil, periodicInterval: UInt16? = nil
    ) {
        self.eventType = eventType
        self.dataStatus = dataStatus
        self.address = address
        self.directAddress = directAddress
        self.primaryPHY = primaryPHY
        self.secondaryPHY = secondaryPHY
        self.advertisingSID = advertisingSID
        self.txPower = txPower
        self.rssi = rssi
        self.periodicInterval = periodicInterval
    }
}
