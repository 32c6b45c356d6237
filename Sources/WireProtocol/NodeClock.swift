public import Bytes

/// The clock of a node that replays or simulates: its time is `start + speed × (wall − origin)`.
public struct NodeClock: Hashable, Sendable {
    /// The node's time at `origin`; equal to `origin` if the message doesn't contain it.
    public var start: Timestamp
    /// The wall time at which its time was `start`.
    public var origin: Timestamp
    /// Seconds of its time in a second; nil if it runs as fast as possible.
    public var speed: Double?

    /// A clock whose time was `start` at the wall time `origin`.
    public init(start: Timestamp, origin: Timestamp, speed: Double?) {
        self.start = start
        self.origin = origin
        self.speed = speed
    }

    /// The node's time at a wall time; nil if it runs as fast as possible, so that only its messages give the time.
    public func time(atWall wall: Timestamp) -> Timestamp? {
        speed.map { start.advanced(bySeconds: wall.seconds(since: origin) * $0) }
    }

    /// The wall time at the node's `time`; nil if it runs as fast as possible.
    public func wallTime(at time: Timestamp) -> Timestamp? {
        guard let speed, speed > 0 else { return nil }
        return origin.advanced(bySeconds: time.seconds(since: start) / speed)
    }

    /// A Boolean value that is true if it equals the wall clock, as of a pipe with live packets: such a node is in step
    /// with the others.
    public var isWall: Bool { speed == nil && abs(start.seconds(since: origin)) <= Self.tolerance }

    /// Seconds by which a stream may lag behind the wall clock, or its clock be wrong.
    private static let tolerance = 30.0
}

/// A clock without an origin is none.
extension NodeClock: WireObject {
    static var blank: Self { Self(start: Timestamp(microseconds: 0), origin: Timestamp(microseconds: 0), speed: nil) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        var pace = Pace(speed: speed)
        try fields.required("origin", &origin)
        try fields.field("start", &start, orElse: origin)
        try fields.field("speed", &pace)
        speed = pace.speed
    }
}

/// The speed of a clock: a number, or the text `max`.
private struct Pace: WireValue {
    var speed: Double?

    func write(to json: inout JSONWriter) {
        if let speed { json.value(speed, decimals: 6) } else { json.value("max") }
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Pace? {
        if !json.isString { return Pace(speed: try json.number(in: 1e-3...1e6)) }
        _ = try json.string()
        return Pace()
    }
}
