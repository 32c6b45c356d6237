internal import Bytes
internal import Integrations
internal import WireProtocol

/// Publishes the rooms of items for Home Assistant's `mqtt_room`.
///
/// Its sensor stays with the nearest room that published within its `timeout`. So a move is published twice: with the
/// distance zero, which no room beats, and with the true one, so that the next move wins as well. Nothing is retained:
/// the room of an item is repeated, and an item that is away is not published any more (`away_timeout`).
struct RoomPublisher: Sendable {
    /// The wall time after which each item's room is repeated …
    static let period: Duration = .seconds(15)
    /// … or longer: this many are repeated in a second, at most.
    static let rate = 500
    /// Items at once.
    static let capacity = 100_000
    /// Metres if no node publishes a distance.
    private static let usual = 1.0
    /// Metres, at least: the sensor's next move must be nearer than this.
    private static let least = 0.01

    private struct Stay: Sendable {
        var room: String
        var distance: Double
        var name: String?
    }

    /// The root of its topics; nil if nothing is published.
    let root: String?
    private var stays: [String: Stay] = [:]
    /// Items in the order of their repetition.
    private var ring: [String] = []
    private var queued: Set<String> = []
    private var next = 0
    private var turned: Timestamp?

    init(root: String? = nil) { self.root = root }

    /// The wall time of the next repetition; nil while there is none.
    var nextDeadline: Timestamp? {
        ring.isEmpty ? nil : turned.map { $0.advanced(by: .seconds(1)) }
    }

    /// Receives a location; the messages to publish are appended to `outbox`.
    mutating func receiveLocation(_ location: Location, of item: String, name: String?, _ outbox: inout [Message]) {
        guard root != nil else { return }
        guard let room = location.room, location.state == .present || location.state == .quiet else {
            stays[item] = nil
            return
        }
        let distance = max(Self.least, location.distances.map(\.1).min() ?? Self.usual)
        let before = stays[item]
        guard before != nil || stays.count < Self.capacity else { return }
        stays[item] = Stay(room: room, distance: distance, name: name)
        if queued.insert(item).inserted { ring.append(item) }
        guard before?.room != room else { return }
        outbox.append(distanceMessage(item, room, 0, name))
        outbox.append(distanceMessage(item, room, distance, name))
    }

    /// Removes an item: its room is not repeated.
    mutating func removeItem(_ item: String) { stays[item] = nil }

    /// Publishes some items again, once a second, so that each has its turn.
    mutating func advance(to wall: Timestamp, serving serves: (String) -> Bool, _ outbox: inout [Message]) {
        guard root != nil, !ring.isEmpty else { return }
        guard let last = turned else { return turned = wall }
        guard wall.duration(since: last).magnitude >= .seconds(1) else { return }
        turned = wall
        let share = Int((Double(ring.count) / Self.period.seconds).rounded(.up))
        for _ in 0..<min(Self.rate, share) {
            if next >= ring.count {
                // Items that are away, or another fuser's, are removed once a round.
                ring.removeAll { stays[$0] == nil || !serves($0) }
                stays = stays.filter { serves($0.key) }
                queued = Set(ring)
                next = 0
            }
            guard next < ring.count else { return }
            let item = ring[next]
            next += 1
            guard let stay = stays[item], serves(item) else { continue }
            outbox.append(distanceMessage(item, stay.room, stay.distance, stay.name))
        }
    }

    private func distanceMessage(_ item: String, _ room: String, _ distance: Double, _ name: String?) -> Message {
        var json = JSONWriter()
        MQTTRoomMessage(id: item, name: name, distance: distance).write(to: &json)
        return Message(topic: MQTTRoomMessage.topic(room, root: root ?? ""), payload: json.bytes)
    }
}
