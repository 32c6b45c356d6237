internal import Identity

/// Suggests ids in place of texts that can't be ids, different from those that are in use.
///
/// The same text always has the same suggestion; two texts never share one.
public struct IdentifierSuggestions: Sendable {
    private let taken: Set<String>
    private var given: [String: String] = [:]
    private var owners: Set<String> = []

    /// Suggestions for a file or a registry that has these ids.
    public init(taken: Set<String> = []) {
        self.taken = taken
    }

    /// The suggested id for a text; nil if nothing of the text can be in an id, or if it may be a key.
    public mutating func suggestion(for text: String) -> String? {
        if let known = given[text] { return known }
        guard let base = Self.identifier(like: text) else { return nil }
        var suggestion = base
        var number = 2
        while taken.contains(suggestion) || owners.contains(suggestion) {
            let ending = "-\(number)"
            suggestion = base.prefix(Identifier.maximumLength - ending.count) + ending
            number += 1
        }
        owners.insert(suggestion)
        given[text] = suggestion
        return suggestion
    }

    /// The reason why a text can't be an id, with a suggested id; nil if it can.
    ///
    /// - Parameter noun: The object of the id, such as `a tag`.
    public mutating func complaint(about text: String, noun: String = "an id") -> String? {
        if Identifier.isValid(text) { return nil }
        if Identifier.reserved.contains(text) { return "'\(text)' is reserved; choose another" }
        let form = "up to \(Identifier.maximumLength) of a-z, 0-9, '_' and '-'"
        let mend = suggestion(for: text).map { "; '\($0)' would do" } ?? ""
        return "'\(ItemReader.short(text))' can't be \(noun) (\(form))\(mend)"
    }

    /// A valid id in small ASCII letters that resembles a text: `-` for the characters between its words.
    static func identifier(like text: String) -> String? {
        guard text.utf8.count <= 1024, KeyText.hidden(in: text) == text else { return nil }
        var id = ""
        for character in text.lowercased() where !apostrophes.contains(character) {
            if let ascii = character.asciiValue, isPlain(ascii) {
                id.append(character)
            } else if let letters = Self.letters[character] {
                id += letters
            } else if !id.isEmpty, !id.hasSuffix("-") {
                id += "-"
            }
        }
        id = String(id.prefix(Identifier.maximumLength))
        while id.hasSuffix("-") { id.removeLast() }
        return Identifier.isValid(id) ? id : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }

    private static let apostrophes: Set<Character> = ["'", "\u{2019}", "\u{00B4}", "`"]

    /// ASCII for the letters of Latin-1 and Latin Extended-A.
    private static let letters: [Character: String] = {
        let groups = [
            ("a", "àáâãåāăą"), ("ae", "äæ"), ("c", "çćĉċč"), ("d", "ðďđ"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
            ("h", "ĥħ"), ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņňŋ"),
            ("o", "òóôõøōŏő"), ("oe", "öœ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("ss", "ß"), ("t", "ţťŧț"), ("th", "þ"),
            ("u", "ùúûũūŭůűų"), ("ue", "ü"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
        ]
        var letters: [Character: String] = [:]
        for (ascii, others) in groups {
            for other in others { letters[other] = ascii }
        }
        return letters
    }()
}
