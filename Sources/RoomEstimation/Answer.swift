public import Bytes

/// What a locator believes after a hop.
public struct Answer: Hashable, Sendable {
    /// The end of the last hop that was weighed; nil before the first.
    public var at: Timestamp?
    /// The index of the room, or nil as long as no node of the house ever heard the item: unknown.
    public var room: Int?
    /// The probability that the room is right, 0...1; 0 where it is unknown.
    public var confidence: Double = 0
    /// Since when this has been the room.
    public var since: Timestamp?
    /// Whether this hop changed the room.
    public var moved = false
    /// Whether the last hop with evidence made this room the likeliest, too.
    public var isLikeliest = false

    /// The answer of one who has heard nothing.
    public init() {}
}

/// Why the answer is what it is: how the last hop with a packet spoke for its room against the next likeliest.
public struct Reason: Hashable, Sendable {
    /// What one node had to say.
    public struct Vote: Hashable, Sendable {
        /// The node's index.
        public var node: Int
        /// Natural log of odds: above 0 for the answer's room, below 0 for the other.
        public var nats: Double
    }

    /// The likeliest room other than the answer's, by index; nil where there is none.
    public var runnerUp: Int?
    /// The nodes, by ascending index.
    public var votes: [Vote] = []
    /// How far the lessons were trusted against nearness, 0...1; 0 where there are none.
    public var trust: Double = 0
}
