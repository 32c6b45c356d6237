internal import BrokerSession
internal import Bytes
internal import Identity
internal import MQTT
internal import Presence
internal import System
internal import WireProtocol

/// What is kept and told of what has happened.
extension AgentService {
    /// What the next `scan` tells of the broker.
    func countForScan() {
        pipeline.dropped = UInt64(session.statistics.dropped) + (pipeline.radio?.lost ?? 0)
        pipeline.spooled = session.unsent
    }

    func publishAll() {
        spread.release(at: nil) { session.publish($0) }
        for message in outbox { session.publish(message) }
        outbox.removeAll(keepingCapacity: true)
    }

    /// Keeps what has happened, then tells it, then does what it asks for.
    func settle() {
        spread.use(window: pipeline.settings.window)
        guard pipeline.hasEvents || memory.isDue(at: now), let effects = pipeline.takeEffects() else { return }
        for event in memory.keep(effects, at: now) { publish(event) }
        for (region, report) in effects.regions { session.publish(pipeline.message(report, of: region)) }
        for region in effects.record.removedRegions where Region.implicitItem(of: region) == nil {
            session.publish(Message.clearing(topics.region(region, node: node)))
        }
        for action in effects.actions { perform(action) }
        if memory.takeLoss() {
            pipeline.rememberAll()
            for entry in registry.entries { memory.keep(entry, at: now) }
            memory.state.keep(discovery.desk, at: now)
        }
        pipeline.lastEvent = memory.lastEvent
        guard isInfoStale || pipeline.epoch != memory.epoch || toldRegistry != pipeline.registryDigest else { return }
        pipeline.epoch = memory.epoch
        publishInfo()
    }

    /// Does one thing; an offer that can't be made is made later in the same visit.
    private func perform(_ action: NodeAction) {
        guard let reason = actions.perform(action), case .offer(let attempt) = action else { return }
        let seconds = attempt.pause / 1_000_000
        log.warning("\(attempt.label) could not be made: \(reason); the next attempt is in \(seconds) s")
        pipeline.owe(attempt, because: reason, at: now)
    }

    /// Takes what has befallen the radio, and publishes what has changed of it, at most once a second.
    func tellRadio(at now: Timestamp) {
        for change in source.takeRadioChanges() { pipeline.radioEvents.receive(change) }
        pipeline.radioEvents.advance(to: now)
        guard now.microseconds(since: toldRadio).magnitude >= 1_000_000 else { return }
        toldRadio = now
        if let adapter = source.chosenAdapter { memory.keep(adapter: adapter, at: now) }
        guard let radio = source.radio, radio != pipeline.radio else { return }
        pipeline.radio = radio
        publishInfo()
    }

    func publishInfo() {
        isInfoStale = false
        toldRegistry = pipeline.registryDigest
        session.publish(pipeline.info())
    }
}
