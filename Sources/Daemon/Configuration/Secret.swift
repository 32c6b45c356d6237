/// A password or a key: it never shows in a description, a dump or a log.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself.
    public let bytes: [UInt8]

    /// A secret with its bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A word in its place.
    public var description: String { "(secret)" }
    /// A word in its place.
    public var debugDescription: String { "(secret)" }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
