public import Bytes

/// What a node remembers of one alert over a restart: a row of a store, its key the alert's id.
public struct AlertState: Hashable, Sendable {
    /// How far it has come.
    public enum Phase: String, Hashable, Sendable {
        /// The grace runs.
        case pending
        /// It stands.
        case open
    }

    /// The rule's id.
    public var alert: String
    /// What is wrong.
    public var kind: AlertRule.Kind
    /// The item.
    public var item: String
    /// How far it has come.
    public var phase: Phase
    /// The departure that it is about: the last packet.
    public var since: Timestamp
    /// When that departure was decided.
    public var decided: Timestamp
    /// How often it was told.
    public var told: Int
    /// When it is to be told next, hours and silence apart; nil when never again.
    public var next: Timestamp?

    /// A row of all its values.
    public init(
        alert: String, kind: AlertRule.Kind, item: String, phase: Phase, since: Timestamp, decided: Timestamp,
        told: Int = 0, next: Timestamp? = nil
    ) {
        self.alert = alert
        self.kind = kind
        self.item = item
        self.phase = phase
        self.since = since
        self.decided = decided
        self.told = told
        self.next = next
    }
}
