internal import Bytes
internal import WireProtocol

/// Items whose identity several transmitters are suspected to send.
extension Household {
    /// The identities of a contested item that are suspected.
    public enum Contested: Hashable, Sendable {
        /// Those that anybody can send …
        case plain
        /// … or those that rest on a key as well.
        case keyed
    }

    /// Sets the suspicion about an item; nil for none.
    ///
    /// While the plain identities are suspected and nodes hear it by its key, only that counts. Otherwise the confidence is
    /// even at most, and the room changes only for an answer that lasts a minute.
    public mutating func setContested(_ item: String, _ contested: Contested?) {
        guard let index = trackers.index(of: item) else { return }
        trackers[index].contest.kind = contested
    }

    /// True if a window of a contested item counts.
    mutating func counts(_ window: Window, of tracker: Int) -> Bool {
        if window.isKeyed { trackers[tracker].contest.keyedUntil = window.to.advanced(by: Contest.validity) }
        return window.isKeyed || !trackers[tracker].contest.leansOnKey(at: window.to)
    }
}
