public import Bytes

/// Readings of an item's beacon, stored until they are exported.
public struct TelemetryRecord: Hashable, Sendable {
    /// Its place among the readings, from 1 on, which the store assigns; 0 before.
    public var number: UInt64
    /// The item's id.
    public var item: String
    /// The time of the readings.
    public var at: Timestamp
    /// The readings, in the caller's form.
    public var payload: [UInt8]

    /// A record by all its values.
    public init(number: UInt64 = 0, item: String, at: Timestamp, payload: [UInt8]) {
        self.number = number
        self.item = item
        self.at = at
        self.payload = payload
    }
}
