internal import Bytes

/// The text of a configuration file in which single keys are set; everything else stays as it is, comments included.
///
/// A result is accepted only if it reads as the old tree with these keys set. Text that can't be edited so, such as a
/// file that is one map in braces, is a fault.
public struct ConfigurationText: Sendable {
    /// A change of a key.
    public enum Change: Sendable {
        /// A text.
        case text(String)
        /// The keys of a map that are set, or removed where they are nil; its other keys stay.
        case map([(key: String, value: String?)])
    }

    /// The lines, without their ends.
    public private(set) var lines: [String]
    /// The tree; a map without pairs for a file without content.
    public private(set) var root: YAMLNode
    private let file: String

    /// The text in UTF-8, with a line end at its end.
    public var bytes: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// Reads a text; throws its faults of syntax. `file` is the name in positions.
    public init(_ bytes: [UInt8], file: String) throws(ConfigurationFaults) {
        let text = (try? TextDecoding.utf8(bytes)) ?? bytes
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
        self.file = file
        root = YAMLNode(.mapping([]), at: ConfigurationPosition(file: file, line: 1, column: 1))
        guard lines.contains(where: { !Self.isComment($0) }) else { return }
        let (tree, faults) = YAMLReader.read(text, file: file)
        guard let tree, faults.isEmpty else { throw ConfigurationFaults(faults) }
        guard case .mapping = tree.value else {
            throw ConfigurationFaults([ConfigurationFault(tree.position, "expected a map of keys and values")])
        }
        root = tree
    }

    /// The text of a key, such as `node`, or of a key of a map, such as `mqtt` and `url`; nil if there is none.
    public func text(_ path: String...) -> String? {
        var node: YAMLNode? = root
        for key in path { node = node?[key] }
        guard let node, !node.isNothing, case .scalar(let text, _) = node.value else { return nil }
        return text
    }

    /// Sets a key of the file; throws if that can't be done in its text. A new key stands below another one, or below an
    /// example of it in a comment, or at the end.
    public mutating func set(
        _ key: String, _ change: Change, below other: String? = nil
    ) throws(ConfigurationFaults) {
        let wanted = Self.changed(root, key, change)
        guard !Self.isAlike(root, wanted) else { return }
        for lines in candidates(key, change, wanted, below: other) {
            guard let edited = try? ConfigurationText(Array(lines.joined(separator: "\n").utf8), file: file),
                Self.isAlike(edited.root, wanted)
            else { continue }
            self = edited
            return
        }
        let place = root[key]?.position ?? root.position
        throw ConfigurationFaults([
            ConfigurationFault(place, "'\(key)' can't be changed here by a program; set it with an editor")
        ])
    }

    // MARK: Edits

    /// The lines after a change, in several forms of which the first suitable one counts.
    private func candidates(
        _ key: String, _ change: Change, _ wanted: YAMLNode, below other: String?
    ) -> [[String]] {
        guard case .mapping(let pairs) = root.value, let value = wanted[key] else { return [] }
        let line = "\(key): \(Self.rendered(value))"
        func range(of key: String?) -> Range<Int>? {
            guard let index = pairs.firstIndex(where: { $0.key == key }) else { return nil }
            let end = index + 1 < pairs.count ? pairs[index + 1].position.line - 1 : lines.count
            return extent(pairs[index], before: end)
        }
        guard let index = pairs.firstIndex(where: { $0.key == key }), let range = range(of: key) else {
            let places = [
                lines.lastIndex { $0.hasPrefix("#\(key):") }.map { $0 + 1 }, range(of: other)?.upperBound, lines.count,
            ]
            return places.compactMap { $0 }.map { lines[..<$0] + [line] + lines[$0...] }
        }
        var results: [[String]] = []
        if case .map(let changes) = change, case .mapping(let inner) = pairs[index].node.value,
            let first = inner.first, first.position.line > pairs[index].position.line
        {
            results.append(edited(inner, within: range, changes))
        }
        if range.count == 1 { results.append(replaced(pairs[index], by: Self.rendered(value), in: lines)) }
        var whole = lines
        whole.replaceSubrange(range, with: [line])
        return results + [whole]
    }

    /// The lines with those of a map in block style changed.
    private func edited(
        _ pairs: [YAMLPair], within range: Range<Int>, _ changes: [(key: String, value: String?)]
    ) -> [String] {
        var lines = lines
        var added: [String] = []
        let indentation = String(repeating: " ", count: pairs[0].position.column - 1)
        // From the last one on, so that the lines of those above keep their numbers.
        for (key, value) in changes where value != nil && !pairs.contains(where: { $0.key == key }) {
            added.append("\(indentation)\(key): \(Self.rendered(value ?? ""))")
        }
        lines.insert(contentsOf: added, at: range.upperBound)
        for (index, pair) in pairs.enumerated().reversed() {
            guard let change = changes.first(where: { $0.key == pair.key }) else { continue }
            let end = index + 1 < pairs.count ? pairs[index + 1].position.line - 1 : range.upperBound
            let extent = extent(pair, before: end)
            guard let value = change.value else {
                lines.removeSubrange(extent)
                continue
            }
            if case .scalar(value, _) = pair.node.value { continue }
            if extent.count == 1 {
                lines = replaced(pair, by: Self.rendered(value), in: lines)
            } else {
                lines.replaceSubrange(extent, with: ["\(indentation)\(pair.key): \(Self.rendered(value))"])
            }
        }
        return lines
    }

