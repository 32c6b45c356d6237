/// Something that is wrong with how an item is known by its key, or by an address that needs one.
public enum KeyFinding: Hashable, Sendable {
    /// It is heard with a clock that is ahead by so many seconds of what was expected, or behind where they are negative:
    /// the beacon's, or the node's own. Or somebody sends again what was recorded then.
    case clockOff(Int64)
    /// What it sends isn't opened by its key.
    case wrongKey
    /// What it sends was sent before, or its device counts from the start.
    case replayed
    /// It sends in the clear what its key should open; nothing of that is believed.
    case plain
    /// It is registered by an address that its device changes within minutes.
    case changingAddress

    /// What is wrong and the mend, behind the item's id.
    public var words: String {
        switch self {
        case .clockOff(let seconds):
            "is heard with a clock \(Self.duration(seconds.magnitude)) \(seconds < 0 ? "behind" : "ahead"), and not taken "
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

    private static func duration(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<7_200: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1_800) / 3_600) h"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }
}
