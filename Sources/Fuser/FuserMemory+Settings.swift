internal import BrokerSession
internal import Bytes
internal import Store
internal import WireProtocol

/// The settings of `set` commands, which take precedence over the configuration file: one row, in the form of such a
/// command.
extension FuserMemory {
    private static let settingsRow = "set"

    /// The settings that take precedence over the configuration file.
    func overrides() -> FuserOverrides {
        let row = state.read("the settings of the configuration file count") { store throws(StoreError) in
            try store.settings()[Self.settingsRow]
        }
        guard let text = row ?? nil else { return FuserOverrides() }
        guard let command = try? FuserCommand(payload: Array(text.utf8).span), case .set(let changes) = command.action
        else {
            state.logFault("the settings that were kept can't be read; those of the configuration file count")
            return FuserOverrides()
        }
        return FuserOverrides().applying(changes)
    }

    /// Stores the settings that take precedence over the configuration file.
    func persist(_ overrides: FuserOverrides, at now: Timestamp) {
        let changes = overrides.changes
        let payload = FuserCommand(id: nil, action: .set(changes)).payload
        let row: StoreChange =
            changes.isEmpty
            ? .forgetSetting(Self.settingsRow)
            : .setting(key: Self.settingsRow, value: String(decoding: payload, as: UTF8.self))
        state.commitBatch(at: now) { $0.set(row) }
    }
}
