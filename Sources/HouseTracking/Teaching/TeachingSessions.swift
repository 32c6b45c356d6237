internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The lessons of a household: those that are stored, those that are running, and the models trained on them.
struct TeachingSessions: Sendable {
    /// Ended lessons whose reports are still available.
    private static let endedCapacity = 64

    var book = LessonBook()
    /// Running lessons, by the place of their item's tracker.
    var running: [Int: RunningLesson] = [:]
    /// True if lessons, rooms or nodes have changed since the last check for a task.
    var isStale = false
    /// The lessons of the last task.
    private(set) var uses: [LessonBook.Use] = []
    /// The lessons of the models in force.
    private var inForce: [LessonBook.Use] = []
    /// True if its result has not been returned yet.
    private(set) var isLearning = false
    /// The lessons of earlier runs, until a task is requested.
    private var firstTask: LearningTask?
    /// True until these lessons, or those that a new fuser finds with others, are learned: rooms stay as they were
    /// until then.
    private(set) var isStarting = false
    /// The quality with which the trained model separates rooms.
    private(set) var marks = Marks()
    /// Items with a lesson that is in no task yet.
    private var teachers: Set<String> = []
    /// Items whose lessons are being learned for the first time.
    private var learning: Set<String> = []
    /// The report of each item's last lesson.
    private var ended: [String: LessonReport] = [:]

    /// Removes the reports of an item's lessons, and the one that is running.
    mutating func removeReports(of item: String, _ index: Int) {
        running[index] = nil
        ended[item] = nil
        teachers.remove(item)
        learning.remove(item)
    }

    /// The rooms that the models in force answer, and those that are being trained, by index: of lessons that were undone since
    /// too.
    var modelledRooms: Set<Int> { Set((inForce + uses).map(\.room)) }

    /// True if it is worth asking for a task.
    var mayHaveTask: Bool { isStale || firstTask != nil }

    /// The report of an item's last lesson; nil if none has ended of late.
    func report(of item: String) -> LessonReport? { ended[item] }

    /// Ends the lesson of a tracker's item; stores it if that is requested and the lesson is worth it.
    mutating func end(
        _ index: Int, keeps: Bool, at time: Timestamp, house: House, nodes: [Lesson.Node?]
    ) -> (report: LessonReport, lesson: Lesson?)? {
        guard let lesson = running.removeValue(forKey: index) else { return nil }
        var report = lesson.report(house: house, isRunning: false)
        var kept: Lesson?
        if keeps, lesson.isWorthKeeping {
            let known = house.nodes.indices.map { Self.describeNode($0, house, nodes) }
            let made = lesson.lesson(id: book.nextID, at: time, nodes: known)
            if book.add(made) {
                kept = made
                report.id = made.id
                teachers.insert(made.item)
                isStale = true
            }
        }
        if ended.count >= Self.endedCapacity { ended.removeAll() }
        ended[lesson.item] = report
        return (report, kept)
    }

    /// Adopts a lesson that was taught to another fuser; nil if it is rejected.
    mutating func adoptLesson(_ lesson: Lesson) -> Lesson? {
        let isFirst = book.lessons.isEmpty && uses.isEmpty
        guard let taken = book.adoptLesson(lesson) else { return nil }
        // A new fuser begins with the lessons that were taught to others.
        if isFirst { isStarting = true }
        teachers.insert(taken.item)
        return taken
    }

    private static func describeNode(_ index: Int, _ house: House, _ nodes: [Lesson.Node?]) -> Lesson.Node {
        (index < nodes.count ? nodes[index] : nil)
            ?? Lesson.Node(id: house.nodes[index].id, address: nil, room: nil, offset: 0)
    }

    /// Returns the training that is due; nil if nothing has changed, or if the last task is still running.
    mutating func takeTask(in house: House, nodes: [Lesson.Node?]) -> LearningTask? {
        if let task = firstTask {
            firstTask = nil
            return task
        }
        guard isStale, !isLearning else { return nil }
        isStale = false
        let next = book.uses(in: house, nodes: nodes)
        guard next != uses else {
            isStarting = false
            return nil
        }
        uses = next
        isLearning = true
        (learning, teachers) = (teachers, [])
        return LearningTask(uses: next, recordings: book.recordings(next), house: house)
    }

    /// Begins with the lessons of earlier runs: no item is placed before they are learned.
    mutating func start(in house: House, nodes: [Lesson.Node?]) {
        firstTask = takeTask(in: house, nodes: nodes)
        isStarting = firstTask != nil
    }

    /// Consumes the result of a task; returns the items that taught it.
    mutating func applyLearned(_ learned: Learned) -> Set<String> {
        defer { learning.removeAll() }
        (isLearning, isStarting) = (false, false)
        (marks, inForce) = (learned.marks, learned.uses)
        return learning
    }

    /// A readable report of all that was taught.
    func taught(in house: House, nodes: [Lesson.Node?]) -> TaughtReport {
        var report = TaughtReport()
        var seconds: [String: Double] = [:]
        var stale: [String: Set<String>] = [:]
        var fresh: [String: Set<String>] = [:]
        for lesson in book.lessons {
            let changes = book.changes(of: lesson, in: house, nodes: nodes)
            var line = TaughtReport.Lesson(
                id: lesson.id, item: lesson.item, room: lesson.room, taughtAt: lesson.taughtAt,
                seconds: lesson.seconds, packets: lesson.packets, walk: lesson.walk)
            line.leftOut = changes.map { $0.words }
            report.lessons.append(line)
            seconds[lesson.room, default: 0] += lesson.seconds
            let changed = Set(changes.compactMap(\.node))
            stale[lesson.room, default: []].formUnion(changed)
            fresh[lesson.room, default: []].formUnion(lesson.nodes.map(\.id).filter { !changed.contains($0) })
        }
        report.leftOut = book.leftOut.values.sorted { ($0.taughtAt, $0.key) < ($1.taughtAt, $1.key) }.map { lesson in
            .init(
                item: lesson.item, room: lesson.room, taughtAt: lesson.taughtAt, seconds: lesson.seconds,
                why: lesson.reason.rawValue)
        }
        for (index, room) in house.rooms.enumerated() where !room.id.isEmpty {
            var line = TaughtReport.Room(id: room.id, seconds: seconds[room.id] ?? 0)
            line.nextTo = room.nextTo.map { house.rooms[$0].id }
            line.isStale = !(stale[room.id] ?? []).subtracting(fresh[room.id] ?? []).isEmpty
            // The marks of a model trained on other lessons do not apply to these.
            if !isStale, !isLearning {
                line.right = marks.right(index)
                line.takenFor = marks.takenFor(index).map { house.rooms[$0].id }
            }
            report.rooms.append(line)
        }
        report.running = running.values.map { $0.report(house: house, isRunning: true) }.sorted { $0.item < $1.item }
        report.isLearning = isLearning || isStale
        report.right = report.isLearning ? nil : marks.right()
        return report
    }
}
