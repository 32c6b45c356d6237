/// Hops of one item in a row, one a second with none left out, and the room that each was truly in.
public struct Recording: Sendable {
    /// The hops, in order of time; those without a packet included.
    public var hops: [Hop]
    /// The true room of each hop by index, nil where nobody knows; as many as there are hops.
    public var rooms: [Int?]

    /// A recording; missing labels count as unknown, surplus ones are dropped.
    public init(hops: [Hop], rooms: [Int?]) {
        self.hops = hops
        self.rooms = Array(rooms.prefix(hops.count))
        while self.rooms.count < hops.count { self.rooms.append(nil) }
    }
}
