public import Bytes

/// The visit for which an offer was made: once a visit, and not again after a restart. Never the offer itself.
public struct OfferRecord: Hashable, Sendable {
    /// The region (or item) of the offer.
    public var region: String
    /// The visit's id.
    public var visit: String
    /// The time of the offer.
    public var at: Timestamp

    /// An offer by all its values.
    public init(region: String, visit: String, at: Timestamp) {
        self.region = region
        self.visit = visit
        self.at = at
    }
}
