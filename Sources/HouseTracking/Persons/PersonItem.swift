internal import Bytes
internal import WireProtocol

/// One of a person's items: what was told of it last, and whether it goes where the person goes.
struct PersonItem: Hashable, Sendable {
    var id: String
    /// How sure its presence is; unknown until it is told.
    var state = Location.State.unknown
    /// Its room; nil while it is away or unknown.
    var room: String?
    /// The room it was in last, kept while it is away or unknown.
    var lastRoom: String?
    /// Whether it was away when it was last known.
    var wasAway = false
    /// The probability that it is so.
    var confidence = 0.0
    /// When its answer became this one.
    var since = Timestamp(microseconds: 0)
    /// When it was last told.
    var at = Timestamp(microseconds: 0)
    /// Its last packet, as far as that is known here.
    var heard: Timestamp?
    /// The earliest that its last change of place can have happened.
    var notBefore = Timestamp(microseconds: 0)
    /// When it was last seen to go to another room, or to come home; nil where it never was.
    var movedAt: Timestamp?
    /// Whether others were asked if they came along.
    var isWeighed = true
    /// Whether it stayed when the person went.
    var isLeftBehind = false
    /// Whether an earlier run was told so, and this one was not yet.
    var isRemembered = false
    var rooms: [String: Double] = [:]

    init(id: String) { self.id = id }

    /// Whether it is anywhere.
    var isHere: Bool { state == .present || state == .quiet }

    /// Its place in words that can be compared: the room, or away; nil where that was never known.
    private var place: String? { wasAway ? Location.State.away.rawValue : lastRoom }

    /// Takes what is told of it; whether it is something else than before, not only surer or later.
    mutating func take(_ location: Location, heard: Timestamp?) -> Bool {
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

    /// Nothing is known of where it is any more.
    mutating func forget() {
        (state, room, isRemembered) = (.unknown, nil, false)
        rooms.removeAll()
    }
}
