internal import Bytes
internal import WireProtocol

/// The publication of one person by this fuser and another.
struct PersonServing: Sendable {
    /// True if this fuser has published its answer since it took the person over.
    var isPublished = false
    /// The time at which this fuser took the person over.
    private var tookOver = Timestamp(microseconds: .min)
    private var peer = PeerPersonPublication()

    /// The other fuser's last answer; nil if none was published.
    var peerAnswer: Location? { peer.answer }

    /// True for an answer from before the other fuser's last one, by its number and its time: brokers deliver late what they
    /// held back, and a fuser that takes over before it has read the last one repeats the one before.
    func isPast(_ location: Location) -> Bool {
        guard let answer = peer.answer else { return false }
        return location.itemSeq < answer.itemSeq && location.since < answer.at
    }

    /// Retains another fuser's answer although this fuser publishes the person; true if that answer, which was in
    /// transit at the takeover, is the last one of the fuser before.
    mutating func receiveLast(_ location: Location, at time: Timestamp) -> Bool {
        peer.retain(location)
        return location.state != .unknown && location.at <= tookOver
            && time.duration(since: tookOver) <= Household.handover
    }

    /// Consumes another fuser's answer, which holds from now on; `tracker` has the answer before it.
    mutating func receive(_ location: Location, countsEvent: Bool, after tracker: PersonTracker) {
        let cause = tracker.items.max { $0.since < $1.since }
        peer.receive(
            location, countsEvent: countsEvent, after: tracker.state, tracker.room, since: tracker.since, cause: cause)
        isPublished = false
    }

    /// Consumes another fuser's event.
    mutating func receive(_ event: ItemEvent) { peer.receive(event) }

    /// Begins to publish; returns the move that the other fuser left unpublished.
    ///
    /// - Parameter ends: times of the last sign of life of fusers that have gone, by their names; others may live.
    mutating func takeOver(ends: [String: Timestamp], at time: Timestamp) -> PersonChange? {
        (tookOver, isPublished) = (time, false)
        return peer.takeUnpublished(end: peer.answer.flatMap { ends[$0.fuser] })
    }

    /// Clears what another fuser has published.
    mutating func clearPeer() { peer = PeerPersonPublication() }
}
