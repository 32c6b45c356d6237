extension RegistryBook {
    /// An item that isn't used because another one has its identity.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The rejected item.
        public var id: String
        /// The item that has the identity.
        public var owner: String
        /// The identity that both have.
        public var identity: BeaconID
        /// A Boolean value that is true if the item is in the items file alone.
        public var isFile: Bool
        /// A Boolean value that is true if the owner of the identity is in the items file alone.
        public var isOwnerFile: Bool

        /// The reason and the remedy.
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

    /// An item whose entry in the items file differs from that of the topics, which prevails.
    public struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// The item.
        public var id: String
        /// The entry of the topics.
        public var topic: ItemEntry

        /// The difference and the remedy.
        public var description: String {
            topic.isTombstone
                ? "the items file still names '\(id)', which was removed: take it out of the file, or add it again"
                : "the items file says something else of '\(id)' than the registry on the broker, which counts; to put the "
                    + "file in force: whereabouts items import FILE"
        }
    }

    /// The changes to publish so that the broker holds the whole registry.
    public struct Repairs: Hashable, Sendable {
        /// Entries to be retained, in the order of their ids.
        public var put: [ItemEntry] = []
        /// Items with an expired tombstone to clear.
        public var clear: [String] = []

        /// No changes.
        public init() {}

        /// A Boolean value that is true if there are no changes.
        public var isEmpty: Bool { put.isEmpty && clear.isEmpty }
    }
}
