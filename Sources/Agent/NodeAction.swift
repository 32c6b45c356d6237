internal import Alerts
internal import Configuration
internal import System
internal import WireProtocol

/// An action to carry out once its cause is stored.
enum NodeAction: Hashable, Sendable {
    /// Publish a message.
    case publish(Message)
    /// Run a program; the label names its cause.
    case run(ActionCommand, label: String)
    /// Make an offer to those present: its secret is read only then.
    case offer(OfferAttempt)
}

/// An offer to make now, with the data for another attempt.
struct OfferAttempt: Hashable, Sendable {
    /// The offer.
    var offer: Offer
    /// Its name in the ledger of visits.
    var name: String
    /// The subject of the visit.
    var subject: Crossing.Subject
    /// True if it belongs to the end of the visit.
    var isOfExit: Bool
    /// Its name in the log.
    var label: String
    /// Microseconds to the next attempt, if this one fails.
    var pause: Int64 = Self.firstPause

    /// The pause in microseconds after the first failure; each further one doubles it.
    static let firstPause: Int64 = 10_000_000
    /// The longest pause in microseconds.
    static let longestPause: Int64 = 300_000_000
}

/// A transition in the form for alerts and reactions.
struct NodeCrossing: Sendable {
    /// The subject and kind of the crossing.
    var crossing: Crossing
    /// Its event; nil if none is to be published.
    var event: NodeEvent?
    /// The item that crossed a region.
    var item: String?
}
