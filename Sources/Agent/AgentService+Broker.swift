internal import BrokerSession
internal import Bytes
internal import Integrations
internal import MQTT
internal import System
internal import WireProtocol

/// The handling of the broker's messages: the registry, and commands.
extension AgentService {
    /// Processes the waiting events of the session.
    func receiveNotices() {
        var isRegistryNew = false
        session.receive { notice in
            switch notice {
            case .connected:
                registry.connected(at: loop.wall)
                isRegistryNew = true
                let now = loop.sinceStart
                discovery.desk.connected(at: now)
                broker.connected(isFirst: session.statistics.connections <= 1, outgoing, at: now)
            case .message(let message):
                guard !discovery.desk.receive(message, at: loop.sinceStart) else { return }
                switch topics.kind(of: message.topic) {
                case .itemConfig: isRegistryNew = registerEntry(message) || isRegistryNew
                case .nodeCommand(_, let sender) where !message.retained: performCommand(message, by: sender)
                case .proximity(let beacon, node) where message.retained && !message.payload.isEmpty:
                    pipeline.adoptRetained(proximityOf: beacon)
                case .region(let region, node) where message.retained && !message.payload.isEmpty:
                    if !pipeline.watches(region) { clearTopic(message.topic) }
                case .nodeInfo(let node) where message.retained && node == self.node:
                    for leaving in pipeline.leavings(of: message) { clearTopic(leaving) }
                case nil where TopicFilter.matches(registry.filter, message.topic):
                    // An invalid id.
                    isRegistryNew = registerEntry(message) || isRegistryNew
                case .nodeStatus, .nodeInfo, .scan, .nodeHealth, .region, .nodeEvents, .proximity, .window,
                    .fuserStatus, .fuserClaim, .location, .room, .itemEvents, .itemAlert, .itemTelemetry, .itemBattery,
                    .occupancy,
                    .lesson, .housePlan, .floorPicture, .rollout, .nodeCommand, .commandResult, .fuserCommand,
                    .fuserCommandResult, .replies, nil:
                    break
                }
            case .trouble(.statusUnheard(let isUnheard)):
                pipeline.description.isStatusReadBack = !isUnheard
                info.markStale()
            case .subscribed: break
            case .subscriptionGranted(let filter): discovery.desk.recordGrant(filter, at: loop.sinceStart)
            case .trouble(.subscriptionDenied(let filter, _)): discovery.desk.recordDenial(filter)
            case .trouble: break
            }
        }
        if isRegistryNew { useRegistry() }
        checkKeys()
        let problems =
            SubscriptionDenial.sentences(session.denials) + session.problems + info.problems + pipeline.offerProblems
        if pipeline.description.problems != problems {
            pipeline.description.problems = problems
            info.markStale()
        }
        if pipeline.description.upgrade != upgrades.report {
            pipeline.description.upgrade = upgrades.report
            info.markStale()
        }
        if broker.takeRepublication(at: { loop.sinceStart }) { republishRetained() }
        publishDiscovery()
        answerLater()
    }

    /// Clears a retained topic that no longer applies.
    private func clearTopic(_ topic: String) {
        session.publish(Message.clearing(topic))
    }

    /// Publishes the node's discovery documents, and clears those under its former names.
    private func publishDiscovery() {
        let now = loop.sinceStart
        // The node's retained document arrives after the answer; most turns have nothing to publish.
        guard session.isSubscriptionAnswered, let due = discovery.desk.nextDeadline, now >= due else { return }
        let pipeline = pipeline
        let steps = discovery.performDueSteps(
            regions: { pipeline.regionIDs }, version: pipeline.settings.version, at: now)
        for message in steps.messages { session.publish(message) }
        for words in steps.words { log.notice(words) }
        memory.state.persistSteps(steps, at: self.now)
    }

    /// Publishes all retained messages of this node again: the broker may have lost them.
    private func republishRetained() {
        if let status = pipeline.integrationStatus(isOnline: true) { session.publish(status) }
        // An info without its clock would announce to a fuser that the node's time is the wall clock's.
        guard input.hasBegun else { return }
        session.publish(pipeline.info())
        if let health = pipeline.healthMessage { session.publish(health) }
        for message in pipeline.regionMessages() + pipeline.proximityMessages() { session.publish(message) }
    }

    /// Processes the entry of an item's topic; returns true if it changes anything. Entries are dated by the wall
    /// clock, which all machines share, and not by a recording's.
    private func registerEntry(_ message: Message) -> Bool {
        switch registry.receive(message, at: loop.wall) {
        case .changed(let item):
            if let entry = registry.entry(item) { memory.persist(entry, at: now) }
            return true
        case .refused(let refusal):
            publishRejection("\(refusal)")
            return true
        case .nothing: return false
        }
    }

    /// Applies the registry, once for many changes.
    func useRegistry() {
        for refusal in registry.checkEntries() { publishRejection("\(refusal)") }
        pipeline.use(registry.registry)
        if pipeline.description.use(registry.findings) { info.markStale() }
    }

    /// Publishes the rejection of an entry to the author of the registry; `info` reports those that are too many for
    /// that.
    private func publishRejection(_ refusal: String) {
        guard commands.rejections.take(at: loop.sinceStart) else { return }
        let refusal = CommandRefusal(id: nil, action: nil, fault: .failed(refusal))
        publishAnswer(CommandResult(to: refusal, at: now), to: ReplyAddress(topic: topics.commandResult(node)))
    }

    /// Checks the keys of items, which `info` lists while they have problems.
    private func checkKeys() {
        guard info.checksKeys(at: now) else { return }
        let found = pipeline.keyProblems(at: now) + registry.keyProblems.prefix(NodePipeline.keyProblemBound)
        info.receive(keyProblems: found, log: log)
    }

    /// Publishes an event that the ledger has numbered.
    func publishEvent(_ event: NodeEvent) {
        var json = JSONWriter()
        event.write(to: &json)
        session.publish(Message(topic: topics.nodeEvents(node), payload: json.bytes, qos: .atLeastOnce))
    }
}
