internal import BrokerSession
internal import Bytes
internal import Configuration
internal import System
internal import WireProtocol

/// The configuration at run time.
extension FuserService {
    /// Reads the configuration anew, and applies what takes effect at run time. A faulty file changes nothing.
    func reloadConfiguration() {
        notifier.reloading()
        let old = configuration.current
        configuration.readAnew(log)
        let new = configuration.current
        let applied = old.changes(to: new).keys(.atRunTime)
        if !applied.isEmpty { recordReload(applied) }
        use(new, instead: old)
        notifier.ready()
    }

    /// Applies the changes of a `set` command, as another file is applied, and stores them.
    func changeSettings(_ changes: FuserChanges) -> FuserAnswer {
        let old = configuration.current
        configuration.applyChanges(changes)
        use(configuration.current, instead: old)
        memory.state.persist(configuration.overrides, at: pipeline.time(atWall: wall))
        let keys = configuration.overrides.keys
        log.notice(
            keys.isEmpty
                ? "settings were changed by command: those of the file count"
                : "settings were changed by command, and count over the file: \(keys.joined(separator: ", "))"
                    + (memory.isLasting ? "" : "; they last until this fuser ends, which has no 'state'"))
        return .done
    }

    private func use(_ new: FuserConfiguration, instead old: FuserConfiguration) {
        guard new != old else { return }
        log.isJSON = new.logsJSON
        pipeline.use(new, instead: old, at: wall, &outbox)
        discovery.use(HouseDescription(new, topics: topics))
        page?.use(new, instead: old)
        guard externalKeys != nil else { return }
        externalKeys = { [log] in FuserPipeline.externalKeys(of: new, log) }
        pipeline.use(externalKeys: FuserPipeline.externalKeys(of: new, log))
    }
}
