internal import Alerts
internal import Bytes
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
    /// The time to the next attempt, if this one fails.
    var pause: Duration = Self.firstPause

    /// The pause after the first failure; each further one doubles it.
    static let firstPause: Duration = .seconds(10)
    /// The longest pause.
    static let longestPause: Duration = .minutes(5)
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

extension NodeAction {
    /// The item or region in a label such as `on_enter of keys: greet`, as a list.
    static func subjects(ofLabel label: String) -> [String] {
        label.split(separator: " ").dropFirst(2).prefix(1).map { String($0.last == ":" ? $0.dropLast() : $0) }
    }
}
