/// A right of a client on the topics that match a filter.
struct AccessRule: Hashable {
    /// The right; the words are mosquitto's.
    enum Right: String {
        case read, write
        case both = "readwrite"

        var reads: Bool { self != .write }
        var writes: Bool { self != .read }
    }

    /// The right.
    var right: Right
    /// The topics (MQTT 5 section 4.7).
    var filter: String

    init(_ right: Right, _ filter: String) {
        self.right = right
        self.filter = filter
    }
}
