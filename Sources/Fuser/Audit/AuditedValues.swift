/// The values that this fuser last saw at the broker: the settings of nodes, the digests of pictures, and a digest of each entry of
/// the registry. A value that differs from them after a start was changed while the fuser was off.
struct AuditedValues {
    /// A kind of value of which all that the broker retained was read once: an unknown one is new from then on.
    enum Kind: String {
        case entries, pictures
    }

    /// Values to be stored.
    struct Changes {
        /// The new values by their subjects; nil for one that is gone.
        var values: [String: String?] = [:]
        /// The kinds that were read, if they are others than before.
        var kinds: Set<Kind>?
    }

    /// The most nodes, and the most pictures, whose values are known.
    static let limit = 1024

    private var values: [String: String]
    private var kinds: Set<Kind>
    private var changes = Changes()
    /// The subjects of an earlier run that this one has not seen yet.
    private var unseen: Set<String>
    /// True once all that the broker retains was read in this run.
    private(set) var isRead = false

    /// The values of an earlier run, by their subjects, and the kinds that it had read.
    init(_ values: [String: String] = [:], kinds: Set<Kind> = []) {
        (self.values, self.kinds) = (values, kinds)
        unseen = Set(values.keys)
    }

    /// The value of an item, or of `node/` or `floor/` and the name; nil if it is not known.
    subscript(subject: String) -> String? { values[subject] }

    /// True if an unknown value of this kind is a new one.
    func knowsAll(_ kind: Kind) -> Bool { kinds.contains(kind) }

    /// Replaces the value of a subject; nil for none.
    mutating func note(_ value: String?, of subject: String) {
        unseen.remove(subject)
        guard values[subject] != value, values[subject] != nil || hasRoom(for: subject) else { return }
        values[subject] = value
        changes.values[subject] = .some(value)
    }

    /// Records that all values of some kinds were read: those that did not come are gone.
    mutating func noteRead(_ read: Set<Kind>) {
        isRead = true
        for subject in unseen where read.contains(Self.kind(of: subject)) { note(nil, of: subject) }
        guard !read.isSubset(of: kinds) else { return }
        kinds.formUnion(read)
        changes.kinds = kinds
    }

    /// Takes the changes since the last call; nil for none.
    ///
    /// - Parameter waiting: the subjects whose values stay for a later call.
    mutating func takeChanges(except waiting: Set<String>) -> Changes? {
        var taken = changes
        changes = Changes(values: changes.values.filter { waiting.contains($0.key) })
        for subject in changes.values.keys { taken.values.removeValue(forKey: subject) }
        return taken.values.isEmpty && taken.kinds == nil ? nil : taken
    }

    /// Has everything stored again.
    mutating func rememberAll() {
        changes = Changes(values: values.mapValues { .some($0) }, kinds: kinds)
    }

    /// Entries have the bound of the registry.
    private func hasRoom(for subject: String) -> Bool {
        guard let prefix = Self.prefix(of: subject) else { return true }
        return values.keys.count { $0.hasPrefix(prefix) } < Self.limit
    }

    private static func kind(of subject: String) -> Kind { prefix(of: subject) == "floor/" ? .pictures : .entries }

    private static func prefix(of subject: String) -> String? { ["node/", "floor/"].first { subject.hasPrefix($0) } }
}
