internal import Bytes
internal import WireProtocol

/// Items whose identity several transmitters are suspected to send.
extension Household {
    /// The identities of an item that several transmitters are suspected to send.
    public enum SuspectedIdentities: Hashable, Sendable {
        /// Those that anybody can send …
        case plain
        /// … or those that rest on a key as well.
        case keyed
    }

    /// Sets the suspicion about an item; nil for none.
    ///
    /// While the plain identities are suspected and nodes hear it by its key, only that counts. Otherwise the confidence is
    /// even at most, and the room changes only for an answer that lasts a minute.
    public mutating func setCloneSuspicion(of item: String, _ identities: SuspectedIdentities?) {
        guard let index = trackers.index(of: item) else { return }
        trackers[index].cloneSuspicion.identities = identities
    }

    /// True if a window of an item counts while its identity is suspected.
    mutating func counts(_ window: Window, of tracker: Int) -> Bool {
        if window.isKeyed {
            trackers[tracker].cloneSuspicion.keyedUntil = window.to.advanced(by: CloneSuspicion.validity)
        }
        return window.isKeyed || !trackers[tracker].cloneSuspicion.leansOnKey(at: window.to)
    }
}
