public import Bytes

/// What was learned of a beacon's cadence.
public struct CadenceRecord: Hashable, Sendable {
    /// The beacon's canonical id.
    public var beacon: String
    /// What was learned, in the caller's form.
    public var bytes: [UInt8]
    /// When it was learned.
    public var at: Timestamp

    /// A cadence by all its values.
    public init(beacon: String, bytes: [UInt8], at: Timestamp) {
        self.beacon = beacon
        self.bytes = bytes
        self.at = at
    }
}
