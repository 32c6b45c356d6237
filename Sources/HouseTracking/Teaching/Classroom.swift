internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// All that a household has to do with lessons: those that are kept, those under way, and what was learned of them.
struct Classroom: Sendable {
    /// Ended lessons whose reports can still be asked for.
    private static let endedCapacity = 64

    var book = LessonBook()
    /// Lessons under way, by the place of their item's tracker.
    var running: [Int: RunningLesson] = [:]
    /// Whether lessons, rooms or nodes have changed since it was last looked whether there is something to learn.
    var isStale = false
    /// What was last handed out to be learned.
    private(set) var uses: [LessonBook.Use] = []
    /// Whether it was not brought back yet.
    private(set) var isLearning = false
    /// What was taught in earlier runs, until it is asked for.
    private var firstTask: LearningTask?
    /// Whether that, or what a new fuser finds with others, was not learned yet: until it is, rooms stand as they were.
    private(set) var isStarting = false
    /// How well what was learned tells rooms apart.
    private(set) var marks = Marks()
    /// Items that taught something that nobody learns yet.
    private var teachers: Set<String> = []
    /// Items whose lessons are being learned for the first time.
    private var learning: Set<String> = []
    /// What became of the last lesson of an item.
    private var ended: [String: LessonReport] = [:]

    /// Forgets how an item's lessons went, and the one that goes on.
    mutating func forget(_ item: String, _ index: Int) {
        running[index] = nil
        ended[item] = nil
        teachers.remove(item)
        learning.remove(item)
    }

    /// Whether it is worth asking for a task.
    var mayHaveTask: Bool { isStale || firstTask != nil }

    func report(of item: String) -> LessonReport? { ended[item] }

    /// Ends the lesson of a tracker's item; keeps it where that is asked for and it is worth it.
    mutating func end(
        _ index: Int, keeps: Bool, at time: Timestamp, house: House, nodes: [Lesson.Node?]
    ) -> (report: LessonReport, lesson: Lesson?)? {
        guard let lesson = running.removeValue(forKey: index) else { return nil }
        var report = lesson.report(house: house, isRunning: false)
        var kept: Lesson?
        if keeps, lesson.isWorthKeeping {
            let known = house.nodes.indices.map { Self.node($0, house, nodes) }
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

    /// Takes up a lesson that another fuser was taught; nil where it isn't taken.
    mutating func takeIn(_ lesson: Lesson) -> Lesson? {
        let isFirst = book.lessons.isEmpty && uses.isEmpty
        guard let taken = book.takeIn(lesson) else { return nil }
        // Who is new begins with what others were taught.
        if isFirst { isStarting = true }
        teachers.insert(taken.item)
        return taken
    }

    private static func node(_ index: Int, _ house: House, _ nodes: [Lesson.Node?]) -> Lesson.Node {
        (index < nodes.count ? nodes[index] : nil)
            ?? Lesson.Node(id: house.nodes[index].id, address: nil, room: nil, offset: 0)
    }

    /// Hands out what there is to learn; nil where nothing changed, or the last is still being learned.
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

    /// Begins with what was taught in earlier runs: nothing is placed before that is learned.
    mutating func start(in house: House, nodes: [Lesson.Node?]) {
        firstTask = takeTask(in: house, nodes: nodes)
        isStarting = firstTask != nil
    }

    /// Takes back what was learned: the items that taught it.
    mutating func take(_ learned: Learned) -> Set<String> {
        defer { learning.removeAll() }
        (isLearning, isStarting) = (false, false)
        marks = learned.marks
        return learning
    }

    /// What was taught, for people.
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
            // What was learned of other lessons says nothing of these.
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
