internal import Identity

/// A fault in an item's entry, with the expected form.
public struct ItemFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faulty key, such as `ibeacon.major`; empty for the whole entry.
    public var key: String
    /// The fault and its remedy, without a full stop.
    public var message: String
    /// The byte of the text, counted from 0, at which the fault was detected.
    public var offset: Int

    /// A fault of a key at a byte of the text.
    public init(_ key: String, _ message: String, at offset: Int) {
        self.key = key
        self.message = message
        self.offset = offset
    }

    /// A text such as `ibeacon.major: expected a whole number from 0 to 65535, found 70000`.
    public var description: String { key.isEmpty ? message : "\(key): \(message)" }
}

/// The reasons for which an entry from a topic is rejected: all of its faults.
public struct ItemRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The item that the topic names.
    public var id: String
    /// The faults, at least one.
    public var faults: [ItemFault]

    /// A refusal with its reasons.
    public init(id: String, faults: [ItemFault]) {
        self.id = id
        self.faults = faults
    }

    /// The names in the text: that of the item, and what stands in the entry and is quoted.
    public var names: [String] { [KeyText.hidden(in: id)] + faults.flatMap { Self.quoted(in: $0.message) } }

    /// The parts of a text between single quotes.
    private static func quoted(in text: String) -> [String] {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }

    /// A text such as `the entry of 'keys' is refused: ibeacon.uuid: …; power: …`.
    public var description: String {
        "the entry of '\(KeyText.hidden(in: id))' is refused: " + faults.map(\.description).joined(separator: "; ")
    }
}
