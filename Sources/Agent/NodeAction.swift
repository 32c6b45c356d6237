internal import Alerts
internal import Configuration
internal import System
internal import WireProtocol

/// What is to be done once its cause is kept.
enum NodeAction: Hashable, Sendable {
    /// A message is published.
    case publish(Message)
    /// A program is run; the label says of what.
    case run(ActionCommand, label: String)
    /// An offer is made to whoever is about: its secret is read only then.
    case offer(OfferAttempt)
}

/// An offer that is to be made now, and what is needed to try it again.
struct OfferAttempt: Hashable, Sendable {
    /// The offer.
    var offer: Offer
    /// Its name in the ledger of visits.
    var name: String
    /// Whose visit it belongs to.
    var subject: Crossing.Subject
    /// Whether it belongs to the end of the visit.
    var isOfExit: Bool
    /// What it is called in the log.
    var label: String
    /// Microseconds to the next attempt, should this one fail.
    var pause: Int64 = Self.firstPause

    /// The pause after the first failure; each further one doubles it …
    static let firstPause: Int64 = 10_000_000
    /// … up to so long.
    static let longestPause: Int64 = 300_000_000
}

/// A transition as alerts and reactions take it.
struct NodeCrossing: Sendable {
    /// Who crossed what.
    var crossing: Crossing
    /// Its event; nil where none is to be told.
    var event: NodeEvent?
    /// The item by which a region was crossed.
    var item: String?
}
