internal import BrokerSession
internal import Bytes
internal import Identity
internal import Store
internal import System

/// The learned state of keys: a row for each item with a device that counts or has a clock, without the key itself.
extension NodeMemory {
    private static let keyPrefix = "key "

    static func row(ofKeyOf item: String) -> String { keyPrefix + item }

    /// The state of keys from an earlier run, by item.
    func keys() -> [String: KeyMemory] {
        state.readSettings(withPrefix: Self.keyPrefix, "clocks and counters of tags that have a key are learnt anew")
            .compactMapValues { KeyMemory($0) }
    }

    /// Deletes the state of keys that the items no longer have.
    func forgetKeys(of memory: [String: KeyMemory], besides items: Set<String>, at now: Timestamp) {
        for item in memory.keys where !items.contains(item) {
            state.commitBatch(at: now) { $0.set(.forgetSetting(Self.row(ofKeyOf: item))) }
        }
    }
}
