internal import Bytes
internal import Daemon
internal import Sightings

/// Which of a fuser's commands are obeyed: as many as a node obeys, and one answer a second for those left out.
struct FuserCommands {
    private var bucket = CommandBucket()
    /// The last one that was too many.
    private var refused: Message?

    /// Whether `takeRefusal` will have something within a second.
    var isWaiting: Bool { refused != nil }

    /// Whether a command is to be obeyed that came at a moment of the monotonic clock, in nanoseconds.
    mutating func admit(_ message: Message, at now: Int64) -> Bool {
        let isAdmitted = bucket.take(at: now)
        if !isAdmitted { refused = message }
        return isAdmitted
    }

    /// The one that stands for all that were left out since the last time, with what to answer; nil where there is none.
    mutating func takeRefusal(at now: Int64) -> (message: Message, refusal: CommandRefusal)? {
        guard let message = refused, let count = bucket.takeRefused(at: now) else { return nil }
        refused = nil
        let fault = CommandFault.failed(
            "more than \(CommandBucket.perSecond) commands a second: \(count) were left out, this one among them")
        do throws(CommandRefusal) {
            let command = try FuserCommand(payload: message.payload.span)
            return (message, CommandRefusal(id: command.id, action: command.action.name, fault: fault))
        } catch {
            return (message, CommandRefusal(id: error.id, action: error.action, fault: fault))
        }
    }
}

/// Commands, and their answers. A new action takes a case here.
extension FuserService {
    /// Does what a message asks for, if not too many do.
    func obey(_ message: Message) {
        guard commands.admit(message, at: MonotonicClock.now()) else { return }
        let now = WallClock.now()
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
        guard let (message, refusal) = commands.takeRefusal(at: MonotonicClock.now()) else { return }
        answer(FuserResult(to: refusal, at: WallClock.now()), to: message)
    }

    private func perform(_ action: FuserCommand.Action, at now: Timestamp) throws(CommandFault) -> FuserResult.Answer {
        switch action {
        case .learn(let learning): try learn(learning, at: now)
        case .why(let item): .why(try pipeline.explain(item, at: now))
        case .history(let item, let from, let to): try history(of: item, from: from, to: to, at: now)
        case .purge(let item, let before): try purge(item, before: before, at: now)
        case .silence(let item, let duration): try pipeline.silence(item, for: duration, at: now)
        case .replay(let epoch, let seq): try replay(epoch: epoch, from: seq)
        }
    }

    private func learn(_ learning: FuserCommand.Learning, at now: Timestamp) throws(CommandFault) -> FuserResult.Answer
    {
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
