internal import BrokerSession
internal import Bytes
internal import Store
internal import System

/// The adapter that `hci:auto` stands for: one row, its address.
extension NodeMemory {
    private static let adapterRow = "adapter"

    /// What `hci:auto` stood for in an earlier run; nil where that isn't known.
    func adapter() -> String? {
        do throws(StoreError) {
            keptAdapter = try store.settings()[Self.adapterRow]
            return keptAdapter
        } catch {
            log.error("\(error); hci:auto chooses anew")
            return nil
        }
    }

    /// Keeps what it stands for from now on; the same as before costs nothing.
    func keep(adapter: String, at now: Timestamp) {
        guard adapter != keptAdapter else { return }
        state.keep(at: now) { $0.set(.setting(key: Self.adapterRow, value: adapter)) }
        keptAdapter = adapter
    }
}
