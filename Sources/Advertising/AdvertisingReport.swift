/// One received advertisement without its data: the fields of an LE Advertising Report (Core Vol 4 Part E 7.7.65.2) or
/// an LE Extended Advertising Report (7.7.65.13). It holds no references; the data is passed beside it as a span.
public struct AdvertisingReport: Hashable, Sendable, BitwiseCopyable {
    /// The completeness of the data.
    public enum DataStatus: Hashable, Sendable, BitwiseCopyable {
        /// All of it.
        case complete
        /// The beginning only: the controller lost the remainder.
        case truncated
    }

    /// The packet's properties: connectable, scannable, directed, response, legacy.
    public var eventType: AdvertisingEventType
    /// The completeness of the data.
    public var dataStatus: DataStatus
    /// The address of the sender.
    public var address: DeviceAddress
    /// The address of the intended receiver; nil unless directed, and in legacy reports, which don't contain it.
    public var directAddress: DeviceAddress?
    /// The PHY on which it was announced.
    public var primaryPHY: PHY
    /// The PHY of its data; nil if all of it was received on the primary channels.
    public var secondaryPHY: PHY?
    /// The advertising set's identifier, 0...15; nil if the packet has none.
    public var advertisingSID: UInt8?
    /// The transmission power according to the packet, in dBm; nil if the packet doesn't contain it.
    public var txPower: Int8?
    /// The received signal strength in dBm; nil if the controller has none (127 on the wire).
    public var rssi: Int8?
    /// The interval of periodic advertising in units of 1.25 ms; nil if there is none.
    public var periodicInterval: UInt16?

    /// A report of these fields; the default values are those of a legacy report.
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
