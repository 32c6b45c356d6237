internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// The lessons that fusers share: what one was taught is retained, and all others learn it; what one undid, none brings back.
final class SharedLessons: FuserComponent, LessonDirectory {
    private var shelf: RetainedLessons

    init(topics: Topics) { shelf = RetainedLessons(topics: topics) }

    var taughtKeys: [String] { shelf.words.filter { $0.value == .taught }.map(\.key) }

    func connected(_ turn: Turn) { shelf.connected(at: turn.wall) }

    func subscriptionsGranted(_ turn: Turn) { shelf.expectRetained(at: turn.wall) }

    /// Receives what another fuser was taught or undid, or what the broker retained of that.
    func receive(_ message: HouseMessage, _ turn: Turn) {
        guard case .lesson(let key, let message) = message else { return }
        guard !message.payload.isEmpty else { return shelf.recordLesson(nil, of: key, at: turn.wall) }
        guard SharedLesson.parts(ofKey: key) != nil else {
            return turn.diagnostics.reject(message, "it is no topic of a lesson, which is an item and milliseconds")
        }
        switch SharedLesson(payload: message.payload.span) {
        case nil:
            shelf.recordLesson(nil, of: key, at: turn.wall)
            turn.diagnostics.countRejected()
            turn.diagnostics.warn(
                "lesson \(key)", "what the broker has of lesson \(key) can't be read, and is left out", about: [key])
        case .taught(let lesson):
            guard lesson.key == key else {
                turn.diagnostics.countRejected()
                return turn.diagnostics.warn(
                    "lesson \(key)", "the lesson on \(message.topic) is another one, and is left out", about: [key])
            }
            shelf.recordLesson(.taught, of: key, at: turn.wall)
            // A fuser that was off when it was undone has put it back.
            if turn.tracker.isUndone(lesson) { return publishLesson(undone: key, turn) }
            turn.emit { $0.lessonReceived(lesson, turn) }
        case .undone:
            shelf.recordLesson(.undone, of: key, at: turn.wall)
            turn.emit { $0.lessonUndone(key: key, turn) }
        }
    }

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        switch outcome {
        case .lessonAdded(let lesson): publishLesson(lesson, turn)
        case .lessonUndone(_, let key): publishLesson(undone: key, turn)
        case .location, .event, .occupancy, .stay: break
        }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? { house.publication.isAwaited ? nil : shelf.nextDeadline }

    /// Puts back what the broker lost, and clears what nobody needs to know any more.
    func advance(_ turn: Turn) {
        guard !turn.publication.isAwaited, shelf.takeSettled(at: turn.wall) else { return }
        for lesson in turn.tracker.lessons { publishLesson(lesson, turn) }
        let undone = turn.tracker.undoneLessons
        for key in undone { publishLesson(undone: key, turn) }
        let remembered = Set(undone)
        for (key, word) in shelf.words where word == .undone && !remembered.contains(key) {
            shelf.storeOwn(nil, of: key)
            turn.publication.sendMessage(shelf.message([], of: key))
        }
    }

    /// Has the broker retain a lesson, where it does not.
    private func publishLesson(_ lesson: Lesson, _ turn: Turn) {
        guard shelf.words[lesson.key] == nil else { return }
        let payload = SharedLesson.taught(lesson).payload
        guard payload.count <= SharedLesson.payloadLimit else {
            return turn.diagnostics.warn(
                "lesson \(lesson.key)", "lesson \(lesson.id) is over 1 MiB long: other fusers don't get it")
        }
        shelf.storeOwn(.taught, of: lesson.key)
        turn.publication.sendMessage(shelf.message(payload, of: lesson.key))
    }

    /// Has the broker retain that a lesson was undone, where it does not.
    private func publishLesson(undone key: String, _ turn: Turn) {
        guard shelf.words[key] != .undone else { return }
        shelf.storeOwn(.undone, of: key)
        turn.publication.sendMessage(shelf.message(SharedLesson.undone.payload, of: key))
    }
}
