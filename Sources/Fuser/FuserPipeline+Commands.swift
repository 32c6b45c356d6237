internal import Alerts
public import Bytes
internal import CloneDetection
internal import CommandLine
public import HouseTracking
internal import Identity
public import WireProtocol

/// Commands and their answers.
extension FuserPipeline {
    /// A turn for questions that publish nothing and need no time.
    var turn: Turn { Turn(at: Timestamp(microseconds: 0), in: house) }

    /// Performs what `learn` asks for at a wall time; what is to be published is appended to `outbox`.
    public func performLearning(
        _ learning: FuserCommand.Learning, at wall: Timestamp, _ outbox: inout [Message]
    ) throws(CommandFault) -> FuserAnswer {
        if case .start(let item, _, _, _) = learning {
            if let clock = house.time.nodeClock, clock.speed == nil {
                throw .failed("the nodes replay as fast as they can: nobody can walk about in that")
            }
            if let person = persons.person(item) {
                let items = person.items.joined(separator: ", ")
                throw .failed("'\(item)' is a person: teach with one of the items, \(items)")
            }
            if isRemoved(item) { throw unknown(item) }
        }
        do throws(TeachingFault) {
            return try perform(at: wall, &outbox) { turn throws(TeachingFault) in
                try tracking.performLearning(learning, turn)
            }
        } catch {
            throw .failed(text(error))
        }
    }

    /// Adjusts to this machine's clock, which was set forward by `delta`, or back where it is negative: lessons
    /// under way last as long as before.
    public func clockStepped(by delta: Duration) {
        // A clock of the nodes' own is theirs to tell.
        if house.time.nodeClock == nil { tracking.clockStepped(by: delta) }
    }

    /// The explanation of an item's answer.
    public func explain(_ item: String, at wall: Timestamp) throws(CommandFault) -> Explanation {
        let turn = Turn(at: wall, in: house)
        if let explanation = persons.explain(item, turn) { return explanation }
        guard !isRemoved(item), !persons.isUnnamed(item, turn),
            !tracking.onlyCounts(item) || registry.isRegistered(item),
            var explanation = tracking.explain(item, at: turn.time)
        else { throw unknown(item) }
        explanation.cloned = clones.evidence(of: item)?.text
        return explanation
    }

    /// Silences the alerts about an item for a time; a duration of 0 ends that.
    func silence(_ item: String, for duration: Duration, at wall: Timestamp) throws(CommandFault) -> FuserAnswer {
        let now = time(atWall: wall)
        guard alerts.silence(item, until: now.advanced(by: duration), at: now) else {
            throw .failed("\(AlertBook.silenceBound) items are silenced, and there is no room for more")
        }
        return .done
    }

    /// The ends of silences; some may have passed.
    var silences: [Crossing.Subject: Timestamp] { alerts.silences }

    /// True if all that is known of an item is of before a moment of the house; of no moment, all is.
    func isAll(of item: String, before moment: Timestamp?) -> Bool {
        guard persons.isPerson(item) else { return tracking.isAll(of: item, before: moment) }
        guard let moment, let heard = persons.lastHeard(of: item, turn) else { return true }
        return heard < moment
    }

    /// Erases what is known of an item from before a moment, and clears what is retained of it; all of it where it was not
    /// heard since. What is stored elsewhere of visits and events is not this one's.
    func purgeItem(
        _ item: String, before moment: Timestamp?, at wall: Timestamp, _ outbox: inout [Message]
    ) -> PurgeReport {
        let isWhole = isAll(of: item, before: moment)
        return perform(at: wall, &outbox) { turn in
            turn.eraseData(Erasure(item: item, reason: .purge(before: moment), isWhole: isWhole))
        }
    }

    // MARK: Learning

    /// A task to learn; nil where nothing has changed or the last was not brought back.
    public func takeLearning() -> LearningTask? { tracking.takeLearning() }

    /// True while what was taught before the start is still to be learned: until then rooms stand as they were.
    public var isStarting: Bool { tracking.isStarting }

    /// Applies the result of a training.
    public func applyLearned(_ learned: Learned) { tracking.applyLearned(learned) }

    // MARK: Errors

    /// True if an item is registered, or was heard of.
    func knows(_ item: String) -> Bool {
        persons.isPerson(item) || persons.isUnnamed(item, turn) || tracking.items.contains(item)
            || registry.isRegistered(item)
    }

    /// The error that there is no such item.
    func unknown(_ item: String) -> CommandFault { .failed(text(.unknownItem(item))) }

    /// The error that there is no such room; nil if there is one.
    func fault(ofRoom room: String) -> CommandFault? {
        tracking.rooms.contains(room) ? nil : .failed(text(.unknownRoom(room)))
    }

    private func text(_ fault: TeachingFault) -> String {
        switch fault {
        case .unknownItem(let item): textOfUnknown(item)
        case .unknownRoom(let room):
            "there is no room '\(room)'" + Self.spellingHint(room, among: tracking.rooms, else: "the fuser's rooms")
        case .notHeard(let item): "no node hears '\(item)' now: carry it in the room, and see that it is awake"
        case .isRunning(let item, let room):
            "a lesson of '\(item)' in \(room) goes on: stop it first (whereabouts learn --stop \(item))"
        case .noLesson(let item): "no lesson of '\(item)' goes on"
        case .unknownLesson(let id):
            "there is no lesson '\(id)'"
                + (tracking.taught.lessons.isEmpty
                    ? ": none was taught" : "; there are \(Self.list(tracking.taught.lessons.map(\.id)))")
        case .full: "four hours of lessons are kept, and there are as many: undo some (whereabouts learn --list)"
        }
    }

    private func textOfUnknown(_ item: String) -> String {
        if isRemoved(item) {
            return "'\(item)' was removed from the registry: nothing is told of it until it is registered again "
                + "(whereabouts items add \(item))"
        }
        if isFormerPerson(item) {
            return "'\(item)' was a person, and the configuration names none of that id any more"
        }
        if isOthersPerson(item), let publisher = persons.publisher(ofUnnamed: item) {
            return
                "'\(item)' is a person that fuser '\(publisher)' tells of and this one's configuration doesn't name: "
                + "give both the same `persons`"
        }
        if registry.isRegistered(item) {
            return
                "no node has heard '\(item)' yet: is its battery good, and does a node's info list its key as missing?"
        }
        let known = registry.itemIDs + tracking.items + persons.all.map(\.id)
        return "there is no item '\(item)'" + Self.spellingHint(item, among: known, else: "whereabouts items list")
    }

    private static func spellingHint(_ word: String, among known: [String], else place: String) -> String {
        if let nearest = Spelling.nearest(to: word, among: known) { return "; did you mean '\(nearest)'?" }
        return known.isEmpty ? ": see \(place)" : "; there are \(list(Set(known).sorted()))"
    }

    static func list(_ words: [String]) -> String {
        words.prefix(10).joined(separator: ", ") + (words.count > 10 ? " …" : "")
    }
}

/// A change of the lessons that are stored.
public enum LessonChange: Hashable, Sendable {
    /// One was taught.
    case added(Lesson)
    /// One of this id counts no more.
    case undone(String)
}
