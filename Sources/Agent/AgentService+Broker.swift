internal import Bytes
internal import Daemon
internal import Identity
internal import Presence
internal import Session
internal import Sightings
internal import Store

/// What the broker brings: the registry and commands.
extension AgentService {
    /// Events of one `replay` answer; a subscriber asks again from the last one on.
    static let replayLimit = 1000

    /// Takes what waits.
    func receive() {
        session.receive { notice in
            switch notice {
            case .connected:
                registry.connected(at: WallClock.now())
                republish()
            case .message(let message): take(message)
            case .trouble: break
            }
        }
        for result in pipeline.takeNearby(at: now) { answer(result) }
    }

    /// Everything of ours that stands retained: the broker may have lost it.
    private func republish() {
        // An info without its clock would tell a fuser that the house lives on the wall's time.
        guard hasBegun else { return }
        session.publish(pipeline.info())
        for message in pipeline.regionMessages() { session.publish(message) }
    }

    private func take(_ message: Message) {
        switch topics.kind(of: message.topic) {
        case .itemConfig: register(message)
        case .nodeCommand where !message.retained: obey(message)
        default: break
        }
    }

    /// Entries are dated by the wall clock, which all machines share, and not by a recording's.
    private func register(_ message: Message) {
        switch registry.receive(message, at: WallClock.now()) {
        case .changed(let item):
            if let entry = registry.entry(item) { memory.keep(entry, at: now) }
            pipeline.use(registry.registry)
        case .refused(let refusal):
            answer(CommandResult(to: CommandRefusal(id: nil, action: nil, fault: .failed("\(refusal)")), at: now))
        case .nothing: break
        }
    }

    // MARK: Commands

    private func obey(_ message: Message) {
        do throws(CommandRefusal) {
            let command = try NodeCommand(payload: message.payload.span)
            do throws(CommandFault) {
                if let result = try perform(command) { answer(CommandResult(to: command, result, at: now)) }
            } catch {
                throw CommandRefusal(id: command.id, action: command.action.name, fault: error)
            }
        } catch {
            answer(CommandResult(to: error, at: now))
        }
    }

    /// Does what is asked; nil where the answer comes later.
    private func perform(_ command: NodeCommand) throws(CommandFault) -> CommandResult.Answer? {
        switch command.action {
        case .replay(let epoch, let seq):
            do throws(StoreError) {
                for event in try memory.events(epoch: epoch, from: seq, limit: Self.replayLimit) { publish(event) }
                return .done
            } catch {
                throw .failed("\(error)")
            }
        case .nearby:
            try pipeline.openNearby(command, at: now)
            return nil
        case .log(let level):
            guard let level = Log.Level(name: level) else {
                throw .badValue(key: "level", expected: NodeCommand.logLevels.joined(separator: ", "))
            }
            log.level = level
            return .done
        case .silence(let subject, let duration):
            try pipeline.silence(Crossing.Subject(subject), for: duration, at: now)
            // Kept before it is said to be.
            settle()
            return .done
        case .set, .advertise:
            throw .failed("this version can't do that yet")
        }
    }

    private func answer(_ result: CommandResult) {
        session.publish(
            Message(topic: topics.commandResult(node), payload: result.payload, qos: .atLeastOnce))
    }

    /// Publishes an event that the ledger has numbered.
    func publish(_ event: NodeEvent) {
        var json = JSONWriter()
        event.write(to: &json)
        session.publish(Message(topic: topics.nodeEvents(node), payload: json.bytes, qos: .atLeastOnce))
    }
}

extension Crossing.Subject {
    /// Whom a command is about.
    fileprivate init(_ subject: NodeCommand.Subject) {
        switch subject {
        case .item(let id): self = .item(id)
        case .region(let id): self = .region(id)
        }
    }
}
