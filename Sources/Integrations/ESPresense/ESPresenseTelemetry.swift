public import Bytes

/// An ESPresense node's telemetry on `<root>/rooms/<room>/telemetry`, at most every 15 s (src/mqtt.cpp).
///
/// Only the values that our gateway has too; memory and stacks are a microcontroller's.
public struct ESPresenseTelemetry: Hashable, Sendable {
    /// Seconds since the program's start (`uptime`).
    public var uptime: Int?
    /// The name of its firmware (`firm`).
    public var firmware: String?
    /// Its version (`ver`).
    public var version: String?
    /// Advertising reports received since the start (`adverts`).
    public var adverts: UInt64?
    /// The reports that were processed (`seen`).
    public var seen: UInt64?
    /// Messages about devices since the start (`reported`).
    public var reported: UInt64?

    /// The least number of seconds between two of them.
    public static let spacing = 15

    /// Telemetry without any value.
    public init() {}

    /// Writes the payload.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("uptime", uptime)
        json.field("firm", firmware)
        json.field("ver", version)
        json.field("adverts", adverts)
        json.field("seen", seen)
        json.field("reported", reported)
        json.endObject()
    }

    /// Reads such a payload; keys other than these are ignored.
    public init(payload: Span<UInt8>) throws(IntegrationFault) {
        self.init()
        var telemetry = ESPresenseTelemetry()
        try readNeighbour(payload, limit: Plausible.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "uptime": telemetry.uptime = try json.integer(Int.self)
                case "firm": telemetry.firmware = try json.string()
                case "ver": telemetry.version = try json.string()
                case "adverts": telemetry.adverts = try json.integer(UInt64.self)
                case "seen": telemetry.seen = try json.integer(UInt64.self)
                case "reported": telemetry.reported = try json.integer(UInt64.self)
                default: try json.skip()
                }
            }
        }
        self = telemetry
    }
}
