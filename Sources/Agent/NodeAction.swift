internal import Daemon
internal import Presence
internal import Sightings

/// What is to be done once its cause is kept.
enum NodeAction: Hashable, Sendable {
    /// A message is published.
    case publish(Message)
    /// A program is run; the label says of what.
    case run(ActionCommand, label: String)
    /// An offer is made to whoever is about: its secret is read only then.
    case offer(Offer, of: String, label: String)
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
