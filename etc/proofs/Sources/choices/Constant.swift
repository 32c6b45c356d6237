import RoomEstimation

/// A constant of the locator that was measured on recordings, and the values it is chosen from.
struct Constant: Sendable {
    /// Which rows it can change.
    enum Scope: Sendable { case alone, taught }

    let name: String
    let scope: Scope
    let place: any WritableKeyPath<Parameters, Double> & Sendable
    /// The value in use stands among them, which `main.swift` checks, but a search begins with the first.
    let values: [Double]

    init(
        _ name: String, _ scope: Scope, _ place: any WritableKeyPath<Parameters, Double> & Sendable, _ values: [Double]
    ) {
        (self.name, self.scope, self.place, self.values) = (name, scope, place, values)
    }

    /// Those that change most, each with less and more than the value in use by about as much as one could have erred.
    static let all = [
        Constant("nearness.evidence", .alone, \.nearness.evidence, [0.1, 0.13, 0.18]),
        Constant("nearness.strongest", .alone, \.nearness.strongest, [0.4, 0.7, 1]),
        Constant("nearness.holdSeconds", .alone, \.nearness.holdSeconds, [10, 30, 50]),
        Constant("nearness.lift", .alone, \.nearness.lift, [6, 10, 16]),
        Constant("fingerprints.share", .alone, \.fingerprints.share, [0.2, 0.4, 0.8]),
        Constant("fingerprints.doubt", .alone, \.fingerprints.doubt, [1.5, 3, 4]),
        Constant("motion.stayAlone", .alone, \.motion.stayAlone, [0.7, 0.8, 0.9]),
        Constant("fingerprints.prior", .alone, \.fingerprints.prior, [30, 60, 120]),
        Constant("rest.packetVariance", .alone, \.rest.packetVariance, [9, 16, 25]),
        Constant("decision.alone.hops", .alone, \.decision.alone.hops, [8, 16, 32]),
        Constant("decision.alone.odds", .alone, \.decision.alone.odds, [1, 1.4, 2]),
        Constant("lessons.weight", .taught, \.lessons.weight, [1, 1.3, 1.7]),
        Constant("lessons.roomShare", .taught, \.lessons.roomShare, [0.1, 0.3, 0.5]),
        Constant("lessons.own", .taught, \.lessons.own, [0.2, 0.4, 0.6]),
        Constant("lessons.statePrior", .taught, \.lessons.statePrior, [1, 3, 9]),
        Constant("loudness.share", .taught, \.loudness.share, [0.025, 0.05, 0.1]),
        Constant("trust.doubt", .taught, \.trust.doubt, [0.26, 0.34, 0.42]),
        Constant("decision.taught.hops", .taught, \.decision.taught.hops, [20, 50, 100]),
        Constant("motion.stayTaught", .taught, \.motion.stayTaught, [0.87, 0.93, 0.97]),
    ]
}
