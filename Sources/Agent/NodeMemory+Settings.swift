internal import Bytes
internal import Daemon
internal import Session
internal import Sightings
internal import Store

/// What `set` commands have put over the configuration file: one row, in the words of such a command.
extension NodeMemory {
    private static let settingsRow = "set"
    /// The node's name and prefix, and those before.
    private static let namesRow = "names"

    /// The names that the node had before, as an earlier run kept them; and notes the one it has now.
    func former(prefix: String, node: String, at now: Timestamp) -> FormerNames {
        let row = state.read("what stands under a former name stays there") { store throws(StoreError) in
            try store.settings()[Self.namesRow]
        }
        let former = FormerNames(.node, prefix: prefix, name: node, epoch: epoch, keeping: row ?? nil)
        if row != former.row { keep(former, at: now) }
        return former
    }

    /// Keeps the node's name and those before.
    func keep(_ former: FormerNames, at now: Timestamp) {
        keep(.setting(key: Self.namesRow, value: former.row), at: now)
    }

    /// The settings that count over the configuration file.
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

    /// Keeps the settings that count over the configuration file.
    func keep(_ overrides: NodeOverrides, at now: Timestamp) {
        let changes = overrides.changes
        let payload = NodeCommand(id: nil, action: .set(changes)).payload
        keep(
            changes.isEmpty
                ? .forgetSetting(Self.settingsRow)
                : .setting(key: Self.settingsRow, value: String(decoding: payload, as: UTF8.self)), at: now)
    }
}
