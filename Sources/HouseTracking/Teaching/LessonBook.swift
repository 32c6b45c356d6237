internal import Bytes
internal import RoomEstimation

/// The lessons of a house, and the parts of them that apply to it as it is now.
struct LessonBook: Sendable {
    /// Intervals stored of all lessons: four hours at one a second, a megabyte or so.
    static let hopCapacity = 14_400
    /// Intervals of one lesson: half an hour at one a second.
    static let hopLimit = 1800
    /// Lessons stored.
    static let capacity = 500
    /// Lessons left out that can be named; more are not.
    static let leftOutCapacity = 500

    /// Valid numbers of lessons; others are rejected.
    private static let numbers = 1...1_000_000

    /// The part of a lesson that can be used in the house as it is.
    struct Use: Hashable, Sendable {
        /// The lesson's id.
        var lesson: String
        /// The room's index.
        var room: Int
        /// For each of its nodes the index in the house; nil if the node is left out.
        var nodes: [Int?]
        /// For each of its nodes the shift of its levels, in dB.
        var shifts: [Int]
    }

    /// The lessons, the oldest first: in one order, independent of their arrival, since the training depends on it.
    private(set) var lessons: [Lesson] = []
    /// Lessons that were undone, and must not come back.
    var undone = UndoneLessons()
    /// Lessons that exist and are not used, by their keys.
    private(set) var leftOut: [String: LeftOutLesson] = [:]
    private var highest = 0

    /// Number of intervals for which there is room.
    var room: Int { lessons.count < Self.capacity ? Self.hopCapacity - lessons.reduce(0) { $0 + $1.hops.count } : 0 }

    /// The id of the next lesson.
    var nextID: String { String(highest + 1) }

    /// Adds a lesson in its place by date; false if its id is taken or there is no room.
    mutating func add(_ lesson: Lesson) -> Bool {
        guard lesson.hops.count <= room, !lessons.contains(where: { $0.id == lesson.id }) else { return false }
        highest = max(highest, Int(lesson.id) ?? 0)
        let place = lessons.lastIndex { ($0.taughtAt, $0.key) <= (lesson.taughtAt, lesson.key) }.map { $0 + 1 } ?? 0
        lessons.insert(lesson, at: place)
        leftOut[lesson.key] = nil
        return true
    }

    /// Adds a lesson stored by an earlier run; false if it is left out, and recorded as such.
    mutating func restore(_ lesson: Lesson) -> Bool {
        guard !add(lesson) else { return true }
        // Its number counts as taken all the same.
        highest = max(highest, Int(lesson.id) ?? 0)
        leaveOut(LeftOutLesson(lesson, .full, isKept: true))
        return false
    }

    /// Records a lesson that is not used.
    mutating func leaveOut(_ lesson: LeftOutLesson) {
        guard leftOut[lesson.key]?.keptID == nil, leftOut.count < Self.leftOutCapacity else { return }
        leftOut[lesson.key] = lesson
    }

    /// The lesson of an id; nil if there is none.
    func lesson(_ id: String) -> Lesson? { lessons.first { $0.id == id } }

    /// True if a lesson of this key is held, or was undone.
    func knows(_ key: String) -> Bool { undone.contains(key) || lessons.contains { $0.key == key } }

    /// Adds a lesson of another fuser, under the next number if its own is taken; nil if it is known, was undone, or
    /// there is no room.
    mutating func adoptLesson(_ lesson: Lesson) -> Lesson? {
        guard !knows(lesson.key) else { return nil }
        let other = LeftOutLesson(lesson, .full, isKept: false)
        var lesson = lesson
        if let id = leftOut[lesson.key]?.keptID { lesson.id = id }
        let isFree = Self.numbers.contains(Int(lesson.id) ?? 0) && !lessons.contains { $0.id == lesson.id }
        if !isFree { lesson.id = nextID }
        if add(lesson) { return lesson }
        leaveOut(other)
        return nil
    }

