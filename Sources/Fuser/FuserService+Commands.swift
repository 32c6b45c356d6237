internal import Bytes
internal import WireProtocol
internal import Store

/// Commands, and their answers. A new action takes a case here.
extension FuserService {
    /// Does what a message asks for, if not too many do.
    func obey(_ message: Message) {
        guard commands.admit(message, at: monotonic) else { return }
        let now = wall
        do throws(CommandRefusal) {
            let command = try FuserCommand(payload: message.payload.span)
            do throws(CommandFault) {
                answer(FuserResult(to: command, try perform(command.action, at: now), at: now), to: message)
            } catch {
                throw CommandRefusal(id: command.id, action: command.action.name, fault: error)
            }
        } catch {
            answer(FuserResult(to: error, at: now), to: message)
        }
    }

    /// Answers for all commands that were too many.
    func answerLater() {
        guard let (message, refusal) = commands.takeRefusal(at: monotonic) else { return }
        answer(FuserResult(to: refusal, at: wall), to: message)
    }

    private func perform(_ action: FuserCommand.Action, at now: Timestamp) throws(CommandFault) -> FuserAnswer {
        switch action {
        case .learn(let learning): try learn(learning, at: now)
        case .why(let item): .why(try pipeline.explain(item, at: now))
        case .history(let item, let from, let to): try history(of: item, from: from, to: to, at: now)
        case .journal(let node, let region, let from, let to, let after):
            try journal(JournalQuery(node: node, region: region, from: from, to: to, after: after))
        case .purge(let item, let before): try purge(item, before: before, at: now)
        case .silence(let item, let duration): try pipeline.silence(item, for: duration, at: now)
        case .replay(let epoch, let seq): try replay(epoch: epoch, from: seq)
        }
    }

    private func learn(_ learning: FuserCommand.Learning, at now: Timestamp) throws(CommandFault) -> FuserAnswer {
        // One item in two rooms would teach both wrong.
        if case .start(let item, _, _, _) = learning, let other = rivals.teacher(of: item) {
            throw .failed(
                "a lesson of '\(item)' goes on at fuser '\(other)': stop it first "
                    + "(whereabouts learn --stop \(item) --fuser \(other))")
        }
        let answer = try pipeline.learn(learning, at: now, &outbox)
        guard case .taught(var report) = answer else { return answer }
        report.isKept = memory.isLasting
        return .taught(report)
    }

    private func answer(_ result: FuserResult, to message: Message) {
        let topics = pipeline.topics
        outbox.append(
            topics.reply(to: message, else: topics.fuserCommandResult(pipeline.fuser)).message(result.payload))
    }
}
