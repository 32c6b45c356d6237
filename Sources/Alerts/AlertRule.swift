internal import Bytes

/// A user's rule for an alert.
public struct AlertRule: Hashable, Sendable {
    /// The kinds of alerts.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Its companions left and it is still inside.
        case leftBehind = "left_behind"
        /// It left and none of its companions did.
        case gone
        /// It left the house and none of its companions did.
        case leftHome = "left_home"
        /// It is in one of the rooms.
        case inRoom = "in_room"
        /// It is in none of the rooms: elsewhere, or away.
        case notInRoom = "not_in_room"
        /// It wasn't received for as long as the grace.
        case notHeard = "not_heard"
        /// Its battery's voltage is below the limit.
        case batteryLow = "battery_low"
        /// Several transmitters send its identity. The fuser has such a rule for each item, without configuration.
        case cloned

        /// The kinds that a node can detect.
        public static let ofNodes: [Kind] = [.leftBehind, .gone]
        /// The kinds that a fuser's configuration names.
        public static let ofHouses: [Kind] = [
            .leftHome, .leftBehind, .inRoom, .notInRoom, .notHeard, .batteryLow,
        ]
    }

    /// Its name among the alerts of a node.
    public var id: String
    /// The kind of alert.
    public var kind: Kind
    /// The item.
    public var item: String
    /// The companions of the item: `with` of `left_behind`, `unless_with` of `gone` and `left_home`.
    public var companions: [String]
    /// The rooms, of `in_room` and `not_in_room`.
    public var rooms: [String] = []
    /// Millivolts, of `battery_low`.
    public var limit: Int?
    /// The time within which successive departures count as common.
    public var grace: Duration
    /// The time between notices while it is open; nil for one notice.
    public var interval: Duration?
    /// The maximum number of notices of one alert; nil for any number.
    public var atMost: Int?
    /// The hours of publication; nil for always. An alert that begins outside of them is published at their begin, if
    /// it is still open.
    public var hours: DailyHours?

    /// The default grace: a minute.
    public static let defaultGrace: Duration = .minutes(1)

    /// A rule; the default id is derived from its kind and item.
    public init(
        id: String? = nil, _ kind: Kind, item: String, companions: [String], grace: Duration = defaultGrace,
        interval: Duration? = nil, atMost: Int? = nil, hours: DailyHours? = nil
    ) {
        self.id = id ?? Self.name(kind, item: item)
        self.kind = kind
        self.item = item
        self.companions = companions
        self.grace = grace
        self.interval = interval
        self.atMost = atMost
        self.hours = hours
    }

    /// True if another rule has the same condition: the alerts of one are those of the other. Grace, repetition and hours may
    /// differ.
    func isAbout(_ other: AlertRule) -> Bool {
        (kind, item, companions, rooms, limit)
            == (other.kind, other.item, other.companions, other.rooms, other.limit)
    }

    /// The default id of a rule, such as `left_behind-keys`.
    public static func name(_ kind: Kind, item: String) -> String { "\(kind.rawValue)-\(item)" }
}
