internal import WireProtocol

/// The version of a Debian package, in the order of deb-version(7).
struct DebianVersion: Comparable {
    /// Its text.
    let text: String

    /// The version that a text names; nil if it names none.
    init?(_ text: String) {
        guard NodeCommand.isPackageVersion(text) else { return nil }
        self.text = text
    }

    static func < (left: DebianVersion, right: DebianVersion) -> Bool {
        for (one, other) in zip(left.parts, right.parts) {
            let order = compare(one, other)
            if order != 0 { return order < 0 }
        }
        return false
    }

    static func == (left: DebianVersion, right: DebianVersion) -> Bool { !(left < right) && !(right < left) }

    /// Epoch, upstream version and revision.
    private var parts: [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        let begin = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        let end = bytes[begin...].lastIndex(of: UInt8(ascii: "-"))
        let revision = end.map { $0 + 1 } ?? bytes.count
        return [bytes[..<max(begin - 1, 0)], bytes[begin..<(end ?? bytes.count)], bytes[revision...]]
    }

    /// Compares two parts, by turns as text and as numbers: negative if the first one is less.
    private static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        var (left, right) = (left, right)
        while !left.isEmpty || !right.isEmpty {
            while isText(left.first) || isText(right.first) {
                let order = rank(left.first) - rank(right.first)
                guard order == 0 else { return order }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
            let one = left.prefix { isDigit($0) }, other = right.prefix { isDigit($0) }
            (left, right) = (left[one.endIndex...], right[other.endIndex...])
            let number = Array(one.drop { $0 == 0x30 }), second = Array(other.drop { $0 == 0x30 })
            guard number.count == second.count else { return number.count - second.count }
            if number != second { return number.lexicographicallyPrecedes(second) ? -1 : 1 }
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isText(_ byte: UInt8?) -> Bool { byte.map { !isDigit($0) } ?? false }

    /// `~` before the end and before digits, then letters, then all else.
    private static func rank(_ byte: UInt8?) -> Int {
        guard let byte, !isDigit(byte) else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        return (0x61...0x7A).contains(byte | 0x20) ? Int(byte) : Int(byte) + 256
    }
}
