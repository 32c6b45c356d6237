/// A source file of the house: where it stands, and its text.
struct HouseFile {
    /// From the root of the repository, such as `Sources/Bytes/Hex.swift`.
    var path: String
    var text: String

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
    }

    /// Such as `Sources`.
    var area: String { part(0) }
    /// The target that it belongs to, such as `Bytes`.
    var target: String { part(1) }
    var isMain: Bool { path.hasSuffix("/main.swift") }

    /// How many lines it has; a last one without a line end counts.
    var lineCount: Int {
        text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    }

    /// The modules that it imports, with the lines on which it does.
    var imports: [(module: String, line: Int)] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { number, line in
            var words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }[...]
            let access = ["public", "package", "internal", "fileprivate", "private"]
            words = words.drop { $0.hasPrefix("@") || access.contains(String($0)) }
            guard words.popFirst() == "import" else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            words = words.drop { kinds.contains(String($0)) }
            guard let name = words.first?.prefix(while: { $0 != "." }) else { return nil }
            return (String(name), number + 1)
        }
    }

    private func part(_ index: Int) -> String {
        let parts = path.split(separator: "/")
        return index < parts.count ? String(parts[index]) : ""
    }
}
