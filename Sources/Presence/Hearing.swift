public import BeaconFrames
public import Bytes
public import Identity
public import Sightings

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
    /// The web address that it carried.
    public var url: EncodedURL?

    /// A report without level, power or readings.
    public init(beacon: IdentityResolver.Resolution, time: Timestamp) {
        self.beacon = beacon
        self.time = time
        telemetry = Telemetry()
    }
}
