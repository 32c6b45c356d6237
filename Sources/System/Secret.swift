/// A password or a key that never appears in a description, a dump or a log.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself.
    public let text: String

    /// Its text in UTF-8.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// A secret with its text.
    public init(_ text: String) {
        self.text = text
    }

    /// The placeholder for the text.
    public var description: String { "(secret)" }
    /// The placeholder for the text.
    public var debugDescription: String { "(secret)" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
