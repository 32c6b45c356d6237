internal import WireProtocol

/// The limits on a node's commands, and the settings that they change.
struct CommandIntake {
    /// The limit on commands.
    var gate = CommandGate<NodeCommand>()
    /// The limit on rejections of registry entries.
    var rejections = CommandLimit.bucket
    /// The settings of the configuration, without those of `set` commands.
    private(set) var configured: NodeSettings
    /// The settings of `set` commands.
    private(set) var overrides: NodeOverrides

    init(_ configured: NodeSettings, _ overrides: NodeOverrides) {
        self.configured = configured
        self.overrides = overrides
    }

    /// Replaces the settings of the configuration, and returns those that result: `set` commands have precedence.
    mutating func use(configured settings: NodeSettings) -> NodeSettings {
        configured = settings
        return configured.overridden(by: overrides)
    }

    /// Applies the changes of a `set` command, and returns the settings that result.
    mutating func applyChanges(_ changes: NodeChanges) -> NodeSettings {
        overrides = overrides.applying(changes)
        return configured.overridden(by: overrides)
    }
}
