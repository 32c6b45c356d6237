extension Household {
    /// The use that is made of a window.
    public enum WindowUse: Sendable {
        /// None: it is of no item, of a shard that is not tracked, or of a node whose clock is wrong or whose place is
        /// unknown; or there is no room for the item.
        case refused
        /// None for the answers: its interval has one of the same node and item, is over, or can hold no more.
        case surplus
        /// It counts in its interval.
        case counted
    }
}
