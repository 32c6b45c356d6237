/// A text about items without their names: those belong to people, and what is more important than `info` is what goes to
/// other machines.
enum WithheldNames {
    /// The mark in a name's place.
    private static let mark = Array("…".utf8)

    /// The text with a mark for each of the names, where one stands as a word of its own.
    static func text(_ text: String, without names: [String]) -> String {
        let names = names.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        guard !names.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isBegin = index == 0 || !isPartOfWord(bytes[index - 1])
            let name = isBegin ? names.first { stands($0, in: bytes, at: index) } : nil
            if let name {
                result += mark
                index += name.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func stands(_ name: [UInt8], in bytes: [UInt8], at index: Int) -> Bool {
        let end = index + name.count
        guard end <= bytes.count, bytes[index..<end].elementsEqual(name) else { return false }
        return end == bytes.count || !isPartOfWord(bytes[end])
    }

    /// True for letters, digits and what ids join them by.
    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}
