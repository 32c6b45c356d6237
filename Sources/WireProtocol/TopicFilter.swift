/// Topics and topic filters (MQTT 5 section 4.7), as pure functions over their UTF-8.
public enum TopicFilter {
    /// Returns true if `filter` is well formed: 1 to 65535 bytes, no NUL, `+` alone in its level, `#` alone in the last
    /// one.
    public static func isValid(_ filter: String) -> Bool {
        let count = filter.utf8.count
        guard count > 0, count <= 65535 else { return false }
        var previous = UInt8(ascii: "/")
        var closed = false
        for byte in filter.utf8 {
            guard byte != 0, !closed else { return false }
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "#"):
                guard previous == UInt8(ascii: "/") else { return false }
                closed = byte == UInt8(ascii: "#")
            default:
                guard previous != UInt8(ascii: "+") || byte == UInt8(ascii: "/") else { return false }
            }
            previous = byte
        }
        return true
    }

    /// Returns true if `topic` can be published to: 1 to 65535 bytes, no NUL, no wildcard.
    public static func isValidTopic(_ topic: String) -> Bool {
        let count = topic.utf8.count
        guard count > 0, count <= 65535 else { return false }
        return !topic.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
    }

    /// Returns true if a message published to `topic` is delivered to a subscriber of `filter`.
    ///
    /// `#` matches its parent level too; a wildcard in the first level never matches a topic that starts with `$`
    /// (section 4.7.2). A malformed filter matches nothing.
    public static func matches(_ filter: String, _ topic: String) -> Bool {
        guard isValid(filter), isValidTopic(topic) else { return false }
        let wildcardFirst = filter.utf8.first == UInt8(ascii: "+") || filter.utf8.first == UInt8(ascii: "#")
        if wildcardFirst && topic.utf8.first == UInt8(ascii: "$") { return false }
        var wanted = Levels(filter)
        var given = Levels(topic)
        while let level = wanted.next() {
            if level.elementsEqual("#".utf8) { return true }
            guard let actual = given.next() else { return false }
            guard level.elementsEqual("+".utf8) || level.elementsEqual(actual) else { return false }
        }
        return given.next() == nil
    }

    /// The levels of a topic, one by one, without an allocation.
    private struct Levels {
        private var rest: Substring.UTF8View?

        init(_ text: String) {
            rest = Substring(text).utf8
        }

        mutating func next() -> Substring.UTF8View? {
            guard let text = rest else { return nil }
            guard let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
                rest = nil
                return text
            }
            rest = text[text.index(after: slash)...]
            return text[..<slash]
        }
    }
}