    /// Removes the lesson of a key, and lets none come back; returns its id if it was held here.
    mutating func undo(_ key: String) -> String? {
        let left = leftOut.removeValue(forKey: key)
        let place = lessons.firstIndex { $0.key == key }
        undone.insert(key, isKnown: place != nil || left != nil)
        return place.map { lessons.remove(at: $0).id } ?? left?.keptID
    }

    /// The usable parts of all lessons, given the present data of each node.
    func uses(in house: House, nodes: [Lesson.Node?]) -> [Use] {
        lessons.compactMap { lesson in
            guard let room = house.room(lesson.room) else { return nil }
            var use = Use(lesson: lesson.id, room: room, nodes: [], shifts: [])
            for node in lesson.nodes {
                let now = house.node(node.id)
                let known = now.flatMap { $0 < nodes.count ? nodes[$0] : nil }
                use.nodes.append(known.flatMap { Self.changeText(of: node, to: $0) } == nil ? now : nil)
                use.shifts.append(known.map { $0.offset - node.offset } ?? 0)
            }
            return use
        }
    }

    /// The reason for which a lesson no longer applies to a node; nil if it does. A value that either lacks counts as
    /// unchanged.
    private static func changeText(of then: Lesson.Node, to now: Lesson.Node) -> String? {
        if let before = then.address, let address = now.address, before != address { return "another adapter" }
        if let before = then.room, let room = now.room, before != room { return "moved to \(room)" }
        return nil
    }

    /// The parts of a lesson that are left out: a description, and the node, if it is one.
    func changes(of lesson: Lesson, in house: House, nodes: [Lesson.Node?]) -> [(words: String, node: String?)] {
        guard house.room(lesson.room) != nil else { return [("there is no room \(lesson.room) any more", nil)] }
        return lesson.nodes.enumerated().compactMap { place, node in
            guard let index = house.node(node.id), index < nodes.count, let now = nodes[index],
                let change = Self.changeText(of: node, to: now),
                lesson.hops.contains(where: { $0.readings.contains { $0.node == place } })
            else { return nil }
            return ("\(node.id): \(change)", node.id)
        }
    }

    /// Recordings to learn from: one for each walk, in the order in which its rooms were taught, and for each other
    /// lesson.
    func recordings(_ uses: [Use]) -> [Recording] {
        var audible = NodeSet()
        var order: [String] = []
        var groups: [String: [(Lesson, Use)]] = [:]
        for use in uses {
            guard let lesson = lessons.first(where: { $0.id == use.lesson }) else { continue }
            for hop in lesson.hops {
                for reading in hop.readings { if let node = use.nodes[Int(reading.node)] { audible.insert(node) } }
            }
            let group = lesson.walk.map { "walk \($0)" } ?? lesson.id
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append((lesson, use))
        }
        return order.map { group in
            var recording = Recording(hops: [], rooms: [])
            (recording.isGuided, recording.audible) = (true, audible)
            for (lesson, use) in (groups[group] ?? []).sorted(by: { $0.0.from < $1.0.from }) {
                // The room of the item on its way from one room to the next is unknown.
                if !recording.hops.isEmpty { recording.append(Hop(end: lesson.from), room: nil) }
                for hop in lesson.hops { recording.append(use.hop(hop, of: lesson), room: use.room) }
            }
            return recording
        }
    }
}

extension LessonBook.Use {
    /// An interval of a lesson with the levels that the house as it is now would receive.
    fileprivate func hop(_ second: Lesson.Second, of lesson: Lesson) -> Hop {
        Hop(
            end: lesson.from.advanced(by: .milliseconds(second.end)),
            readings: second.readings.compactMap { reading in
                let place = Int(reading.node)
                return nodes[place].map {
                    Hop.Reading(
                        node: $0, level: Double(reading.level) / 100 + Double(shifts[place]), count: Int(reading.count))
                }
            },
            listening: NodeSet(nodes.indices.compactMap { second.listening.contains($0) ? nodes[$0] : nil }))
    }
}
