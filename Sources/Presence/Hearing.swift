public import Advertising
public import BeaconFrames
public import Bytes
public import Identity
public import WireProtocol

/// One report of a beacon that is to be kept.
public struct Hearing: Sendable {
    /// Whose it is.
    public var beacon: IdentityResolver.Resolution
    /// When it was received.
    public var time: Timestamp
    /// Its level in dBm; nil where the controller doesn't know it.
    public var rssi: Int8?
    /// The measured power that its frame tells, in dBm at one metre.
    public var power: Int?
    /// Readings that came with it.
    public var telemetry: Telemetry
    /// The address that sent it; nil where it isn't known.
    public var address: DeviceAddress?
    /// The identities in its frames, by each of which regions watch: none, one, seldom two.
    public var frames: (BeaconID?, BeaconID?) = (nil, nil)
    /// The web address in its frames.
    public var url: EncodedURL?
    /// The kind of transmitter, of one that is known by its address alone and is no item.
    public var transmitterClass: TransmitterClass?

    /// A report without level, power or readings.
    public init(beacon: IdentityResolver.Resolution, time: Timestamp) {
        self.beacon = beacon
        self.time = time
        telemetry = Telemetry()
    }
}
