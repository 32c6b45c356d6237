public import WireProtocol

/// What a node's `info` tells of its registry: items whose key it lacks, and entries that it refuses.
public struct RegistryFindings: Hashable, Sendable {
    /// Items told whose key is missing; further ones are counted.
    public static let missingKeyBound = 200
    /// Entries told that are refused; further ones are counted.
    public static let refusedBound = 50

    /// Characters told of a reason: with fifty of them an `info` is never longer than its readers take.
    static let reasonBound = 240

    private var missingKeys: [String] = []
    private var refused: [RefusedEntry] = []
    private var missingKeysLeftOut = 0
    private var refusedLeftOut = 0

    /// Nothing found.
    public init() {}

    /// What is found, each in any order; those that come first by id are told.
    public init(missingKeys: [String], refused: [RefusedEntry]) {
        self.missingKeys = Array(missingKeys.sorted().prefix(Self.missingKeyBound))
        missingKeysLeftOut = missingKeys.count - self.missingKeys.count
        self.refused = refused.sorted { $0.item < $1.item }.prefix(Self.refusedBound).map { entry in
            RefusedEntry(item: entry.item, reason: String(entry.reason.prefix(Self.reasonBound)))
        }
        refusedLeftOut = refused.count - self.refused.count
    }

    func tell(_ info: inout NodeInfo) {
        (info.missingKeys, info.missingKeysLeftOut) = (missingKeys, missingKeysLeftOut)
        (info.refused, info.refusedLeftOut) = (refused, refusedLeftOut)
    }
}
