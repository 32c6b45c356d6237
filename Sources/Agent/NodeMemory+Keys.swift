internal import BrokerSession
internal import Bytes
internal import Identity
internal import Store
internal import System

/// What is known again of keys: a row for each item whose device counts or has a clock, and nothing of the key.
extension NodeMemory {
    private static let keyPrefix = "key "

    static func row(ofKeyOf item: String) -> String { keyPrefix + item }

    /// What an earlier run learnt of keys, by item.
    func keys() -> [String: KeyMemory] {
        do throws(StoreError) {
            var memory: [String: KeyMemory] = [:]
            for (row, text) in try store.settings() where row.hasPrefix(Self.keyPrefix) {
                memory[String(row.dropFirst(Self.keyPrefix.count))] = KeyMemory(text)
            }
            return memory
        } catch {
            log.error("\(error); clocks and counters of tags that have a key are learnt anew")
            return [:]
        }
    }

    /// Forgets what was learnt of keys that the items no longer have.
    func forgetKeys(of memory: [String: KeyMemory], besides items: Set<String>, at now: Timestamp) {
        for item in memory.keys where !items.contains(item) {
            state.keep(at: now) { $0.set(.forgetSetting(Self.row(ofKeyOf: item))) }
        }
    }
}
