extension Span where Element == UInt8 {
    /// Returns true if the bytes begin with those of a text.
    public func begins(with text: String) -> Bool {
        let start = text.utf8.span
        guard start.count <= count else { return false }
        for index in start.indices where self[index] != start[index] { return false }
        return true
    }

    /// The first place of a byte from an offset on; nil if there is none.
    public func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        for index in Swift.min(offset, count)..<count where self[index] == byte { return index }
        return nil
    }

    /// The bytes as a text; nil if they are not UTF-8.
    public var text: String? {
        guard let text = try? UTF8Span(validating: self) else { return nil }
        return String(copying: text)
    }
}
