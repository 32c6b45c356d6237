/// Hops of one item in a row, one a second with none left out, and the true room of each.
public struct Recording: Sendable {
    /// The hops, in order of time; those without a packet included.
    public var hops: [Hop]
    /// The true room of each hop by index, nil if unknown; as many as there are hops.
    public var rooms: [Int?]
    /// True if a person was instructed on the place and the length of stays, so that its stays and moves do not show
    /// the natural movement of items.
    public var isGuided = false
    /// Nodes whose silence counts whenever they listened, even without a packet in this recording.
    public var audible = NodeSet()

    /// A recording; missing labels count as unknown, surplus ones are dropped.
    public init(hops: [Hop], rooms: [Int?]) {
        self.hops = hops
        self.rooms = Array(rooms.prefix(hops.count))
        while self.rooms.count < hops.count { self.rooms.append(nil) }
    }

    package mutating func append(_ hop: Hop, room: Int?) {
        hops.append(hop)
        rooms.append(room)
    }

    /// True if a room is entered a second time: a walk of instruction takes one room after the other.
    var returnsToRoom: Bool {
        var visits: [Int] = []
        for case let room? in rooms where room != visits.last { visits.append(room) }
        return visits.count > Set(visits).count
    }

    /// Recordings, all of them as a guide's if none returns to a room: nothing in them shows how items move.
    static func recognizingGuides(_ recordings: [Recording]) -> [Recording] {
        guard !recordings.contains(where: \.returnsToRoom) else { return recordings }
        return recordings.map { recording in
            var guided = recording
            guided.isGuided = true
            return guided
        }
    }

    /// A part of it.
    func slice(_ range: Range<Int>) -> Recording {
        var part = Recording(hops: Array(hops[range]), rooms: Array(rooms[range]))
        (part.isGuided, part.audible) = (isGuided, audible)
        return part
    }

    /// Recordings one after the other, as if the item had been carried from one to the next.
    static func joined(_ recordings: [Recording]) -> Recording {
        var whole = Recording(hops: recordings.flatMap(\.hops), rooms: recordings.flatMap(\.rooms))
        whole.isGuided = recordings.contains(where: \.isGuided)
        if let first = recordings.first { whole.audible = first.audible }
        return whole
    }
}
