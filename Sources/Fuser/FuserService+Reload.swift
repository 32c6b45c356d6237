internal import BrokerSession
internal import Configuration
internal import System

/// The configuration at run time.
extension FuserService {
    /// Reads the configuration anew, and applies what takes effect at run time. A faulty file changes nothing.
    func reloadConfiguration() {
        notifier.reloading()
        if let old = reload?.current, let new = reload?.readAnew(log) {
            recordReload(old.changes(to: new).keys(.atRunTime))
            use(new, instead: old)
        }
        notifier.ready()
    }

    private func use(_ new: FuserConfiguration, instead old: FuserConfiguration) {
        log.isJSON = new.logsJSON
        pipeline.use(new, instead: old, at: wall, &outbox)
        discovery.use(HouseDescription(new, topics: pipeline.topics))
        page?.use(new, instead: old)
        guard externalKeys != nil else { return }
        externalKeys = { [log] in FuserPipeline.externalKeys(of: new, log) }
        pipeline.use(externalKeys: FuserPipeline.externalKeys(of: new, log))
    }
}
