internal import Bytes
internal import WireProtocol

/// One of a person's items: its last published answer, and whether it goes with the person.
struct PersonItem: Hashable, Sendable {
    var id: String
    /// The state of its presence; unknown until it is published.
    var state = Location.State.unknown
    /// Its room; nil while it is away or unknown.
    var room: String?
    /// The room it was in last, retained while it is away or unknown.
    var lastRoom: String?
    /// True if it was away when it was last known.
    var wasAway = false
    /// The probability that the answer is right.
    var confidence = 0.0
    /// The time at which its answer became this one.
    var since = Timestamp(microseconds: 0)
    /// The time of its last publication.
    var at = Timestamp(microseconds: 0)
    /// Its last packet, as far as that is known here.
    var heard: Timestamp?
    /// The earliest time at which its last change of place can have happened.
    var notBefore = Timestamp(microseconds: 0)
    /// The time of its last move to another room, or home; nil if there was none.
    var movedAt: Timestamp?
    /// True if the other items were checked for coming along.
    var isWeighed = true
    /// True if it stayed when the person went.
    var isLeftBehind = false
    /// True if an earlier run received the answer, and this one has not yet.
    var isRemembered = false
    var rooms: [String: Double] = [:]

    init(id: String) { self.id = id }

    /// True if it is present in any room.
    var isHere: Bool { state == .present || state == .quiet }

    /// Its place as a string to compare: the room, or away; nil if that was never known.
    private var place: String? { wasAway ? Location.State.away.rawValue : lastRoom }

    /// Consumes an answer; true if it differs from the one before in more than confidence or time.
    mutating func receive(_ location: Location, heard: Timestamp?) -> Bool {
        let before = place
        let stood = at
        let isNews = isRemembered || state != location.state || room != location.room
        (state, room, confidence) = (location.state, location.room, location.confidence)
        (since, at, isRemembered) = (location.since, location.at, false)
        self.heard = heard ?? location.heard ?? (location.state == .present ? location.at : self.heard)
        rooms = Dictionary(location.rooms.map { ($0.room, $0.probability) }) { first, _ in first }
        switch location.state {
        case .unknown: return isNews
        case .away: wasAway = true
        case .present, .quiet: (wasAway, lastRoom) = (false, location.room ?? lastRoom)
        }
        guard let before, before != place else { return isNews }
        notBefore = min(stood, location.since)
        if !wasAway { (movedAt, isWeighed, isLeftBehind) = (location.since, false, false) }
        return isNews
    }

    /// Sets its place to unknown.
    mutating func clearPlace() {
        (state, room, isRemembered) = (.unknown, nil, false)
        rooms.removeAll()
    }
}
