public import Bytes

extension RegionReport {
    /// A hundred beacon ids of 128 bytes, a hundred alerts of 64, and the remaining fields.
    static let payloadLimit = 24_576

    /// Writes the payload of a `nodes/<node>/regions/<region>` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys and problems are ignored; a value that no valid node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension RegionReport: WireObject {
    static var blank: Self { Self(exitAfter: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("state", &state)
        try fields.field("since", &since)
        try fields.field("determined_at", &determinedAt)
        try fields.field("count", &count, orElse: beacons.count)
        fields.check("count", beacons.count <= count && count <= 1_000_000)
        try fields.field("beacons", &beacons) {
            $0.count <= Self.beaconBound && $0.allSatisfy(Identifier.isBeaconLevel)
        }
        try fields.number("exit_after", &exitAfter, decimals: 3) { (0...86_400 * 7).contains($0) }
        fields.require("exit_after", unknown: PayloadFault.missing)
        try fields.field("problem", &problem)
        try fields.field("alerts", &alerts, unless: []) {
            $0.count <= Self.alertBound && $0.allSatisfy(Identifier.isValid)
        }
    }
}

extension RegionReport.State: WireValue {}
extension RegionReport.Problem: WireValue {}
