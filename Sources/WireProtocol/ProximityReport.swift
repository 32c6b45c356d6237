public import Bytes

/// The proximity of a beacon to a node, published at each change; retained, and cleared if the beacon expires.
public struct ProximityReport: Hashable, Sendable {
    /// The proximity.
    public var proximity: Window.Proximity
    /// The distance at the change, in metres; nil if it can't be estimated.
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

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
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
