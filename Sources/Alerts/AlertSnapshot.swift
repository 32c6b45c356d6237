public import Bytes

/// The stored state of a node's alerts over a restart, as rows of a store.
public struct AlertSnapshot: Hashable, Sendable {
    /// An item or a region that is silenced for a while.
    public struct Silence: Hashable, Sendable {
        /// The item or region.
        public var subject: Crossing.Subject
        /// The end of the silence.
        public var until: Timestamp

        /// A row of all its values.
        public init(subject: Crossing.Subject, until: Timestamp) {
            self.subject = subject
            self.until = until
        }
    }

    /// The alerts that are open or in their grace.
    public var alerts: [AlertState]
    /// The last states of the items.
    public var items: [WhereaboutsRecord]
    /// The silenced items and regions.
    public var silences: [Silence]

    /// A snapshot of these rows.
    public init(alerts: [AlertState] = [], items: [WhereaboutsRecord] = [], silences: [Silence] = []) {
        self.alerts = alerts
        self.items = items
        self.silences = silences
    }
}
