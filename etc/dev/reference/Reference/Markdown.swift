/// The few forms of Markdown that the pages are made of.
enum Markdown {
    /// A table. Cells are Markdown; `|` is escaped in them, and a line end becomes a space.
    static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map(line).joined()
    }

    /// A code span.
    static func code(_ text: String) -> String { "`\(text)`" }

    /// A block of code in a language, or in none.
    static func block(_ text: String, _ language: String = "") -> String {
        "```\(language)\n\(text)\n```\n"
    }

    /// Words joined by blanks in lines of at most `width` characters; further lines are indented.
    static func wrapped(_ words: [String], width: Int = 100, indent: Int = 4) -> String {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(lines.isEmpty ? word : String(repeating: " ", count: indent) + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ cells: [String]) -> String {
        let escaped = cells.map { cell in
            cell.map { $0 == "|" ? "\\|" : $0 == "\n" ? " " : String($0) }.joined()
        }
        return "| \(escaped.joined(separator: " | ")) |\n"
    }
}
