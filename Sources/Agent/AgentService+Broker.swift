internal import BrokerSession
internal import Bytes
internal import Integrations
internal import MQTT
internal import System
internal import WireProtocol

/// What the broker brings: the registry, and commands.
extension AgentService {
    /// Takes what waits.
    func receive() {
        var isRegistryNew = false
        session.receive { notice in
            switch notice {
            case .connected:
                hasMetBroker = true
                registry.connected(at: clocks().wall)
                isRegistryNew = true
                let now = clocks().sinceStart
                restsAt = now + Self.timeToSettle
                discovery.desk.connected(at: now)
                // The first time nobody waits for it with all others.
                retellsAt = session.statistics.connections > 1 ? now + spread.moment(in: Self.reunion) : now
            case .message(let message):
                guard !discovery.desk.receive(message, at: clocks().sinceStart) else { return }
                switch topics.kind(of: message.topic) {
                case .itemConfig: isRegistryNew = register(message) || isRegistryNew
                case .nodeCommand where !message.retained: obey(message)
                case .proximity(let beacon, node) where message.retained && !message.payload.isEmpty:
                    pipeline.inherit(proximityOf: beacon)
                case .region(let region, node) where message.retained && !message.payload.isEmpty:
                    if !pipeline.watches(region) { clear(message.topic) }
                case .nodeInfo(let node) where message.retained && node == self.node:
                    for leaving in pipeline.leavings(of: message) { clear(leaving) }
                case nil where TopicFilter.matches(registry.filter, message.topic):
                    // An id that can't be one.
                    isRegistryNew = register(message) || isRegistryNew
                default: break
                }
            case .trouble(.statusUnheard(let isUnheard)):
                pipeline.isStatusReadBack = !isUnheard
                isInfoStale = true
            case .subscribed: break
            case .subscriptionGranted(let filter): discovery.desk.granted(filter, at: clocks().sinceStart)
            case .trouble(.subscriptionDenied(let filter, _)): discovery.desk.denied(filter)
            case .trouble: break
            }
        }
        if isRegistryNew { useRegistry() }
        judgeKeys()
        let problems =
            SubscriptionDenial.sentences(session.denials) + session.problems + (clockProblem.map { [$0] } ?? [])
            + keyProblems.map(\.words) + pipeline.offerProblems
        if pipeline.problems != problems {
            pipeline.problems = problems
            isInfoStale = true
        }
        retell()
        announce()
        answerLater()
    }

    /// Clears what nobody stands for.
    private func clear(_ topic: String) {
        session.publish(Message.clearing(topic))
    }

    /// Tells again, when that is due, what stands retained.
    private func retell() {
        guard let moment = retellsAt, clocks().sinceStart >= moment else { return }
        retellsAt = nil
        republish()
    }

    /// Tells Home Assistant of the node, and clears what stands under names that it had before.
    private func announce() {
        let now = clocks().sinceStart
        // What is retained of the node's document comes after the answer; most turns have nothing to tell.
        guard session.isSubscriptionAnswered, let due = discovery.desk.nextDeadline, now >= due else { return }
        let pipeline = pipeline
        let steps = discovery.turn(regions: { pipeline.regionIDs }, version: pipeline.settings.version, at: now)
        for message in steps.messages { session.publish(message) }
        for words in steps.words { log.notice(words) }
        memory.state.keep(steps, at: self.now)
    }

    /// Everything of ours that stands retained: the broker may have lost it.
    private func republish() {
        if let status = pipeline.neighbourStatus(isOnline: true) { session.publish(status) }
        // An info without its clock would tell a fuser that the house lives on the wall's time.
        guard hasBegun else { return }
        session.publish(pipeline.info())
        if let health = pipeline.healthMessage { session.publish(health) }
        for message in pipeline.regionMessages() + pipeline.proximityMessages() { session.publish(message) }
    }

    /// Takes what a topic says of an item; whether that changes anything. Entries are dated by the wall clock, which all
    /// machines share, and not by a recording's.
    private func register(_ message: Message) -> Bool {
        switch registry.receive(message, at: clocks().wall) {
        case .changed(let item):
            if let entry = registry.entry(item) { memory.keep(entry, at: now) }
            return true
        case .refused(let refusal):
            tell(refusal: "\(refusal)")
            return true
        case .nothing: return false
        }
    }

    /// Once for many changes.
    private func useRegistry() {
        for refusal in registry.settle() { tell(refusal: "\(refusal)") }
        pipeline.use(registry.registry)
        if pipeline.tell(registry.findings) { isInfoStale = true }
    }

    /// Tells whoever writes the registry that an entry is refused; `info` tells those that are too many for that.
    private func tell(refusal: String) {
        guard refusals.take(at: clocks().sinceStart) else { return }
        let refusal = CommandRefusal(id: nil, action: nil, fault: .failed(refusal))
        answer(CommandResult(to: refusal, at: now), to: ReplyAddress(topic: topics.commandResult(node)))
    }

    /// Once a connection has settled, lets go of the code that nothing but it needed: TLS, the start's configuration.
    func rest() {
        guard let moment = restsAt, clocks().sinceStart >= moment else { return }
        restsAt = nil
        ProgramText.release()
    }

    /// Publishes an event that the ledger has numbered.
    func publish(_ event: NodeEvent) {
        var json = JSONWriter()
        event.write(to: &json)
        session.publish(Message(topic: topics.nodeEvents(node), payload: json.bytes, qos: .atLeastOnce))
    }
}
