public import Bytes
internal import Store

/// What a publisher has told Home Assistant, and where: one row.
extension KeptState {
    private static let discoveryRow = "discovery"

    /// What an earlier run kept of discovery; nil where it kept nothing.
    public func discovery() -> String? {
        read("what stands for Home Assistant under a former prefix stays there") { store throws(StoreError) in
            try store.settings()[Self.discoveryRow]
        } ?? nil
    }

    /// Keeps it.
    public func keep(discovery row: String, at now: Timestamp) {
        keep(at: now) { $0.set(.setting(key: Self.discoveryRow, value: row)) }
    }
}
