public import Bytes

/// What was found when a store was opened: to be logged, and to judge the time before.
public struct StoreOpening: Hashable, Sendable {
    /// How the program before this one ended.
    public struct Previous: Hashable, Sendable {
        /// When it last wrote: an outage begins here at the latest.
        public var lastAlive: Timestamp
        /// Whether it closed its store.
        public var wasClean: Bool

        /// An end by all its values.
        public init(lastAlive: Timestamp, wasClean: Bool) {
            self.lastAlive = lastAlive
            self.wasClean = wasClean
        }
    }

    /// When the database was made.
    public var created: Timestamp
    /// Whether it was made just now.
    public var isNew: Bool
    /// The end of the program before; nil where none has written.
    public var previous: Previous?
    /// A corrupt database that was set aside for this new one.
    public var setAside: SetAside?
    /// Why a new epoch began in an old database (its last events are missing, as after a restored copy); nil where none did.
    public var epochReason: String?
    /// The schema before it was brought forward; nil where it was already the newest.
    public var migratedFrom: Int?
}

/// A corrupt database, moved out of the way.
public struct SetAside: Hashable, Sendable {
    /// Where it is now; its `-wal` and `-shm` files lie beside it.
    public var path: String
    /// What was wrong with it.
    public var reason: StoreError
}
