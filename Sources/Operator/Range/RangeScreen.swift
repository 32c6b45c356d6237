internal import Bytes
internal import CommandLine

/// The output of `range`: a table that is drawn over itself on a terminal, lines of JSON, or one table at the end.
struct RangeScreen: ~Copyable {
    private enum Manner {
        case live, lines, final
    }

    private let view: RangeView
    private let manner: Manner
    private let isJSON: Bool
    private let hasColours: Bool
    private let isTerminal: Bool
    private var output = StandardOutput()
    private var json = JSONWriter()
    /// The lines on the terminal.
    private var drawn: [String] = []

    init(_ view: RangeView, _ options: RangeOptions, environment: [String: String]) {
        self.view = view
        isJSON = options.isJSON
        let isDumb = environment["TERM"].map { $0 == "dumb" || $0.isEmpty } ?? true
        isTerminal = Terminal.isAttached()
        let isLive = isTerminal && !isDumb && !options.isOnce
        manner = options.isJSON && !options.isOnce ? .lines : isLive ? .live : .final
        // no-color.org: any value that is not empty turns colours off.
        hasColours = isTerminal && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// True if a table is redrawn in place, so that nothing else may be written to the terminal.
    var isLive: Bool { manner == .live }
    /// True if the reader is still there.
    var isOpen: Bool { output.isOpen }

    /// Prints a reception of this moment.
    mutating func printRow(_ row: RangeRow) {
        guard manner == .lines else { return }
        row.write(to: &json)
        json.endLine()
        output.write(json.text)
        json.removeAll()
    }

    /// Shows the present state: draws the table anew on a terminal, and passes on the lines elsewhere.
    mutating func update(_ rows: @autoclosure () -> [RangeRow], title: String, notices: [String]) {
        guard manner == .live else {
            output.flush()
            return
        }
        let size = Terminal.size()
        let layout = TableLayout([], width: size?.columns ?? 80, hasColours: hasColours)
        let remarks = notices.flatMap { layout.sentence($0, .yellow) }
        // The title, the table's head and the line below the last need room as well.
        let room = max(3, (size?.rows ?? 24) - remarks.count - 3)
        var lines = [layout.text(title, .dim)]
        lines += view.lines(rows(), width: layout.width, hasColours: hasColours, limit: room)
        lines += remarks
        guard lines != drawn else { return }
        // Up to the first line, each line with the rest of the old one erased, then everything below.
        var frame = drawn.isEmpty ? "" : "\u{1B}[\(drawn.count)A\r"
        for line in lines { frame += line + "\u{1B}[K\n" }
        output.write(frame + "\u{1B}[J")
        drawn = lines
    }

    /// Prints the rest, and returns whether all of it was written.
    mutating func finish(_ rows: [RangeRow]) -> StandardOutput.State {
        switch manner {
        case .live, .lines: break
        case .final where isJSON:
            for row in rows {
                row.write(to: &json)
                json.endLine()
            }
            output.write(json.text)
        case .final:
            let width = isTerminal ? Terminal.size()?.columns : nil
            for line in view.lines(rows, width: width, hasColours: hasColours) { output.line(line) }
        }
        return output.flush()
    }
}
