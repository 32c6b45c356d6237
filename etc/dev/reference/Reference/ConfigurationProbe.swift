internal import Configuration

/// The schema of a configuration file as its decoder shows it: by the faults that it finds in changed samples.
///
/// A key that no decoder asks for is an unknown one, and the fault lists those that are known. A value that cannot be is
/// answered with what was expected in its place.
public struct ConfigurationProbe {
    /// One step from a value to a part of it.
    private enum Step: Hashable {
        case key(String)
        case element(Int)
    }

    /// Maps whose keys are names.
    private static let openMaps = ["nodes": "<node>", "neighbours.aliases": "<name>"]
    /// No key is near this one (``Spelling``).
    private static let strange = String(repeating: "z", count: 65)

    let file: ConfigurationFile
    private let roots: [YAMLNode]

    /// A probe of a kind of file.
    public init(_ file: ConfigurationFile) {
        self.file = file
        roots = file.samples.compactMap { YAMLReader.read(Array($0.utf8), file: "sample.yaml").root }
    }

    // MARK: Keys

    /// The paths of all keys that the samples hold.
    public var held: Set<String> {
        Set(roots.flatMap { Self.places(in: $0) }.map { Self.name($0) }).filter { !$0.isEmpty && !$0.hasSuffix("[]") }
    }

    /// The paths of all keys that the decoder asks for, in the maps that the samples hold.
    public var known: Set<String> {
        var paths: Set<String> = []
        for (index, root) in roots.enumerated() {
            for place in Self.places(in: root) {
                let name = Self.name(place)
                guard case .mapping(var pairs) = Self.node(place, in: root).value else { continue }
                if let child = Self.openMaps[name] {
                    paths.insert("\(name).\(child)")
                    continue
                }
                let position = root.position
                pairs.append(YAMLPair(Self.strange, at: position, YAMLNode(.scalar("", isPlain: true), at: position)))
                let changed = Self.replacing(place, in: roots[index], by: .mapping(pairs))
                let mark = "'; known are "
                for fault in file.faults(YAMLText.text(changed)) where fault.hasPrefix("unknown key 'zz") {
                    guard let range = fault.firstRange(of: mark) else { continue }
                    for key in fault[range.upperBound...].split(separator: ", ") {
                        paths.insert(name.isEmpty ? String(key) : "\(name).\(key)")
                    }
                }
            }
        }
        return paths
    }

    // MARK: Values

    /// The words of the decoder for the values that a key takes.
    public func expectation(_ path: String) -> String {
        for root in roots {
            guard let place = Self.places(in: root).first(where: { Self.name($0) == path }) else { continue }
            let node = Self.node(place, in: root)
            let words = expectation(at: place, in: root)
            guard case .sequence(let elements) = node.value, words == "list", let first = elements.first else {
                return words
            }
            guard case .scalar = first.value else { return "list of maps" }
            return "list, each: \(expectation(at: place + [.element(0)], in: root))"
        }
        return ""
    }

    private func expectation(at place: [Step], in root: YAMLNode) -> String {
        let word = YAMLNode(.scalar("probe!", isPlain: true), at: root.position)
        let map = YAMLNode.Value.mapping([YAMLPair("probe", at: root.position, word)])
        for (value, found) in [(map, ", found a map"), (word.value, ", found 'probe!'")] {
            let text = YAMLText.text(Self.replacing(place, in: root, by: value))
            for fault in file.faults(text) where fault.hasPrefix("expected ") {
                guard let range = fault.firstRange(of: found) else { continue }
                return Self.shortened(String(fault[..<range.lowerBound].dropFirst("expected ".count)))
            }
        }
        return ""
    }

    /// The decoder's words as the page has them: it explains once what its sentences repeat.
    private static func shortened(_ words: String) -> String {
        var words = words
        for end in [
            ", with its unit ms, s, m, h or d", " of up to 64 small letters", " of letters, digits", " of keys",
        ] {
            if let range = words.firstRange(of: end) { words = String(words[..<range.lowerBound]) }
        }
        for article in ["a ", "an "] where words.hasPrefix(article) { words = String(words.dropFirst(article.count)) }
        return words
    }

    // MARK: Defaults

    /// The samples that hold a key: each as it is without the key, and with a value in its place.
    public func variants(_ path: String, value: String? = nil) -> [(without: String, with: String)] {
        roots.flatMap { root in
            Self.places(in: root).filter { Self.name($0) == path }.map { place in
                let without = YAMLText.text(Self.removing(place, in: root))
                let replacement = value.flatMap { YAMLReader.read(Array($0.utf8), file: "value.yaml").root?.value }
                let with = replacement.map { Self.replacing(place, in: root, by: $0) } ?? root
                return (without, YAMLText.text(with))
            }
        }
    }

    // MARK: Trees

    /// The ways to all values of a tree, the root's first.
    private static func places(in node: YAMLNode, under place: [Step] = []) -> [[Step]] {
        let children: [(Step, YAMLNode)]
        switch node.value {
        case .scalar, .refused: children = []
        case .sequence(let nodes): children = nodes.enumerated().map { (.element($0), $1) }
        case .mapping(let pairs): children = pairs.map { (.key($0.key), $0.node) }
        }
        return [place] + children.flatMap { places(in: $0.1, under: place + [$0.0]) }
    }

    /// The described path of a place.
    private static func name(_ place: [Step]) -> String {
        var name = ""
        for step in place {
            switch step {
            case .element: name += "[]"
            case .key(let key):
                let word = openMaps[name] ?? key
                name += name.isEmpty ? word : "." + word
            }
        }
        return name
    }

    private static func node(_ place: [Step], in root: YAMLNode) -> YAMLNode {
        var node = root
        for step in place {
            switch (step, node.value) {
            case (.key(let key), _): node = node[key] ?? node
            case (.element(let index), .sequence(let nodes)): node = nodes[index]
            default: break
            }
        }
        return node
    }

    private static func replacing(_ place: [Step], in root: YAMLNode, by value: YAMLNode.Value) -> YAMLNode {
        changing(place[...], in: root) { $0.value = value }
    }

    private static func removing(_ place: [Step], in root: YAMLNode) -> YAMLNode {
        guard case .key(let key)? = place.last else { return root }
        return changing(place.dropLast(), in: root) { node in
            guard case .mapping(let pairs) = node.value else { return }
            node.value = .mapping(pairs.filter { $0.key != key })
        }
    }

    private static func changing(
        _ place: ArraySlice<Step>, in node: YAMLNode, _ change: (inout YAMLNode) -> Void
    ) -> YAMLNode {
        var node = node
        guard let step = place.first else {
            change(&node)
            return node
        }
        switch (step, node.value) {
        case (.element(let index), .sequence(var nodes)):
            nodes[index] = changing(place.dropFirst(), in: nodes[index], change)
            node.value = .sequence(nodes)
        case (.key(let key), .mapping(var pairs)):
            guard let index = pairs.firstIndex(where: { $0.key == key }) else { break }
            pairs[index].node = changing(place.dropFirst(), in: pairs[index].node, change)
            node.value = .mapping(pairs)
        default: break
        }
        return node
    }
}

/// A tree as a text in YAML, all in one line.
enum YAMLText {
    static func text(_ node: YAMLNode) -> String {
        switch node.value {
        case .scalar(let text, isPlain: true): text
        case .scalar(let text, isPlain: false): quoted(text)
        case .sequence(let nodes): "[\(nodes.map(text).joined(separator: ", "))]"
        case .mapping(let pairs): "{\(pairs.map { "\(quoted($0.key)): \(text($0.node))" }.joined(separator: ", "))}"
        case .refused: ""
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
