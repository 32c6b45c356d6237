public import Bytes

/// An item's interval in one room.
public struct TruthInterval: Hashable, Sendable {
    /// The item's id.
    public let item: String
    /// The start, in simulated time.
    public let start: Timestamp
    /// The end, excluded: at this moment the item is elsewhere, or the requested interval is over.
    public let end: Timestamp
    /// The room's id; nil for outside the house.
    public let room: String?

    /// The first line of a table of these, without its end of line.
    public static let csvHeader = "start_s,end_s,item,room"

    /// One line of that table: Unix seconds with milliseconds, the item, and the room or `away`.
    public var csvRow: String {
        "\(Self.text(start)),\(Self.text(end)),\(item),\(room ?? Scenario.away)"
    }

    private static func text(_ time: Timestamp) -> String {
        let (seconds, rest) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(rest / 1_000)
        let sign = time.microseconds < 0 ? "-" : ""
        return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
}
