internal import WireProtocol

/// Turns values of a YAML tree into ours, and collects every fault instead of stopping at the first.
///
/// A getter returns nil where it told a fault. Text is judged by what its key expects, never by its look: `id: no` is
/// the text `no`. At most `bound` faults are kept; the last then says that there are more.
public final class ConfigurationReader {
    /// The most faults that are kept.
    public static let bound = 200
    /// What is wrong, in the order it was found.
    public private(set) var faults: [ConfigurationFault] = []
    /// What is odd, and no reason to stop.
    public private(set) var warnings: [ConfigurationFault] = []

    /// Ids to propose for things that get theirs in these files.
    lazy var suggestions = IdentifierSuggestions(taken: Self.ids(in: roots))
    /// The trees that were read.
    private var roots: [YAMLNode] = []

    /// The files that were read, in that order.
    private var sources: [String] = []

    /// Whether the files that a configuration names are opened. Else they may lie elsewhere: secrets and lists are empty.
    let opensFiles: Bool
    /// Where systemd puts this service's credentials (systemd.exec(5)); nil where it gives none.
    let credentialsFolder: String?

    /// A reader without faults so far, for a program with this environment; one that judges a configuration by itself,
    /// away from the machine that it is for, opens no file that it names.
    public init(environment: [String: String] = [:], opensFiles: Bool = true) {
        self.opensFiles = opensFiles
        credentialsFolder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether further faults are no longer kept.
    var isFull: Bool { faults.count >= Self.bound }

    /// Tells a fault.
    public func fault(_ position: ConfigurationPosition, _ message: String) {
        if faults.count < Self.bound { faults.append(ConfigurationFault(position, message)) }
        if faults.count == Self.bound { faults[Self.bound - 1].message = "more faults follow; mend these first" }
    }

    /// Tells what is odd.
    public func warn(_ position: ConfigurationPosition, _ message: String) {
        if warnings.count < Self.bound { warnings.append(ConfigurationFault(position, message)) }
    }

    /// Throws when there are faults.
    public func check() throws(ConfigurationFaults) {
        if !faults.isEmpty { throw ConfigurationFaults(faults, sources: sources) }
    }

    /// Tells what a value should be, and what was found in its place; `hint` ends the sentence.
    public func expected(_ expectation: String, _ node: YAMLNode, _ hint: String = "") {
        guard node.value != .refused else { return }
        fault(node.position, "expected \(expectation), found \(Self.found(node))\(hint)")
    }

    static func found(_ node: YAMLNode) -> String {
        switch node.value {
        case .mapping: "a map"
        case .sequence: "a list"
        case .refused: "something refused"
        case .scalar(let text, let isPlain):
            node.isNothing ? "nothing" : isPlain ? Quoted.text(text) : "the text \(Quoted.text(text))"
        }
    }

    /// All that stands after `id` or is the key of a map, and may be an id.
    private static func ids(in roots: [YAMLNode]) -> Set<String> {
        var ids: Set<String> = []
        var waiting = roots
        while let node = waiting.popLast() {
            switch node.value {
            case .scalar, .refused: break
            case .sequence(let nodes): waiting += nodes
            case .mapping(let pairs):
                for pair in pairs {
                    if Identifier.isValid(pair.key) { ids.insert(pair.key) }
                    if pair.key == "id", case .scalar(let text, _) = pair.node.value { ids.insert(text) }
                    waiting.append(pair.node)
                }
            }
        }
        return ids
    }

    // MARK: Files

    /// The tree of a YAML file; nil where it can't be read.
    ///
    /// `position` is where the file was named: a missing one is a fault there. Without it, in the file itself.
    public func tree(file path: String, namedAt position: ConfigurationPosition? = nil) -> YAMLNode? {
        do {
            return tree(try Files.read(path, bound: YAMLReader.sizeBound), file: path)
        } catch {
            let place = position ?? ConfigurationPosition(file: path, line: 1, column: 1)
            fault(place, "the file \(Quoted.path(path)) \(error.words)")
            return nil
        }
    }

    /// The tree of a YAML text; nil where it can't be read.
    public func tree(_ bytes: [UInt8], file: String) -> YAMLNode? {
        sources.append(file)
        let (root, found) = YAMLReader.read(bytes, file: file)
        for one in found { fault(one.position, one.message) }
        if let root { roots.append(root) }
        return root
    }

    /// A path, taken from the folder of the file that names it, or of systemd's credentials for `credential:NAME`.
    public func path(_ node: YAMLNode) -> String? {
        guard let name = string(node) else { return nil }
        guard !name.isEmpty else {
            expected("the name of a file", node)
            return nil
        }
        if name.hasPrefix(SecretFile.credentialPrefix) {
            return credential(String(name.dropFirst(SecretFile.credentialPrefix.count)), node)
        }
        return node.position.isInFile ? Files.path(name, besides: node.position.source) : name
    }

    /// The path of a file to be written, which may not be there yet; a folder is none.
    public func writtenFile(_ node: YAMLNode) -> String? {
        guard let path = path(node) else { return nil }
        guard Files.isFolder(path) else { return path }
        fault(node.position, "\(Quoted.path(path)) is a directory; give the name of a file in it")
        return nil
    }

    /// The path of a regular file that can be read now.
    public func existingFile(_ node: YAMLNode) -> String? {
        guard let path = path(node) else { return nil }
        guard opensFiles, let problem = Files.problem(opening: path) else { return path }
        fault(node.position, "the file \(Quoted.path(path)) \(problem.words)")
        return nil
    }
}
