internal import Bytes
internal import WireProtocol
internal import Store

/// Commands, and their answers. A new action takes a case here.
extension FuserService {
    /// Carries out a command, unless there are too many.
    func performCommand(_ message: Message, by sender: CommandSender? = nil) {
        guard commands.admit(message, at: monotonic) else { return }
        let now = wall
        do throws(CommandRefusal) {
            let command = try FuserCommand(payload: message.payload.span)
            var refusal = 403
            do throws(CommandFault) {
                try CommandSender.check(sender, may: command.action.name, command.action.right)
                refusal = 409
                let answer = try performAudited(command.action, at: now)
                recordCommand(message, sender, command.action, status: answer.failure == nil ? 200 : refusal)
                publishAnswer(FuserResult(to: command, answer, at: now), to: message, of: sender)
            } catch {
                recordCommand(message, sender, command.action, status: refusal)
                throw CommandRefusal(id: command.id, action: command.action.name, fault: error)
            }
        } catch {
            publishAnswer(FuserResult(to: error, at: now), to: message, of: sender)
        }
    }

    /// Answers for all commands that were too many.
    func answerLater() {
        guard let (message, refusal) = commands.takeRefusal(at: monotonic) else { return }
        publishAnswer(FuserResult(to: refusal, at: wall), to: message)
    }

    func performAction(_ action: FuserCommand.Action, at now: Timestamp) throws(CommandFault) -> FuserAnswer {
        switch action {
        case .learn(let learning): try performLearning(learning, at: now)
        case .why(let item): .why(try pipeline.explain(item, at: now))
        case .history(let item, let from, let to): try queryHistory(of: item, from: from, to: to, at: now)
        case .journal(let node, let region, let from, let to, let after):
            try queryJournal(JournalQuery(node: node, region: region, from: from, to: to, after: after))
        case .purge(let item, let before): try purgeItem(item, before: before, at: now)
        case .audit(let from, let to, let after): try queryAudit(from: from, to: to, after: after)
        case .silence(let item, let duration): try pipeline.silence(item, for: duration, at: now)
        case .set(let changes): changeSettings(changes)
        case .replay(let epoch, let seq): try replayEvents(epoch: epoch, from: seq)
        }
    }

    private func performLearning(_ learning: FuserCommand.Learning, at now: Timestamp) throws(CommandFault)
        -> FuserAnswer
    {
        // One item in two rooms would teach both wrong.
        if case .start(let item, _, _, _) = learning, let other = failover.teacher(of: item) {
            throw .failed(
                "a lesson of '\(item)' goes on at fuser '\(other)': stop it first "
                    + "(whereabouts learn --stop \(item) --fuser \(other))")
        }
        let answer = try pipeline.performLearning(learning, at: now, &outbox)
        guard case .taught(var report) = answer else { return answer }
        report.isKept = memory.isLasting
        return .taught(report)
    }

    /// Publishes an answer; that to another fuser on its reply topic with any version of MQTT.
    private func publishAnswer(_ result: FuserResult, to message: Message, of sender: CommandSender? = nil) {
        let topic = sender?.peer.map(topics.fuserReplies) ?? topics.fuserCommandResult(pipeline.fuser)
        outbox.append(topics.reply(to: message, else: topic).message(result.payload))
    }
}