    /// The lines of a pair, without comments and empty lines behind it; `end` is the line of the next pair, from 0.
    private func extent(_ pair: YAMLPair, before end: Int) -> Range<Int> {
        let start = pair.position.line - 1
        var end = max(end, start + 1)
        while end > start + 1, Self.isComment(lines[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The lines with a value on its key's line replaced; a comment behind it stays.
    private func replaced(_ pair: YAMLPair, by value: String, in lines: [String]) -> [String] {
        var lines = lines
        let number = pair.position.line - 1
        let line = Array(lines[number].unicodeScalars)
        let start = pair.position.column - 1
        guard let colon = line[start...].firstIndex(of: ":") else { return lines }
        var comment = ""
        var quote: Unicode.Scalar?
        for index in line.indices[(colon + 1)...] {
            let scalar = line[index]
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'", [" ", "{", "[", ",", ":"].contains(line[index - 1]) {
                quote = scalar
            } else if scalar == "#", line[index - 1] == " " || line[index - 1] == "\t" {
                var from = index
                while from > colon + 1, line[from - 1] == " " || line[from - 1] == "\t" { from -= 1 }
                comment = Self.text(line[from...])
                break
            }
        }
        lines[number] = "\(Self.text(line[...colon])) \(value)\(comment)"
        return lines
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private static func isComment(_ line: String) -> Bool {
        let first = line.unicodeScalars.first { $0 != " " && $0 != "\t" && $0 != "\r" }
        return first == nil || first == "#"
    }

    // MARK: Trees

    /// The tree with a key set.
    private static func changed(_ root: YAMLNode, _ key: String, _ change: Change) -> YAMLNode {
        var root = root
        guard case .mapping(var pairs) = root.value else { return root }
        func set(_ key: String, _ node: YAMLNode, in pairs: inout [YAMLPair]) {
            if let index = pairs.firstIndex(where: { $0.key == key }) {
                pairs[index].node = node
            } else {
                pairs.append(YAMLPair(key, at: root.position, node))
            }
        }
        func scalar(_ text: String) -> YAMLNode { YAMLNode(.scalar(text, isPlain: false), at: root.position) }
        switch change {
        case .text(let text): set(key, scalar(text), in: &pairs)
        case .map(let changes):
            var inner: [YAMLPair] = []
            if case .mapping(let present)? = root[key]?.value { inner = present }
            for change in changes {
                if let value = change.value {
                    set(change.key, scalar(value), in: &inner)
                } else {
                    inner.removeAll { $0.key == change.key }
                }
            }
            set(key, YAMLNode(.mapping(inner), at: root.position), in: &pairs)
        }
        root.value = .mapping(pairs)
        return root
    }

    /// True if two trees have the same keys and texts, wherever and however they are written.
    private static func isAlike(_ left: YAMLNode, _ right: YAMLNode) -> Bool {
        switch (left.value, right.value) {
        case (.scalar(let one, _), .scalar(let other, _)): one == other && left.isNothing == right.isNothing
        case (.sequence(let one), .sequence(let other)): one.elementsEqual(other, by: isAlike)
        case (.mapping(let one), .mapping(let other)):
            one.count == other.count
                && one.allSatisfy { pair in
                    other.contains { $0.key == pair.key && isAlike($0.node, pair.node) }
                }
        default: false
        }
    }

    /// A value on one line.
    private static func rendered(_ node: YAMLNode) -> String {
        switch node.value {
        case .scalar(let text, let isPlain): isPlain ? text : rendered(text)
        case .sequence(let nodes): "[" + nodes.map(rendered).joined(separator: ", ") + "]"
        case .mapping(let pairs): "{" + pairs.map { "\($0.key): \(rendered($0.node))" }.joined(separator: ", ") + "}"
        case .refused: ""
        }
    }

    /// A text, in quotes unless it is a plain word.
    private static func rendered(_ text: String) -> String {
        let isWord = text.unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || ["_", "-", "/", "."].contains(scalar)
        }
        let hasLetter = text.unicodeScalars.contains { ("a"..."z").contains($0) || $0 == "/" }
        if isWord, hasLetter, !["null", "true", "false"].contains(text), text.first != "-" { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
