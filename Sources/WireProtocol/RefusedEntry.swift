internal import Bytes

/// An entry of the registry that a node rejects, as its `info` reports it.
public struct RefusedEntry: Hashable, Sendable {
    /// The item.
    public var item: String
    /// The reason, and the remedy if there is one.
    public var reason: String

    /// An entry with the reason.
    public init(item: String, reason: String) {
        self.item = item
        self.reason = reason
    }
}

extension RefusedEntry: WireObject {
    static var blank: Self { Self(item: "", reason: "") }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("reason", &reason)
    }
}
