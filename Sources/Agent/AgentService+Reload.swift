internal import BrokerSession
internal import Configuration
internal import System

/// The configuration at run time.
extension AgentService {
    /// Reads the configuration anew, and applies what takes effect at run time. A faulty file changes nothing.
    func reloadConfiguration() {
        loop.reloading()
        if let new = reload?.readAnew(log) { use(new) }
        loop.ready()
    }

    /// Applies a configuration. Packets of the running interval still belong to the settings and the registry before.
    private func use(_ configuration: AgentConfiguration) {
        log.isJSON = configuration.logsJSON
        var settings = commands.configured
        settings.use(configuration)
        pipeline.use(commands.use(configured: settings))
        pipeline.use(rules: configuration.alerts, reactions: configuration.reactions, at: now)
        registry.use(
            items: configuration.items, regions: pipeline.watched(beside: configuration.regions),
            keyFolders: configuration.keyFolders)
        useRegistry()
        discovery.use(configuration)
        page?.use(configuration.web?.token)
    }
}
