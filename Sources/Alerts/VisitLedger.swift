public import Bytes

/// The offers made in a visit, so that each is made once.
///
/// A visit begins if an item or a region is found inside or entered, and ends with its exit. Only a new visit allows an
/// offer again, neither a fade that is no exit nor a restart does. An offer for the exit is made if there was a visit.
///
///     let reactions = …                                    // what is configured for this crossing
///     ledger.receive(crossing)
///     for offer in offers where ledger.makes(offer.id, at: crossing) { … }
///     store.write(ledger.snapshot)
public struct VisitLedger: Sendable {
    /// A visit: a row of a store, its key the subject.
    public struct Visit: Hashable, Sendable {
        /// The item or region of the visit.
        public var subject: Crossing.Subject
        /// Since when.
        public var since: Timestamp
        /// The offers made, in the order they were made.
        public var offers: [String]
        /// A Boolean value that is true after the exit: the visit is retained until the next, for offers of the exit.
        public var hasEnded: Bool

        /// A row of all its values.
        public init(subject: Crossing.Subject, since: Timestamp, offers: [String] = [], hasEnded: Bool = false) {
            self.subject = subject
            self.since = since
            self.offers = offers
            self.hasEnded = hasEnded
        }
    }

    /// The maximum number of remembered visits; further subjects make no offers and are counted in `dropped`.
    public static let bound = 10_000
    /// The most offers of a visit.
    public static let offerBound = 100

    /// Offers that weren't made because a table was full.
    public private(set) var dropped = 0
    private var visits: [Crossing.Subject: Visit] = [:]

    /// A ledger of the visits that a store remembers.
    public init(_ visits: [Visit] = []) {
        for visit in visits.prefix(Self.bound) { self.visits[visit.subject] = visit }
    }

    /// Records a crossing, which may begin or end a visit.
    public mutating func receive(_ crossing: Crossing) {
        let visit = visits[crossing.subject]
        switch crossing.kind {
        case .exit: visits[crossing.subject]?.hasEnded = true
        case .determined(isInside: false): break
        case .enter, .determined(isInside: true):
            guard visit?.hasEnded ?? true, visit != nil || visits.count < Self.bound else { return }
            visits[crossing.subject] = Visit(subject: crossing.subject, since: crossing.at)
        }
    }

    /// Returns true if an offer is to be made now, and records it as made. `offer` identifies it among all of the
    /// subject's.
    ///
    /// To be called after `receive` of the same crossing.
    public mutating func makes(_ offer: String, at crossing: Crossing) -> Bool {
        guard crossing.kind != .determined(isInside: false) else { return false }
        guard var visit = visits[crossing.subject] else {
            // An exit without a visit before it belongs to a time that isn't remembered.
            if crossing.kind != .exit { dropped += 1 }
            return false
        }
        guard visit.hasEnded == (crossing.kind == .exit), !visit.offers.contains(offer) else { return false }
        if let index = visit.offers.firstIndex(of: Self.owed + offer) {
            visits[crossing.subject]?.offers[index] = offer
            return true
        }
        guard visit.offers.count < Self.offerBound else {
            dropped += 1
            return false
        }
        visit.offers.append(offer)
        visits[crossing.subject] = visit
        return true
    }

    /// Records that an offer could not be made and is pending in the visit. `retry` makes it.
    ///
    /// - Parameter isOfExit: True if it belongs to the end of the visit.
    public mutating func owe(_ offer: String, to subject: Crossing.Subject, isOfExit: Bool) {
        guard let visit = visits[subject], visit.hasEnded == isOfExit,
            let index = visit.offers.firstIndex(of: offer)
        else { return }
        visits[subject]?.offers[index] = Self.owed + offer
    }

    /// Returns true if an offer is still pending in the present visit, and records it as made from now on.
    public mutating func retry(_ offer: String, to subject: Crossing.Subject, isOfExit: Bool) -> Bool {
        guard isOwed(offer, to: subject, isOfExit: isOfExit),
            let index = visits[subject]?.offers.firstIndex(of: Self.owed + offer)
        else { return false }
        visits[subject]?.offers[index] = offer
        return true
    }

    /// Returns true if an offer could not be made and is pending in the present visit, or at its end.
    public func isOwed(_ offer: String, to subject: Crossing.Subject, isOfExit: Bool) -> Bool {
        visits[subject].map { $0.hasEnded == isOfExit && $0.offers.contains(Self.owed + offer) } ?? false
    }

    /// The prefix of a pending offer's name.
    private static let owed = "owed "

    /// The state to store over a restart.
    public var snapshot: [Visit] { visits.values.sorted { ($0.subject.id, $0.since) < ($1.subject.id, $1.since) } }
}
