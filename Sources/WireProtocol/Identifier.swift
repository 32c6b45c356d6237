/// Ids of nodes, rooms, items, regions and fusers: one or more of `a-z 0-9 _ -`.
public enum Identifier {
    /// The maximum length of an id, in bytes: room for a name, short enough that a topic is far below MQTT's limit.
    public static let maximumLength = 64
    /// Reserved texts, which represent answers and name nothing.
    public static let reserved = ["away", "unknown"]

    /// Returns true if `text` may name a node, room, item, region or fuser.
    public static func isValid(_ text: String) -> Bool {
        isTopicSafe(text.utf8.span, limit: maximumLength, isName) && !reserved.contains(text)
    }

    /// Returns true if `text` may be the `<beacon>` level of a topic: an item's id, or a beacon's canonical id.
    public static func isBeaconLevel(_ text: String) -> Bool {
        isTopicSafe(text.utf8.span, limit: 128) { isName($0) || isCapital($0) || $0 == UInt8(ascii: ":") }
    }

    /// Returns true if `text` may be an epoch: any short text that isn't empty. Epochs of others are stored in tables.
    static func isEpoch(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= maximumLength }

    private static func isTopicSafe(_ text: Span<UInt8>, limit: Int, _ isPermitted: (UInt8) -> Bool) -> Bool {
        guard !text.isEmpty, text.count <= limit else { return false }
        for index in text.indices where !isPermitted(text[index]) { return false }
        return true
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
