public import Bytes
internal import Store

/// The name and prefix of a publisher, and those before: one row.
extension KeptState {
    private static let namesRow = "names"

    /// The names that a publisher had before, as an earlier run kept them; and notes the one it has now.
    ///
    /// - Parameter discovery: the discovery prefixes under which Home Assistant was told.
    public func formerNames(
        _ kind: FormerNames.Kind, prefix: String, name: String, discovery: [String] = [], at now: Timestamp
    ) -> FormerNames {
        let row = read("what stands under a former name stays there") { store throws(StoreError) in
            try store.settings()[Self.namesRow]
        }
        let former = FormerNames(
            kind, prefix: prefix, name: name, epoch: store.epoch, discovery: discovery,
            keeping: row ?? nil)
        if row != former.row { keep(former, at: now) }
        return former
    }

    /// Keeps a publisher's name and those before.
    public func keep(_ former: FormerNames, at now: Timestamp) {
        keep(at: now) { $0.set(.setting(key: Self.namesRow, value: former.row)) }
    }
}
