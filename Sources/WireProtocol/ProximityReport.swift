public import Bytes

/// How near a beacon is to a node, published when that changes; retained, and cleared when the beacon is forgotten.
public struct ProximityReport: Hashable, Sendable {
    /// How near it is.
    public var proximity: Window.Proximity
    /// The distance at the change, in metres; nil where it can't be told.
    public var distance: Double?
    /// Since when it is so near.
    public var since: Timestamp

    /// A report by all its values.
    public init(proximity: Window.Proximity, distance: Double?, since: Timestamp) {
        self.proximity = proximity
        self.distance = distance
        self.since = since
    }

    /// Writes the payload of a `nodes/<node>/proximity/<beacon>` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("proximity", proximity.rawValue)
        json.field("distance", distance, decimals: 2)
        json.field("since", since)
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are passed over; anything that no honest node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var proximity: Window.Proximity?
        var distance: Double?
        var since: Timestamp?
        try readPayload(payload, limit: 4096) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "proximity": proximity = Window.Proximity(rawValue: try json.string())
                case "distance": distance = try json.number()
                case "since": since = try json.time()
                default: try json.skip()
                }
            }
        }
        self.init(
            proximity: try require(proximity, "proximity"), distance: distance, since: try require(since, "since"))
        guard distance.map((0...10_000).contains) ?? true else { throw .outOfRange("distance") }
    }
}
