/// A table of text in a given width, as lines. Columns shrink, then are dropped; no line is ever wider.
struct TableLayout {
    /// The emphasis of a cell if there are colours.
    enum Style {
        case plain, bold, dim, green, yellow

        /// The SGR parameter (ECMA-48 8.3.117).
        fileprivate var code: String? {
            switch self {
            case .plain: nil
            case .bold: "1"
            case .dim: "2"
            case .green: "32"
            case .yellow: "33"
            }
        }
    }

    /// One field of a row.
    struct Cell: Equatable {
        var text: String
        var style = Style.plain

        init(_ text: String, _ style: Style = .plain) {
            self.text = DisplayText.safe(text)
            self.style = style
        }
    }

    /// A column's head and its behaviour.
    struct Column {
        var title: String
        var isNumber = false
        /// The columns of the terminal below which it is not shrunk; nil if it is not shrunk at all.
        var least: Int?
        /// True if its middle is cut, rather than its end.
        var cutsMiddle = false
        /// The order in which it is dropped: the highest first; 0 for never.
        var dispensable = 0
    }

    static let gap = 2

    let columns: [Column]
    /// The terminal's columns; nil for unlimited ones.
    var width: Int?
    var hasColours = false

    init(_ columns: [Column], width: Int? = nil, hasColours: Bool = false) {
        self.columns = columns
        self.width = width
        self.hasColours = hasColours
    }

    /// The head and a line for each row; a column that is empty in all rows is left out.
    func lines(_ rows: [[Cell]]) -> [String] {
        var shown = columns.indices.filter { index in rows.isEmpty || rows.contains { !$0[index].text.isEmpty } }
        var widths = fitWidths(shown, rows)
        while let width, totalWidth(widths) > width,
            let worst = shown.filter({ columns[$0].dispensable > 0 }).max(by: {
                columns[$0].dispensable < columns[$1].dispensable
            })
        {
            shown.removeAll { $0 == worst }
            widths = fitWidths(shown, rows)
        }
        let head = columns.map { Cell($0.title, .bold) }
        return ([head] + rows).map { joinCells($0, shown, widths) }
    }

    /// One line of text that fits the width.
    func text(_ text: String, _ style: Style = .plain) -> String {
        let safe = DisplayText.safe(text)
        return coloured(width.map { DisplayText.cutEnd(safe, to: $0) } ?? safe, style)
    }

    /// A sentence in lines that fit the width, broken between words.
    func sentence(_ sentence: String, _ style: Style = .plain) -> [String] {
        guard let width else { return [text(sentence, style)] }
        var lines: [String] = []
        for word in sentence.split(separator: " ") {
            if let last = lines.last, DisplayText.width(last) + 1 + DisplayText.width(String(word)) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { text($0, style) }
    }

    private func totalWidth(_ widths: [Int]) -> Int { widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) }

    /// The widths of the shown columns: their own, and if that is too much, the widest shrunk first.
    private func fitWidths(_ shown: [Int], _ rows: [[Cell]]) -> [Int] {
        var widths = shown.map { index in
            rows.reduce(DisplayText.width(columns[index].title)) { max($0, DisplayText.width($1[index].text)) }
        }
        guard let width else { return widths }
        var excess = totalWidth(widths) - width
        while excess > 0 {
            let shrinkable = shown.indices.filter { place in
                columns[shown[place]].least.map { widths[place] > $0 } ?? false
            }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func joinCells(_ cells: [Cell], _ shown: [Int], _ widths: [Int]) -> String {
        var line = ""
        var left = width ?? .max
        for (place, index) in shown.enumerated() {
            let column = columns[index]
            let room = min(widths[place], left)
            let cell = cells[index]
            let text =
                column.cutsMiddle
                ? DisplayText.cutMiddle(cell.text, to: room) : DisplayText.cutEnd(cell.text, to: room)
            let blanks = String(repeating: " ", count: room - DisplayText.width(text))
            let isLast = place == shown.count - 1
            line += column.isNumber ? blanks + coloured(text, cell.style) : coloured(text, cell.style)
            if !isLast, !column.isNumber { line += blanks }
            left -= room
            if !isLast {
                line += String(repeating: " ", count: min(Self.gap, left))
                left -= min(Self.gap, left)
            }
        }
        return hasColours ? line : trimmedEnd(line)
    }

    private func coloured(_ text: String, _ style: Style) -> String {
        guard hasColours, let code = style.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private func trimmedEnd(_ line: String) -> String {
        var line = Substring(line)
        while line.last == " " { line.removeLast() }
        return String(line)
    }
}
