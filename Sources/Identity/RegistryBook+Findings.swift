extension RegistryBook {
    /// An item that isn't used because another one shows its identity.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The item that is refused.
        public var id: String
        /// The item that has the identity.
        public var owner: String
        /// The identity that both show.
        public var identity: BeaconID
        /// Whether it stands in the items file alone.
        public var isFile: Bool
        /// Whether the one that has the identity does.
        public var isOwnerFile: Bool

        /// The reason and the mend.
        public var description: String {
            let mend =
                switch (isFile, isOwnerFile) {
                case (true, true): "take one of them out of the items file or correct it"
                case (true, false): "correct it in the items file, or whereabouts items remove \(owner)"
                case (false, _): "correct one of them, or remove it: whereabouts items remove \(id)"
                }
            return "'\(id)' is not used: it is the same beacon as '\(owner)', \(identity.text); \(mend)"
        }
    }

    /// An item of which the items file says something else than the topics, which have the say.
    public struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// The item.
        public var id: String
        /// What the topics say.
        public var topic: ItemEntry

        /// The difference and the mend.
        public var description: String {
            topic.isTombstone
                ? "the items file still names '\(id)', which was removed: take it out of the file, or add it again"
                : "the items file says something else of '\(id)' than the registry on the broker, which counts; to put the "
                    + "file in force: whereabouts items import FILE"
        }
    }

    /// What must be published so that the broker holds the whole registry.
    public struct Repairs: Hashable, Sendable {
        /// Entries to be retained, in the order of their ids.
        public var put: [ItemEntry] = []
        /// Items whose expired tombstone is to be cleared.
        public var clear: [String] = []

        /// Nothing to be done.
        public init() {}

        /// Whether there is nothing to be done.
        public var isEmpty: Bool { put.isEmpty && clear.isEmpty }
    }
}
