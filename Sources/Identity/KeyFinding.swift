/// A problem with an item's key, or with an address that needs one.
public enum KeyFinding: Hashable, Sendable {
    /// The clock in its identifiers is ahead of the expected one by so many seconds, or behind if they are negative.
    /// The beacon's or the node's clock is wrong, or a recording is replayed.
    case clockOff(Int64)
    /// Its frames can't be opened by its key.
    case wrongKey
    /// Its frames were sent before, or its device's counter restarted.
    case replayed
    /// It sends plain frames although it has a key; their contents are ignored.
    case plain
    /// It is registered by an address that its device changes within minutes.
    case changingAddress

    /// The problem and its remedy, to follow the item's id.
    public var words: String {
        switch self {
        case .clockOff(let seconds):
            "is heard with a clock \(Self.durationText(seconds.magnitude)) \(seconds < 0 ? "behind" : "ahead"), and not taken "
                + "for it before it was heard so in three time slots on end: is this node's clock set, and the clock in "
                + "its key's file right?"
        case .wrongKey: "sends what its key doesn't open: is it this device's key?"
        case .replayed:
            "sends again what was sent before, which isn't believed; after a change of battery its readings are believed "
                + "again within a while"
        case .plain: "sends its readings in the clear though it has a key: none is believed; switch encryption on in it"
        case .changingAddress:
            "is registered by an address that its device changes: it will be gone within minutes; register it by its "
                + "identity resolving key"
        }
    }

    private static func durationText(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<7_200: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1_800) / 3_600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }
}
