internal import Bytes

/// The suspicion that several transmitters send an item's identity, and what follows from it for the answer.
struct CloneSuspicion: Sendable {
    /// The time for which a window of a key makes those of plain identities count no more.
    static let validity = Duration.minutes(1)
    /// The time that another room must be the answer before it is published.
    static let dwell = Duration.minutes(1)
    /// The highest confidence: it may as well be where the other transmitter is.
    static let confidence = 0.5

    /// The suspected identities; nil for none.
    var identities: Household.SuspectedIdentities? {
        didSet { if identities == nil { candidate = nil } }
    }
    /// The time until which the item is known by its key.
    var keyedUntil: Timestamp?
    private var candidate: (room: Int, since: Timestamp)?

    /// True if the answer rests on the item's key alone.
    func leansOnKey(at time: Timestamp) -> Bool {
        identities == .plain && keyedUntil.map { time < $0 } ?? false
    }

    /// The confidence of an answer of which this is known.
    func bounded(_ confidence: Double, at time: Timestamp) -> Double {
        identities == nil || leansOnKey(at: time) ? confidence : min(confidence, Self.confidence)
    }

    /// The room to answer, of the one that is answered and another that is likelier now.
    mutating func settle(_ answer: Int?, before room: Int?, at time: Timestamp) -> Int? {
        guard identities != nil, !leansOnKey(at: time), let answer, let room, answer != room else {
            candidate = nil
            return answer
        }
        guard let candidate, candidate.room == answer else {
            candidate = (answer, time)
            return room
        }
        return time.duration(since: candidate.since) >= Self.dwell ? answer : room
    }
}
