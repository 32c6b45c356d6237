internal import BrokerSession
internal import Bytes
internal import Store
internal import WebInterface

/// The sessions of the page that ended before they expired: a setting each.
extension FuserMemory {
    private static let row = "ended session "
    /// The setting that holds the time up to which all sessions have ended.
    private static let limitRow = "sessions ended up to"

    /// The stored sessions that ended early.
    func endedSessions() -> [EndedSessionChange] {
        let consequence = "sessions of the page that were ended may be open again"
        func times(_ value: String) -> [Timestamp] {
            value.split(separator: " ").compactMap { Int64($0) }.map { Timestamp(microseconds: $0) }
        }
        let limit = state.readSetting(Self.limitRow, consequence).flatMap { times($0).first }
        let ended: [EndedSessionChange] = state.readSettings(withPrefix: Self.row, consequence).compactMap {
            id, value in
            let times = times(value)
            return times.count == 2 ? .ended(id: id, began: times[0], expiry: times[1]) : nil
        }
        return (limit.map { [.endedUpTo($0)] } ?? []) + ended
    }

    /// Stores changes of that table.
    func recordEndedSessions(_ changes: [EndedSessionChange], at now: Timestamp) {
        guard !changes.isEmpty else { return }
        state.commitBatch(at: now) { batch in
            for change in changes {
                switch change {
                case .ended(let id, let began, let expiry):
                    batch.set(
                        .setting(key: Self.row + id, value: "\(began.microseconds) \(expiry.microseconds)"))
                case .forgotten(let id): batch.set(.forgetSetting(Self.row + id))
                case .endedUpTo(let time): batch.set(.setting(key: Self.limitRow, value: "\(time.microseconds)"))
                }
            }
        }
    }
}
