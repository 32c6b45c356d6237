internal import Identity

/// One thing that is wrong with an item's entry, and what would be right.
public struct ItemFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key that is meant, such as `ibeacon.major`; empty for the whole entry.
    public var key: String
    /// What is wrong and how to mend it, without a full stop.
    public var message: String
    /// The byte of the text, counted from 0, at which it was noticed.
    public var offset: Int

    /// A fault of a key at a byte of the text.
    public init(_ key: String, _ message: String, at offset: Int) {
        self.key = key
        self.message = message
        self.offset = offset
    }

    /// Such as `ibeacon.major: expected a whole number from 0 to 65535, found 70000`.
    public var description: String { key.isEmpty ? message : "\(key): \(message)" }
}

/// Why an entry from a topic is refused: everything that is wrong with it.
public struct ItemRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The item that the topic names.
    public var id: String
    /// What is wrong, at least one thing.
    public var faults: [ItemFault]

    /// A refusal with its reasons.
    public init(id: String, faults: [ItemFault]) {
        self.id = id
        self.faults = faults
    }

    /// Such as `the entry of 'keys' is refused: ibeacon.uuid: …; power: …`.
    public var description: String {
        "the entry of '\(KeyText.hidden(in: id))' is refused: " + faults.map(\.description).joined(separator: "; ")
    }
}
