public import Bytes

/// The findings at the opening of a store: to be logged, and to evaluate the time before.
public struct StoreOpening: Hashable, Sendable {
    /// The end of the previous program.
    public struct Previous: Hashable, Sendable {
        /// The time of its last write: an outage begins here at the latest.
        public var lastAlive: Timestamp
        /// True if it closed its store.
        public var wasClean: Bool

        /// An end by all its values.
        public init(lastAlive: Timestamp, wasClean: Bool) {
            self.lastAlive = lastAlive
            self.wasClean = wasClean
        }
    }

    /// The time of the database's creation.
    public var created: Timestamp
    /// True if it was created at this opening.
    public var isNew: Bool
    /// The end of the previous program; nil if none has written.
    public var previous: Previous?
    /// A corrupt database that was set aside for this new one.
    public var setAside: SetAside?
    /// The reason why a new epoch began in an existing database (its last events are missing, as after a restored
    /// copy); nil if none did.
    public var epochReason: String?
    /// The schema version before the migration; nil if it was already the newest.
    public var migratedFrom: Int?
    /// The path of the copy from before that migration.
    public var keptCopy: String?
}

/// A corrupt database under its new name.
public struct SetAside: Hashable, Sendable {
    /// The new path; the `-wal` and `-shm` files are beside it.
    public var path: String
    /// The fault of the database.
    public var reason: StoreError
}
