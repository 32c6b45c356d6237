public import Bytes
internal import RoomEstimation
public import WireProtocol

/// Lessons: an item in a known room trains the model of that room.
extension Household {
    // MARK: Teaching

    /// Records an item in a room, from `time` on, for the given time or until it is stopped, at most half an
    /// hour and as far as there is room. Packets of its first second do not count.
    ///
    /// - Parameter walk: the walk that it is a part of: the lessons of one walk are learned from in their order.
    public mutating func startLesson(
        of item: String, in room: String, for duration: Duration?, walk: String?, at time: Timestamp
    ) throws(TeachingFault) -> LessonReport {
        guard house.room(room) != nil else { throw .unknownRoom(room) }
        guard let index = trackers.index(of: item) else { throw .unknownItem(item) }
        if let running = classroom.running[index] { throw .isRunning(item: item, room: running.room) }
        guard trackers[index].state == .present else { throw .notHeard(item: item) }
        let free = classroom.book.room - classroom.running.values.reduce(0) { $0 + $1.hopLimit }
        guard free >= Parameters.Household.leastHeard else { throw .full }
        let longest = FuserCommand.lessonTimes.upperBound
        let lesson = RunningLesson(
            item: item, room: room, walk: walk, began: time,
            limit: Parameters.Household.settling + min(longest, duration ?? longest),
            hopLimit: min(free, LessonBook.hopLimit))
        classroom.running[index] = lesson
        return lesson.report(house: house, isRunning: true)
    }

    /// Progress of the running lesson of an item, or the result of its last one.
    public func lessonReport(of item: String) throws(TeachingFault) -> LessonReport {
        if let index = trackers.index(of: item), let running = classroom.running[index] {
            return running.report(house: house, isRunning: true)
        }
        guard let report = classroom.report(of: item) else { throw .noLesson(item: item) }
        return report
    }

    /// Ends the lesson of an item. Stores it, unless it is to be discarded or hardly any packet was received.
    public mutating func stopLesson(
        of item: String, keeps: Bool, at time: Timestamp, _ body: (Outcome) -> Void
    ) throws(TeachingFault) -> LessonReport {
        guard let index = trackers.index(of: item), classroom.running[index] != nil,
            let report = endLesson(index, keeps: keeps, at: time, body)
        else { throw .noLesson(item: item) }
        return report
    }

    /// Removes a lesson.
    public mutating func undoLesson(_ id: String, _ body: (Outcome) -> Void) throws(TeachingFault) {
        guard let key = classroom.book.lesson(id)?.key else { throw .unknownLesson(id) }
        undoLesson(key: key, body)
    }

    /// Moves running lessons with the house's clock, set forward by `delta`, or back if negative: they
    /// last as long as before.
    public mutating func clockStepped(by delta: Duration) {
        for index in classroom.running.keys { classroom.running[index]?.clockStepped(by: delta) }
    }

    /// The items whose lessons are running.
    public var taughtItems: [String] { classroom.running.values.map(\.item).sorted() }

    /// Lessons in use, by their date.
    public var lessons: [Lesson] { classroom.book.lessons }

    /// A report of all that was taught.
    public var taught: TaughtReport { classroom.taught(in: house, nodes: currentNodes) }

    /// Restores the lessons of an earlier run. Those without room are left out. Returns the number restored.
    ///
    /// Their nodes, and the rooms of a house whose configuration names none, are known again by them.
    ///
    /// - Parameter undone: the keys of lessons that must not come back.
    @discardableResult
    public mutating func restoreLessons(_ lessons: some Sequence<Lesson>, undone: [String] = []) -> Int {
        classroom.book.undone = UndoneLessons(undone)
        var count = 0
        for lesson in lessons where classroom.book.restore(lesson) {
            count += 1
            addPlaces(of: lesson)
        }
        return count
    }

    /// Adds the nodes of a lesson to the house, and its room unless the configuration names rooms.
    mutating func addPlaces(of lesson: Lesson, withNodes: Bool = true) {
        known.add(
            room: settings.house.rooms.isEmpty ? lesson.room : nil, nodes: withNodes ? lesson.nodes.map(\.id) : [])
        classroom.isStale = true
    }

    // MARK: Learning

    /// True until the lessons of an earlier run are learned: rooms stay as they were until then.
    public var isStarting: Bool { classroom.isStarting }

    /// The training that is due, to be run elsewhere and returned by `applyLearned`; nil if nothing has changed, or if the last
    /// task has not been returned yet.
    public mutating func takeLearning() -> LearningTask? {
        classroom.mayHaveTask ? classroom.takeTask(in: house, nodes: currentNodes) : nil
    }

    /// Puts trained models in force, for all items and from the next interval on. No answer changes by it.
    public mutating func applyLearned(_ learned: Learned) {
        let isFirst = classroom.isStarting
        let teachers = classroom.applyLearned(learned)
        trackers.learn(
            learned.lessons, in: house, isFirst: isFirst, teachers: teachers,
            taughtAt: classroom.book.lessons.map(\.taughtAt).max())
    }

    // MARK: Pieces

    /// Ends lessons whose time is over.
    mutating func endLessons(at time: Timestamp, _ body: (Outcome) -> Void) {
        let last = history.last ?? time
        // In a fixed order: lessons that end together are numbered by it.
        for (index, lesson) in classroom.running.sorted(by: { $0.key < $1.key }) {
            let isLate = time >= lesson.due.advanced(by: Parameters.Household.lessonPatience)
            if isLate || lesson.isOver(at: last) { _ = endLesson(index, keeps: true, at: time, body) }
        }
    }

    /// The time at which a lesson must end though no packet arrives any more; nil if none is running.
    var lessonDeadline: Timestamp? {
        classroom.running.values.map(\.due).min()?.advanced(by: Parameters.Household.lessonPatience)
    }

    private mutating func endLesson(
        _ index: Int, keeps: Bool, at time: Timestamp, _ body: (Outcome) -> Void
    ) -> LessonReport? {
        let ended = classroom.end(index, keeps: keeps, at: time, house: house, nodes: currentNodes)
        if let lesson = ended?.lesson { body(.lessonAdded(lesson)) }
        return ended?.report
    }

    /// The present data of each node of the house, by its index; nil for a node that has published none.
    var currentNodes: [Lesson.Node?] {
        var known = [Lesson.Node?](repeating: nil, count: house.nodes.count)
        for node in nodes.nodes {
            guard let offset = node.offset else { continue }
            known[node.index] = Lesson.Node(
                id: node.id, address: node.address, room: house.nodes[node.index].room.map { house.rooms[$0].id },
                offset: offset)
        }
        return known
    }
}
