internal import BrokerSession
internal import WireProtocol
internal import Store
internal import System

/// Commands, and their answers.
extension AgentService {
    /// Carries out a command, unless there are too many.
    func performCommand(_ message: Message, by sender: CommandSender?) {
        guard commands.gate.admit(message, at: loop.sinceStart) else { return }
        let reply = topics.reply(to: message, else: topics.commandResult(node))
        do throws(CommandRefusal) {
            let command = try NodeCommand(payload: message.payload.span)
            do throws(CommandFault) {
                try CommandSender.check(sender, may: command.action.name, command.action.right)
                if let result = try performCommand(command, by: sender, reply) {
                    publishAnswer(CommandResult(to: command, result, at: now), to: reply)
                }
            } catch {
                throw CommandRefusal(id: command.id, action: command.action.name, fault: error)
            }
        } catch {
            publishAnswer(CommandResult(to: error, at: now), to: reply)
        }
    }

    /// Sends the answers that are due: of `nearby`, `advertise` and `upgrade`, and one for all commands that were too many.
    func answerLater() {
        for (result, reply) in pipeline.takeNearby(at: now) { publishAnswer(result, to: reply) }
        for (result, reply) in advertising.advance(to: loop.sinceStart, at: now) { publishAnswer(result, to: reply) }
        if let (result, reply) = upgrades.advance(to: loop.sinceStart, at: now) { publishAnswer(result, to: reply) }
        guard let (message, refusal) = commands.gate.takeRefusal(at: loop.sinceStart) else { return }
        publishAnswer(
            CommandResult(to: refusal, at: now), to: topics.reply(to: message, else: topics.commandResult(node)))
    }

    /// Carries out a command and returns its answer; nil if the answer comes later.
    private func performCommand(
        _ command: NodeCommand, by sender: CommandSender?, _ reply: ReplyAddress
    ) throws(CommandFault) -> NodeAnswer? {
        switch command.action {
        case .replay(let epoch, let seq):
            try refuseWhileBusy()
            do throws(StoreError) {
                let replay = try memory.replayEvents(epoch: epoch, from: seq)
                for event in replay.events { publishEvent(event) }
                return .replayed(replay.report)
            } catch {
                throw .failed("\(error)")
            }
        case .set(let changes):
            pipeline.use(commands.applyChanges(changes))
            memory.state.persist(commands.overrides, at: now)
            return .done
        case .determine(let region):
            try refuseWhileBusy()
            try pipeline.determine(region, at: now)
            return .done
        case .nearby:
            try pipeline.openNearby(command, reply: reply, at: now)
            return nil
        case .log(let level):
            guard let level = Log.Level(name: level) else {
                throw .badValue(key: "level", expected: NodeCommand.logLevels.joined(separator: ", "))
            }
            log.level = level
            return .done
        case .clock(let offset):
            info.receive(clockOffset: offset, log: log)
            return .done
        case .upgrade(let version):
            try upgrades.request(version, command, by: sender, reply, at: loop.sinceStart)
            return nil
        case .silence(let subject, let duration):
            for subject in pipeline.subjects(subject) { try pipeline.silence(subject, for: duration, at: now) }
            // Stored before it is confirmed.
            storeAndPublish()
            return .done
        case .rescan:
            guard source.rescan() else {
                throw .failed("this node hears \(source.adapter) and has no adapter to scan with")
            }
            return .done
        case .advertise(.start(let data, let duration)):
            guard let radio = source.radio else {
                throw .failed("this node hears \(source.adapter) and has no adapter to advertise with")
            }
            try advertising.startSending(
                data, for: duration, on: radio, .init(command: command, reply: reply), at: loop.sinceStart)
            return nil
        case .advertise(.stop):
            for (result, reply) in advertising.stopAll(at: now) { publishAnswer(result, to: reply) }
            return .done
        }
    }

    /// Rejects an answer of many messages until there is room for them, so that it doesn't displace others.
    private func refuseWhileBusy() throws(CommandFault) {
        guard session.unsent < Self.pacingLow else {
            throw .failed("\(session.unsent) messages wait for the broker; ask again in a moment")
        }
    }

    func publishAnswer(_ result: CommandResult, to reply: ReplyAddress) {
        session.publish(reply.message(result.payload))
    }
}
