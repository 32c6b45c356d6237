internal import WireProtocol

/// Converts values of a YAML tree, and collects all faults instead of stopping at the first.
///
/// A getter returns nil after it reported a fault. Text is interpreted by the expectation of its key, never by its
/// form: `id: no` is the text `no`. At most `bound` faults are retained; the last one then reports that there are more.
public final class ConfigurationReader {
    /// The most faults that are retained.
    public static let bound = 200
    /// The faults, in the order of their detection.
    public private(set) var faults: [ConfigurationFault] = []
    /// The warnings, which don't prevent a start.
    public private(set) var warnings: [ConfigurationFault] = []

    /// Proposals for ids of objects that are defined in these files.
    lazy var suggestions = IdentifierSuggestions(taken: Self.ids(in: roots))
    /// The trees that were read.
    private var roots: [YAMLNode] = []

    /// The files that were read, in that order.
    private var sources: [String] = []

    /// True to open the files that a configuration names. Otherwise they may be on another machine: secrets and lists
    /// are empty.
    let opensFiles: Bool
    /// The folder of this service's systemd credentials (systemd.exec(5)); nil if there are none.
    let credentialsFolder: String?

    /// A reader without faults so far, for a program with this environment; to check a configuration alone, away from
    /// its machine, it opens no file that the configuration names.
    public init(environment: [String: String] = [:], opensFiles: Bool = true) {
        self.opensFiles = opensFiles
        credentialsFolder = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True if further faults are no longer retained.
    var isFull: Bool { faults.count >= Self.bound }

    /// Reports a fault.
    public func fault(_ position: ConfigurationPosition, _ message: String) {
        if faults.count < Self.bound { faults.append(ConfigurationFault(position, message)) }
        if faults.count == Self.bound { faults[Self.bound - 1].message = "more faults follow; mend these first" }
    }

    /// Reports a warning.
    public func warn(_ position: ConfigurationPosition, _ message: String) {
        if warnings.count < Self.bound { warnings.append(ConfigurationFault(position, message)) }
    }

    /// Throws if there are faults.
    public func check() throws(ConfigurationFaults) {
        if !faults.isEmpty { throw ConfigurationFaults(faults, sources: sources) }
    }

    /// Reports the expected form of a value and the one found; `hint` ends the sentence.
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

    /// All values of `id` and keys of maps, which may be ids.
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

    /// The tree of a YAML file; nil if it can't be read.
    ///
    /// `position` is the reference to the file: a missing file is a fault there. Without it, the fault is in the file
    /// itself.
    public func tree(file path: String, namedAt position: ConfigurationPosition? = nil) -> YAMLNode? {
        do {
            return tree(try Files.read(path, bound: YAMLReader.sizeBound), file: path)
        } catch {
            let place = position ?? ConfigurationPosition(file: path, line: 1, column: 1)
            fault(place, "the file \(Quoted.path(path)) \(error.words)")
            return nil
        }
    }

    /// The tree of a YAML text; nil if it can't be read.
    public func tree(_ bytes: [UInt8], file: String) -> YAMLNode? {
        sources.append(file)
        let (root, found) = YAMLReader.read(bytes, file: file)
        for one in found { fault(one.position, one.message) }
        if let root { roots.append(root) }
        return root
    }

    /// A path, relative to the folder of the file that names it, or to that of systemd's credentials for
    /// `credential:NAME`.
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

    /// The path of a file to be written, which may not exist yet; a folder is a fault.
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
