internal import Alerts
internal import BrokerSession
internal import Bytes
internal import Identity
internal import MQTT
internal import Presence
internal import System
internal import WireProtocol

/// The storing and publishing of results.
extension AgentService {
    /// Counts the broker's state for the next `scan`.
    func countForScan() {
        pipeline.scans.dropped = UInt64(session.statistics.dropped) + (pipeline.description.radio?.lost ?? 0)
        pipeline.scans.spooled = session.unsent
    }

    /// Publishes all messages that were held back.
    func publishAll() {
        outgoing.release(at: nil) { session.publish($0) }
        for message in outgoing.outbox { session.publish(message) }
        outgoing.outbox.removeAll(keepingCapacity: true)
    }

    /// Stores the results, then publishes them, then carries out their actions.
    func storeAndPublish() {
        outgoing.use(window: pipeline.settings.window)
        guard pipeline.hasEvents || memory.isDue(at: now), let effects = pipeline.takeEffects() else { return }
        for event in memory.persist(effects, at: now) { publishEvent(event) }
        for (region, report) in effects.regions { session.publish(pipeline.message(report, of: region)) }
        for region in effects.record.removedRegions where Region.implicitItem(of: region) == nil {
            session.publish(Message.clearing(topics.region(region, node: node)))
        }
        for action in effects.actions { performAction(action) }
        if memory.takeLoss() {
            pipeline.rememberAll()
            for entry in registry.entries { memory.persist(entry, at: now) }
            memory.state.persist(commands.overrides, at: now)
            memory.state.persistDiscovery(discovery.desk, at: now)
        }
        pipeline.scans.lastEvent = memory.lastEvent
        guard info.isDue(registry: pipeline.registryDigest) || pipeline.description.epoch != memory.epoch else {
            return
        }
        pipeline.description.epoch = memory.epoch
        publishInfo()
    }

    /// Carries out an action; an offer that can't be made is made later in the same visit.
    private func performAction(_ action: NodeAction) {
        guard let reason = actions.perform(action), case .offer(let attempt) = action else { return }
        let seconds = attempt.pause.components.seconds
        log.write(
            .warning, "\(attempt.label) could not be made: \(reason); the next attempt is in \(seconds) s",
            about: [attempt.subject.id])
        pipeline.delay(attempt, because: reason, at: now)
    }

    /// Processes the changes of the radio, and publishes them, at most once a second.
    func publishRadio(at now: Timestamp) {
        for change in source.takeRadioChanges() { pipeline.radioEvents.receive(change) }
        pipeline.radioEvents.advance(to: now)
        guard info.checksRadio(at: now) else { return }
        if let adapter = source.chosenAdapter { memory.persist(adapter: adapter, at: now) }
        guard let radio = source.radio, radio != pipeline.description.radio else { return }
        pipeline.description.radio = radio
        publishInfo()
    }

    /// Publishes the node's description.
    func publishInfo() {
        info.recordPublication(registry: pipeline.registryDigest)
        session.publish(pipeline.info())
    }
}
