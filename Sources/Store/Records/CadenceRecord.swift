public import Bytes

/// The learned cadence of a beacon.
public struct CadenceRecord: Hashable, Sendable {
    /// The beacon's canonical id.
    public var beacon: String
    /// The cadence, in the caller's form.
    public var bytes: [UInt8]
    /// The time of the learning.
    public var at: Timestamp

    /// A cadence by all its values.
    public init(beacon: String, bytes: [UInt8], at: Timestamp) {
        self.beacon = beacon
        self.bytes = bytes
        self.at = at
    }
}
