internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// The configuration of a running fuser: that of its file, with the settings of `set` commands in place of its own.
struct ConfigurationInForce {
    private var file: ConfigurationReload<FuserConfiguration>
    /// The settings of `set` commands.
    private(set) var overrides: FuserOverrides

    init(_ file: ConfigurationReload<FuserConfiguration>, _ overrides: FuserOverrides) {
        (self.file, self.overrides) = (file, overrides)
    }

    /// The configuration that counts.
    var current: FuserConfiguration { file.current.overridden(by: overrides) }

    /// The settings that a command can change.
    var settings: FuserSettings {
        let current = current
        var settings = FuserSettings(awayAfter: current.awayAfter, detectsClones: current.detectsClones)
        settings.overridden = overrides.keys
        return settings
    }

    /// Reads the file anew. A faulty one changes nothing.
    mutating func readAnew(_ log: Log) {
        guard file.readAnew(log) != nil else { return }
        overrides.logPrecedence(log)
    }

    /// Applies the changes of a `set` command.
    mutating func applyChanges(_ changes: FuserChanges) { overrides = overrides.applying(changes) }
}

extension FuserConfiguration {
    /// This configuration, with the settings of `set` commands in place of its own.
    func overridden(by overrides: FuserOverrides) -> FuserConfiguration {
        var configuration = self
        configuration.awayAfter = overrides.awayAfter ?? awayAfter
        configuration.detectsClones = overrides.detectsClones ?? detectsClones
        return configuration
    }
}

extension FuserOverrides {
    /// Logs the keys of the file that do not count.
    func logPrecedence(_ log: Log) {
        guard !keys.isEmpty else { return }
        log.notice("settings of the command 'set' count over the file: \(keys.joined(separator: ", "))")
    }
}
