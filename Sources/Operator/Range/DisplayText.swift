/// Text for a terminal: its width in columns, made safe, and cut to fit.
enum DisplayText {
    /// The text with control characters shown as `�`: a name from a file or from the air must not control the terminal.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars { shown.unicodeScalars.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        return shown
    }

    /// The width of the text in columns.
    static func width(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width($1) }
    }

    /// The text in at most so many columns, its end cut away behind a `…`.
    static func cutEnd(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        return columns > 0 ? String(prefix(of: text, columns - 1)) + "…" : ""
    }

    /// The text in at most so many columns, its middle cut away: both ends of an id are significant.
    static func cutMiddle(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 3 else { return cutEnd(text, to: columns) }
        let tail = String(prefix(of: String(text.reversed()), (columns - 1) / 2).reversed())
        return prefix(of: text, columns - 1 - width(tail)) + "…" + tail
    }

    private static func prefix(of text: String, _ columns: Int) -> Substring {
        var left = columns
        return text.prefix { character in
            left -= width(character)
            return left >= 0
        }
    }

    /// The columns of a user-perceived character: those of its widest scalar.
    private static func width(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, width($1)) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        // VARIATION SELECTOR-16 asks for an emoji's wide form.
        if scalar.value == 0xFE0F { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks whose characters are wide or full width (Unicode Standard Annex #11, East Asian Width).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Besides the controls: line ends, and marks that turn the direction of what follows.
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
