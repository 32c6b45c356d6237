internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// Lessons beside other fusers: what one was taught is retained, and all others learn it; what one undid, none brings back.
extension FuserPipeline {
    /// Takes what another fuser was taught or undid, or what the broker kept of that.
    mutating func receive(
        _ message: Message, ofLesson key: String, at wall: Timestamp, _ outbox: inout [Message]
    ) {
        guard !message.payload.isEmpty else { return shelf.note(nil, of: key, at: wall) }
        guard SharedLesson.parts(ofKey: key) != nil else {
            return diagnostics.reject(message, "it is no topic of a lesson, which is an item and milliseconds")
        }
        guard let word = SharedLesson(payload: message.payload.span) else {
            shelf.note(nil, of: key, at: wall)
            diagnostics.countRejected()
            return diagnostics.warn(
                "lesson \(key)", "what the broker has of lesson \(key) can't be read, and is left out")
        }
        var outcomes: [Household.Outcome] = []
        switch word {
        case .taught(let lesson):
            guard lesson.key == key else {
                diagnostics.countRejected()
                return diagnostics.warn(
                    "lesson \(key)", "the lesson on \(message.topic) is another one, and is left out")
            }
            shelf.note(.taught, of: key, at: wall)
            // Who was off when it was undone has put it back.
            if household.isUndone(lesson) { return shareUndone(key, &outbox) }
            household.takeIn(lesson) { outcomes.append($0) }
        case .undone:
            shelf.note(.undone, of: key, at: wall)
            household.undoLesson(key: key) { outcomes.append($0) }
            let forgotten = household.forgottenUndone
            if forgotten > 0 {
                diagnostics.warn(
                    "undone lessons",
                    "\(Self.power(of: forgotten)) or more lessons are said to be undone that never were here, and forgotten"
                )
            }
        }
        for outcome in outcomes { tell(outcome, &outbox) }
    }

    /// Has the broker retain a lesson, where it doesn't.
    mutating func share(_ lesson: Lesson, _ outbox: inout [Message]) {
        guard shelf.words[lesson.key] == nil else { return }
        let payload = SharedLesson.taught(lesson).payload
        guard payload.count <= SharedLesson.payloadLimit else {
            return diagnostics.warn(
                "lesson \(lesson.key)", "lesson \(lesson.id) is over 1 MiB long: other fusers don't get it")
        }
        shelf.put(.taught, of: lesson.key)
        outbox.append(shelf.message(payload, of: lesson.key))
    }

    /// Has the broker retain that a lesson was undone, where it doesn't.
    mutating func shareUndone(_ key: String, _ outbox: inout [Message]) {
        guard shelf.words[key] != .undone else { return }
        shelf.put(.undone, of: key)
        outbox.append(shelf.message(SharedLesson.undone.payload, of: key))
    }

    /// Puts back what the broker lost, and clears what nobody needs to know any more.
    mutating func putBackLessons(at wall: Timestamp, _ outbox: inout [Message]) {
        guard shelf.takeSettled(at: wall) else { return }
        for lesson in household.lessons { share(lesson, &outbox) }
        let undone = household.undoneLessons
        for key in undone { shareUndone(key, &outbox) }
        let remembered = Set(undone)
        for (key, word) in shelf.words where word == .undone && !remembered.contains(key) {
            shelf.put(nil, of: key)
            outbox.append(shelf.message([], of: key))
        }
    }
}
