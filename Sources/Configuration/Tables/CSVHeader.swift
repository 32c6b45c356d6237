internal import Identity

/// The first row of a CSV file, read with one separator.
struct CSVHeader {
    /// The separators that are tried: a comma, a semicolon, a tab. Of equals the first wins.
    static let separators: [UInt8] = [0x2C, 0x3B, 0x09]

    /// The byte between two fields.
    let separator: UInt8
    /// For each field the index of the requested column, or -1.
    let columns: [Int]
    /// Fields that name no requested column.
    let strangers: [String]
    private let fields: [String]
    private let names: [String]

    /// A first row of those fields, of which `names` are requested.
    init(_ fields: [String], separator: UInt8, names: [String]) {
        self.separator = separator
        self.fields = fields
        self.names = names
        columns = fields.map { names.firstIndex(of: Self.normalized($0)) ?? -1 }
        strangers = zip(fields, columns).filter { $1 < 0 }.map(\.0)
    }

    /// A name in the form of requested columns: in small letters, with `_` for spaces and hyphens within, none around.
    static func normalized(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: "_")
    }

    private var known: Int { columns.count { $0 >= 0 } }

    /// True if this separator finds more of the columns; if both find none, more fields.
    func isBetter(than other: CSVHeader) -> Bool {
        if known != other.known { return known > other.known }
        return known == 0 && fields.count > other.fields.count
    }

    /// The reason for which the row cannot head the file, and the remedy; nil if it can.
    func fault(required: [String]) -> String? {
        let missing = required.filter { !columns.contains(names.firstIndex(of: $0) ?? -1) }
        guard missing.isEmpty else {
            let shown = fields.prefix(8).map { KeyText.hidden(in: String($0.prefix(40))) }.joined(separator: ", ")
            let more = fields.count > 8 ? ", …" : ""
            let rule = known == 0 ? "; the first row must name the columns" : ""
            let row = "the first row, separated by \(Self.separatorName(of: separator)), has: \(shown)\(more)"
            return "no column \(missing.joined(separator: ", ")); \(row)\(rule)"
        }
        let twice = names.indices.first { index in columns.count { $0 == index } > 1 }
        return twice.map { "the column '\(names[$0])' is given twice; leave one out" }
    }

    private static func separatorName(of separator: UInt8) -> String {
        separator == 0x09 ? "tabs" : "'\(Character(Unicode.Scalar(separator)))'"
    }
}
