internal import BrokerSession
internal import Bytes
internal import Store
internal import System

/// The adapter that `hci:auto` stands for: one row, its address.
extension NodeMemory {
    private static let adapterRow = "adapter"

    /// The address that `hci:auto` stood for in an earlier run; nil if it is unknown.
    func adapter() -> String? {
        persistedAdapter = state.readSetting(Self.adapterRow, "hci:auto chooses anew")
        return persistedAdapter
    }

    /// Stores the current address; an unchanged one is not written.
    func persist(adapter: String, at now: Timestamp) {
        guard adapter != persistedAdapter else { return }
        state.commitBatch(at: now) { $0.set(.setting(key: Self.adapterRow, value: adapter)) }
        persistedAdapter = adapter
    }
}
