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
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) { try self.init(payload: payload, limit: 4096) }
}

extension ProximityReport: WireObject {
    static var blank: Self { Self(proximity: .unknown, distance: nil, since: Timestamp(microseconds: 0)) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("proximity", &proximity)
        try fields.number("distance", &distance, decimals: 2) { (0...10_000).contains($0) }
        try fields.required("since", &since)
    }
}

extension Window.Proximity: WireValue {}
