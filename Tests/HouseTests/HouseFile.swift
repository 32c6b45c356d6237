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

extension HouseFile {
    /// A literal in the code: its text without quotes, its line, and all of that line.
    struct Literal {
        var text: String
        var line: Int
        var context: Substring
    }

    /// The numbers and the strings in the code; comments have none.
    var literals: (numbers: [Literal], strings: [Literal]) {
        var numbers: [Literal] = []
        var strings: [Literal] = []
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let characters = Array(line)
            var at = 0
            func isWord(_ index: Int) -> Bool {
                characters.indices.contains(index) && (characters[index].isLetter || characters[index].isNumber)
                    || characters.indices.contains(index) && characters[index] == "_"
            }
            while at < characters.count {
                let start = at
                if characters[at...].starts(with: "//") { break }
                if characters[at] == "\"" {
                    at += 1
                    while at < characters.count, characters[at] != "\"" { at += characters[at] == "\\" ? 2 : 1 }
                    let end = min(at, characters.count)
                    strings.append(Literal(text: String(characters[start + 1..<end]), line: place + 1, context: line))
                    at += 1
                } else if isWord(at) || characters[at] == "$" {
                    at += 1
                    while isWord(at) || isFraction(characters, at) && characters[start].isNumber { at += 1 }
                    let isMember = start > 0 && characters[start - 1] == "." && !characters[..<start].ends(with: "..")
                    guard characters[start].isNumber, !isMember else { continue }
                    numbers.append(Literal(text: String(characters[start..<at]), line: place + 1, context: line))
                } else {
                    at += 1
                }
            }
        }
        return (numbers, strings)
    }

    /// Whether a character goes on with a number: a point before a digit, or a sign after an exponent's letter.
    private func isFraction(_ characters: [Character], _ at: Int) -> Bool {
        guard at > 0, at + 1 < characters.count, characters[at + 1].isNumber else { return false }
        return characters[at] == "." || characters[at] == "-" && ["e", "p"].contains(characters[at - 1])
    }
}

extension ArraySlice<Character> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.count).elementsEqual(text) }
}
