public import WireProtocol

/// The findings about the registry in a node's `info`: items with a missing key, and rejected entries.
public struct RegistryFindings: Hashable, Sendable {
    /// The most items with a missing key that are published; further ones are counted.
    public static let missingKeyBound = 200
    /// The most rejected entries that are published; further ones are counted.
    public static let refusedBound = 50

    /// The most characters of a reason: with fifty of them an `info` stays within its readers' limit.
    static let reasonBound = 240

    private var missingKeys: [String] = []
    private var refused: [RefusedEntry] = []
    private var missingKeysLeftOut = 0
    private var refusedLeftOut = 0

    /// No findings.
    public init() {}

    /// The findings, each in any order; those with the first ids are published.
    public init(missingKeys: [String], refused: [RefusedEntry]) {
        self.missingKeys = Array(missingKeys.sorted().prefix(Self.missingKeyBound))
        missingKeysLeftOut = missingKeys.count - self.missingKeys.count
        self.refused = refused.sorted { $0.item < $1.item }.prefix(Self.refusedBound).map { entry in
            RefusedEntry(item: entry.item, reason: String(entry.reason.prefix(Self.reasonBound)))
        }
        refusedLeftOut = refused.count - self.refused.count
    }

    /// Adds the findings to a node's description.
    func describe(in info: inout NodeInfo) {
        (info.missingKeys, info.missingKeysLeftOut) = (missingKeys, missingKeysLeftOut)
        (info.refused, info.refusedLeftOut) = (refused, refusedLeftOut)
    }
}
