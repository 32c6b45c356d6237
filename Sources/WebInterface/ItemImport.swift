package import Configuration

/// A file of items that is to be registered, or compared with the registry alone.
public struct ItemImport: Hashable, Sendable {
    /// The file as it was read.
    package let document: ItemsDocument
    /// True to show what it would change, and to publish nothing.
    package let isPreview: Bool
}
