public import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// A lesson that was undone, and must not come back.
public struct UndoneLesson: Hashable, Sendable {
    /// The key of the lesson.
    public var key: String
    /// The wall time at which it was undone; nil if an earlier version has not stored that.
    public var at: Timestamp?

    /// An undone lesson by its values.
    public init(key: String, at: Timestamp?) { (self.key, self.at) = (key, at) }
}

/// The lessons that fusers share: what one was taught is retained, and all others learn it; what one undid, none brings back.
///
/// That a lesson was undone is known for as long as that an item was removed. All fusers go by the time of the undoing, which
/// the message has; of several the first counts.
final class SharedLessons: FuserComponent, LessonDirectory {
    /// The time for which it is known that a lesson was undone.
    static let undoneMemory = ItemEntry.tombstoneMemory

    private var shelf: RetainedLessons
    /// The wall times at which lessons were undone, by their keys.
    private var undoneTimes: [String: Timestamp]
    /// True if some lack a time, since an earlier version stored them: it begins with this run.
    private var lacksTimes: Bool
    /// The time at which the first of them is to be forgotten; nil if there is none.
    private var expiry: Timestamp?

    /// The retained lessons; `undone` were undone in earlier runs.
    init(topics: Topics, remembering undone: [UndoneLesson] = []) {
        shelf = RetainedLessons(topics: topics)
        let dated = undone.compactMap { lesson in lesson.at.map { (lesson.key, $0) } }
        undoneTimes = Dictionary(dated) { min($0, $1) }
        lacksTimes = undone.contains { $0.at == nil }
        expiry = undoneTimes.values.min()?.advanced(by: Self.undoneMemory)
    }

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
        case .undone(let time):
            shelf.recordLesson(.undone, of: key, at: turn.wall)
            let before = undoneTimes[key]
            let first = [before, time].compactMap { $0 }.min() ?? Self.time(turn)
            undoneTimes[key] = first
            turn.emit { $0.lessonUndone(key: key, turn) }
            // Of one that is not known yet the outcome has been recorded.
            if before != nil, first != before { recordUndone(turn) }
        }
    }

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        switch outcome {
        case .lessonAdded(let lesson): publishLesson(lesson, turn)
        case .lessonUndone(_, let key):
            undoneTimes[key] = undoneTimes[key] ?? Self.time(turn)
            recordUndone(turn)
            publishLesson(undone: key, turn)
        case .location, .event, .occupancy, .stay: break
        }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        guard !house.publication.isAwaited else { return nil }
        return shelf.isKnown ? expiry : shelf.nextDeadline
    }

    func advance(_ turn: Turn) {
        if lacksTimes {
            lacksTimes = false
            for key in turn.tracker.undoneLessons where undoneTimes[key] == nil { undoneTimes[key] = Self.time(turn) }
            recordUndone(turn)
        }
        guard !turn.publication.isAwaited else { return }
        let isNews = shelf.takeSettled(at: turn.wall)
        if shelf.isKnown { expireUndone(turn) }
        if isNews { restoreLessons(turn) }
    }

    func storeEverything(_ turn: Turn) { recordUndone(turn) }

    /// The time of day to a millisecond, as messages have it.
    private static func time(_ turn: Turn) -> Timestamp { turn.wall.floor(toMultipleOf: 1000) }

    /// Forgets that lessons were undone, and clears that at the broker, once it is long ago.
    private func expireUndone(_ turn: Turn) {
        guard let expiry, turn.wall >= expiry else { return }
        let over = Set(undoneTimes.filter { turn.wall.duration(since: $0.value) >= Self.undoneMemory }.keys)
        turn.tracker.forgetUndoneLessons(over)
        recordUndone(turn)
        for key in over.sorted() where shelf.words[key] == .undone { clear(key, turn) }
    }

    /// Has all that is known of undone lessons stored.
    private func recordUndone(_ turn: Turn) {
        let keys = turn.tracker.undoneLessons
        let known = Set(keys)
        undoneTimes = undoneTimes.filter { known.contains($0.key) }
        expiry = undoneTimes.values.min()?.advanced(by: Self.undoneMemory)
        turn.publication.record(undoneLessons: keys.map { UndoneLesson(key: $0, at: undoneTimes[$0]) })
    }

    /// Puts back what the broker lost, and clears what nobody needs to know any more.
    private func restoreLessons(_ turn: Turn) {
        for lesson in turn.tracker.lessons { publishLesson(lesson, turn) }
        let undone = turn.tracker.undoneLessons
        for key in undone { publishLesson(undone: key, turn) }
        let remembered = Set(undone)
        for (key, word) in shelf.words where word == .undone && !remembered.contains(key) { clear(key, turn) }
    }

    /// Clears what the broker retains of a lesson.
    private func clear(_ key: String, _ turn: Turn) {
        shelf.storeOwn(nil, of: key)
        turn.publication.sendMessage(shelf.message([], of: key))
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
        turn.publication.sendMessage(shelf.message(SharedLesson.undone(at: undoneTimes[key]).payload, of: key))
    }
}
