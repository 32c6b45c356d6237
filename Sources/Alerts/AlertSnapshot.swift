public import Bytes

/// What the alerts of a node remember over a restart, as rows of a store.
public struct AlertSnapshot: Hashable, Sendable {
    /// An item or a region of which nothing is told for a while.
    public struct Silence: Hashable, Sendable {
        /// Whom it is about.
        public var subject: Crossing.Subject
        /// When it ends.
        public var until: Timestamp

        /// A row of all its values.
        public init(subject: Crossing.Subject, until: Timestamp) {
            self.subject = subject
            self.until = until
        }
    }

    /// The alerts that stand or whose grace runs.
    public var alerts: [AlertState]
    /// Where the items were last.
    public var items: [WhereaboutsRecord]
    /// What is silenced.
    public var silences: [Silence]

    /// A snapshot of these rows.
    public init(alerts: [AlertState] = [], items: [WhereaboutsRecord] = [], silences: [Silence] = []) {
        self.alerts = alerts
        self.items = items
        self.silences = silences
    }
}
