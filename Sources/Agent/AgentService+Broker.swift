internal import Bytes
internal import Daemon
internal import Identity
internal import Session
internal import Sightings

/// What the broker brings: the registry, and commands.
extension AgentService {
    /// Takes what waits.
    func receive() {
        var isRegistryNew = false
        session.receive { notice in
            switch notice {
            case .connected:
                registry.connected(at: WallClock.now())
                isRegistryNew = true
                republish()
            case .message(let message):
                switch topics.kind(of: message.topic) {
                case .itemConfig: isRegistryNew = register(message) || isRegistryNew
                case .nodeCommand where !message.retained: obey(message)
                default: break
                }
            case .trouble: break
            }
        }
        if isRegistryNew { useRegistry() }
        answerLater()
    }

    /// Everything of ours that stands retained: the broker may have lost it.
    private func republish() {
        // An info without its clock would tell a fuser that the house lives on the wall's time.
        guard hasBegun else { return }
        session.publish(pipeline.info())
        for message in pipeline.regionMessages() { session.publish(message) }
    }

    /// Takes what a topic says of an item; whether that changes anything. Entries are dated by the wall clock, which all
    /// machines share, and not by a recording's.
    private func register(_ message: Message) -> Bool {
        switch registry.receive(message, at: WallClock.now()) {
        case .changed(let item):
            if let entry = registry.entry(item) { memory.keep(entry, at: now) }
            return true
        case .refused(let refusal):
            // `info` tells those that there is no answer for.
            guard refusals.take(at: MonotonicClock.now()) else { return true }
            answer(
                CommandResult(to: CommandRefusal(id: nil, action: nil, fault: .failed("\(refusal)")), at: now),
                to: ReplyAddress(topic: topics.commandResult(node)))
            return true
        case .nothing: return false
        }
    }

    /// Once for many changes.
    private func useRegistry() {
        registry.settle()
        pipeline.use(registry.registry)
        if pipeline.tell(registry.findings) { isInfoStale = true }
    }

    /// Publishes an event that the ledger has numbered.
    func publish(_ event: NodeEvent) {
        var json = JSONWriter()
        event.write(to: &json)
        session.publish(Message(topic: topics.nodeEvents(node), payload: json.bytes, qos: .atLeastOnce))
    }
}
