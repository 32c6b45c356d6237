public import Bytes
internal import CommandLine
public import HouseTracking
internal import Identity
public import WireProtocol

/// Lessons and explanations.
extension FuserPipeline {
    /// The fuser's id.
    public var fuser: String { household.settings.fuser }

    /// Does what `learn` asks for at a wall time, and gives the answer; what is to be published is appended to `outbox`.
    public mutating func learn(
        _ learning: FuserCommand.Learning, at wall: Timestamp, _ outbox: inout [Message]
    ) throws(CommandFault) -> FuserAnswer {
        let now = clock.time(atWall: wall)
        if case .start = learning, let clock = clock.clock, clock.speed == nil {
            throw .failed("the nodes replay as fast as they can: nobody can walk about in that")
        }
        if case .start(let item, _, _, _) = learning {
            if let person = persons.person(item) {
                let items = person.items.joined(separator: ", ")
                throw .failed("'\(item)' is a person: teach with one of the items, \(items)")
            }
            if isRemoved(item) { throw unknown(item) }
        }
        var outcomes: [Household.Outcome] = []
        defer { for outcome in outcomes { tell(outcome, &outbox) } }
        do throws(TeachingFault) {
            switch learning {
            case .start(let item, let room, let duration, let walk):
                return .lesson(
                    try household.startLesson(of: item, in: room, for: duration, walk: walk, at: now))
            case .status(let item): return .lesson(try household.lesson(of: item))
            case .stop(let item, let keeps):
                return .lesson(try household.stopLesson(of: item, keeps: keeps, at: now) { outcomes.append($0) })
            case .list: return .taught(household.taught)
            case .undo(let id):
                try household.undoLesson(id) { outcomes.append($0) }
                return .done
            }
        } catch {
            throw .failed(words(error))
        }
    }

    /// Says that this machine's clock was set forward by so many microseconds, or back where they are negative: lessons under
    /// way last as long as before.
    public mutating func clockStepped(by delta: Int64) {
        // A clock of the nodes' own is theirs to tell.
        if clock.clock == nil { household.clockStepped(by: delta) }
    }

    /// Why an item is where it is said to be.
    public func explain(_ item: String, at wall: Timestamp) throws(CommandFault) -> Explanation {
        if var explanation = persons.explain(item, at: clock.time(atWall: wall)) {
            explanation.lastHeard = lastHeard(of: item)
            return explanation
        }
        guard !isRemoved(item), !isUnnamedPerson(item), !household.onlyCounts(item) || hasEntry(item),
            let explanation = household.explain(item, at: clock.time(atWall: wall))
        else { throw unknown(item) }
        return explanation
    }

    /// What there is to learn; nil where nothing has changed or the last was not brought back.
    public mutating func takeLearning() -> LearningTask? { household.takeLearning() }

    /// Whether what was taught before the start is still to be learned: until then rooms stand as they were.
    public var isStarting: Bool { household.isStarting }

    /// Puts in force what was learned.
    public mutating func use(_ learned: Learned) { household.use(learned) }

    // MARK: Words

    /// Whether an item is registered, or was heard of.
    func knows(_ item: String) -> Bool {
        persons.contains(item) || isUnnamedPerson(item) || household.items.contains(item)
            || registry.book.entry(item).map { !$0.isTombstone } ?? false
    }

    /// That there is no such item, in words.
    func unknown(_ item: String) -> CommandFault { .failed(words(.unknownItem(item))) }

    private func words(_ fault: TeachingFault) -> String {
        switch fault {
        case .unknownItem(let item):
            if isRemoved(item) {
                return "'\(item)' was removed from the registry: nothing is told of it until it is registered again "
                    + "(whereabouts items add \(item))"
            }
            if isFormerPerson(item) {
                return "'\(item)' was a person, and the configuration names none of that id any more"
            }
            if isOthersPerson(item), let teller = unnamed.tellers[item] {
                return
                    "'\(item)' is a person that fuser '\(teller)' tells of and this one's configuration doesn't name: "
                    + "give both the same `persons`"
            }
            if let entry = registry.book.entry(item), !entry.isTombstone {
                return
                    "no node has heard '\(item)' yet: is its battery good, and does a node's info list its key as missing?"
            }
            let known = registry.book.judge().items.map(\.id) + household.items + persons.persons.map(\.id)
            return "there is no item '\(item)'" + Self.hint(item, among: known, else: "whereabouts items list")
        case .unknownRoom(let room):
            return "there is no room '\(room)'" + Self.hint(room, among: household.rooms, else: "the fuser's rooms")
        case .notHeard(let item):
            return "no node hears '\(item)' now: carry it in the room, and see that it is awake"
        case .isRunning(let item, let room):
            return "a lesson of '\(item)' in \(room) goes on: stop it first (whereabouts learn --stop \(item))"
        case .noLesson(let item): return "no lesson of '\(item)' goes on"
        case .unknownLesson(let id):
            let ids = household.taught.lessons.map(\.id)
            return "there is no lesson '\(id)'" + (ids.isEmpty ? ": none was taught" : "; there are \(Self.list(ids))")
        case .full:
            return "four hours of lessons are kept, and there are as many: undo some (whereabouts learn --list)"
        }
    }

    private static func hint(_ word: String, among known: [String], else place: String) -> String {
        if let nearest = Spelling.nearest(to: word, among: known) { return "; did you mean '\(nearest)'?" }
        return known.isEmpty ? ": see \(place)" : "; there are \(list(Set(known).sorted()))"
    }

    static func list(_ words: [String]) -> String {
        words.prefix(10).joined(separator: ", ") + (words.count > 10 ? " …" : "")
    }
}

/// What changed of the lessons that are kept.
public enum LessonChange: Hashable, Sendable {
    /// One was taught.
    case added(Lesson)
    /// One of this id counts no more.
    case undone(String)
}
