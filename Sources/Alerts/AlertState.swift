public import Bytes

/// The stored state of one alert over a restart: a row of a store, its key the alert's id.
public struct AlertState: Hashable, Sendable {
    /// The phase of an alert.
    public enum Phase: String, Hashable, Sendable {
        /// The grace runs.
        case pending
        /// It is open.
        case open
    }

    /// The rule's id.
    public var alert: String
    /// The kind of alert.
    public var kind: AlertRule.Kind
    /// The item.
    public var item: String
    /// The phase.
    public var phase: Phase
    /// The departure that caused it: the last packet.
    public var since: Timestamp
    /// The time at which that departure was decided.
    public var decided: Timestamp
    /// The number of times it was published.
    public var told: Int
    /// The time of the next publication, hours and silence apart; nil if there is none.
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
