public import Bytes
internal import Store
public import WireProtocol

/// The settings of `set` commands, which take precedence over the configuration file: one row, in the form of such a command.
extension PersistentState {
    private static let overridesRow = "set"

    /// The settings that take precedence over the configuration file.
    public func overrides<Overrides: SettingOverrides>() -> Overrides {
        guard let text = readSetting(Self.overridesRow, "the settings of the configuration file count") else {
            return Overrides()
        }
        guard let command = try? Overrides.Command(payload: Array(text.utf8).span), let overrides = Overrides(command)
        else {
            logFault("the settings that were kept can't be read; those of the configuration file count")
            return Overrides()
        }
        return overrides
    }

    /// Stores the settings that take precedence over the configuration file.
    public func persist<Overrides: SettingOverrides>(_ overrides: Overrides, at now: Timestamp) {
        let row: StoreChange =
            overrides == Overrides()
            ? .forgetSetting(Self.overridesRow)
            : .setting(key: Self.overridesRow, value: String(decoding: overrides.command.payload, as: UTF8.self))
        commitBatch(at: now) { $0.set(row) }
    }

    /// A setting that was stored; nil without one, or after a disk error, with the consequence in the log.
    public func readSetting(_ key: String, _ consequence: String) -> String? {
        read(consequence) { store throws(StoreError) in try store.setting(key) } ?? nil
    }

    /// The settings whose keys begin with a prefix, by the rest of their keys; none after a disk error, with the consequence in the
    /// log.
    public func readSettings(withPrefix prefix: String, _ consequence: String) -> [String: String] {
        let settings = read(consequence) { store throws(StoreError) in try store.settings(withPrefix: prefix) } ?? [:]
        return Dictionary(settings.map { (String($0.dropFirst(prefix.count)), $1) }) { _, last in last }
    }
}
