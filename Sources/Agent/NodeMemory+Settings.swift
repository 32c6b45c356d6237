internal import Bytes
internal import WireProtocol
internal import Store
internal import System

/// The settings of `set` commands, which take precedence over the configuration file: one row, in the form of such a
/// command.
extension NodeMemory {
    private static let settingsRow = "set"

    /// The settings that take precedence over the configuration file.
    func overrides() -> NodeOverrides {
        do throws(StoreError) {
            guard let text = try store.settings()[Self.settingsRow] else { return NodeOverrides() }
            guard let command = try? NodeCommand(payload: Array(text.utf8).span),
                case .set(let changes) = command.action
            else {
                log.error("the settings that were kept can't be read; those of the configuration file count")
                return NodeOverrides()
            }
            return NodeOverrides().applying(changes)
        } catch {
            log.error("\(error); the settings of the configuration file count")
            return NodeOverrides()
        }
    }

    /// Stores the settings that take precedence over the configuration file.
    func persist(_ overrides: NodeOverrides, at now: Timestamp) {
        let changes = overrides.changes
        let payload = NodeCommand(id: nil, action: .set(changes)).payload
        persist(
            changes.isEmpty
                ? .forgetSetting(Self.settingsRow)
                : .setting(key: Self.settingsRow, value: String(decoding: payload, as: UTF8.self)), at: now)
    }
}
