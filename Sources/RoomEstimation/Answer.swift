public import Bytes

/// The estimate of a locator after a hop.
public struct Answer: Hashable, Sendable {
    /// The end of the last hop that was weighed; nil before the first.
    public var at: Timestamp?
    /// The index of the room, or nil (unknown) until a node of the house has received the item.
    public var room: Int?
    /// The probability that the room is right, 0...1; 0 if it is unknown.
    public var confidence: Double = 0
    /// The time since which this has been the room.
    public var since: Timestamp?
    /// True if this hop changed the room.
    public var moved = false
    /// True if the last hop with evidence made this room the likeliest, too.
    public var isLikeliest = false

    /// The answer before any observation.
    public init() {}
}

/// The reasons for an answer: the evidence of the last hop with a packet for its room against the next likeliest.
public struct Reason: Hashable, Sendable {
    /// The evidence of one node.
    public struct Vote: Hashable, Sendable {
        /// The node's index.
        public var node: Int
        /// Natural log of odds: above 0 for the answer's room, below 0 for the other.
        public var nats: Double
    }

    /// The likeliest room other than the answer's, by index, of all rooms of `roomProbabilities`; nil if there is none.
    public var runnerUp: Int?
    /// The nodes, by ascending index.
    public var votes: [Vote] = []
    /// The trust in the lessons against nearness, 0...1; 0 if there are none.
    public var trust: Double = 0
}
