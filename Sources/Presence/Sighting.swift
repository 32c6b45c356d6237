public import Advertising
public import BeaconFrames
public import Bytes
public import Identity
public import WireProtocol

/// A report of a beacon to record.
public struct Sighting: Sendable {
    /// The resolved beacon.
    public var beacon: IdentityResolver.Resolution
    /// The time of reception.
    public var time: Timestamp
    /// Its level in dBm; nil if the controller doesn't provide it.
    public var rssi: Int8?
    /// The measured power in its frame, in dBm at one metre.
    public var power: Int?
    /// Readings received with it.
    public var telemetry: Telemetry
    /// The address that sent it; nil if it isn't known.
    public var address: DeviceAddress?
    /// The identities in its frames, each of which regions may watch: none, one, seldom two.
    public var frames: (BeaconID?, BeaconID?) = (nil, nil)
    /// The web address in its frames.
    public var url: EncodedURL?
    /// The kind of transmitter, if it is known by its address alone and is no item.
    public var transmitterClass: TransmitterClass?

    /// A report without level, power or readings.
    public init(beacon: IdentityResolver.Resolution, time: Timestamp) {
        self.beacon = beacon
        self.time = time
        telemetry = Telemetry()
    }
}
