/// What Package.swift declares: the names of the targets, and on what each depends.
struct Manifest {
    /// Each target's declared dependencies.
    private(set) var dependencies: [String: [String]] = [:]
    /// The targets that are a system library.
    private(set) var libraries: Set<String> = []
    /// What each helper adds to the dependencies that it is given.
    private var implied: [String: [String]] = [:]

    /// Reads the calls that declare a target: `stage("Name", ["Dependency"])` and the like, and SwiftPM's own.
    init(_ text: String) {
        let callees = [
            "stage", "reckoning", "program", "tests", "library", ".target", ".executableTarget", ".testTarget",
        ]
        var rest = text[...]
        while let bracket = rest.firstIndex(of: "(") {
            let head = rest[..<bracket]
            rest = rest[rest.index(after: bracket)...]
            let callee = head.reversed().prefix { $0.isLetter || $0 == "." }.reversed()
            guard callees.contains(String(callee)) else { continue }
            if head.dropLast(callee.count).hasSuffix("func ") {
                implied[String(callee)] = Self.implied(by: rest)
                continue
            }
            declare(String(callee), Self.arguments(rest))
        }
    }

    private mutating func declare(_ callee: String, _ arguments: [Substring]) {
        guard let first = arguments.first else { return }
        let named = first.drop { $0 != "\"" }
        let label = first.prefix { $0 != "\"" }.filter { !$0.isWhitespace }
        guard label.isEmpty || label == "name:", let name = Self.literals(named).first else { return }
        if callee == "library" { libraries.insert(name) }
        let lists = arguments.dropFirst().filter { argument in
            let start = argument.drop { $0.isWhitespace }
            return start.hasPrefix("[") || start.hasPrefix("dependencies:") || callee == "program"
        }
        dependencies[name, default: []] += callee == "library" ? [] : lists.flatMap(Self.literals)
        dependencies[name, default: []] += implied[callee] ?? []
    }

    /// The names that stand in a helper's own list of dependencies; `text` begins at its parameters.
    private static func implied(by text: Substring) -> [String] {
        var body = text.drop { $0 != "{" }.prefix { $0 != "}" }
        while let colon = body.firstIndex(of: ":") {
            let isList = body[..<colon].hasSuffix("dependencies")
            body = body[body.index(after: colon)...]
            if isList { return arguments(body).first.map(literals) ?? [] }
        }
        return []
    }

    /// The arguments of a call, split at its own commas, from behind its bracket on.
    private static func arguments(_ text: Substring) -> [Substring] {
        var arguments: [Substring] = []
        var start = text.startIndex
        var depth = 0
        var quoted = false
        for index in text.indices {
            switch text[index] {
            case "\"": quoted.toggle()
            case _ where quoted: continue
            case "(", "[", "{": depth += 1
            case ")" where depth == 0: return arguments + [text[start..<index]]
            case ")", "]", "}": depth -= 1
            case "," where depth == 0:
                arguments.append(text[start..<index])
                start = text.index(after: index)
            default: continue
            }
        }
        return arguments
    }

    private static func literals(_ text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
