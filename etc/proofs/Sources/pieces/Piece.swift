import RoomEstimation

/// A piece of the model, and the parameters that take it away.
struct Piece: Sendable {
    let name: String
    let remove: @Sendable (inout Parameters) -> Void

    static let all = [
        Piece(name: "fingerprints") {
            ($0.fingerprints.share, $0.fingerprints.doubt, $0.fingerprints.leaving) = (0, 0, 0)
        },
        Piece(name: "fingerprints' evidence") { $0.fingerprints.share = 0 },
        Piece(name: "fingerprints' doubt") { ($0.fingerprints.doubt, $0.fingerprints.leaving) = (0, 0) },
        Piece(name: "rest") { $0.rest.memory = 1e9 },
        Piece(name: "gains") { $0.nearness.offsetHops = .infinity },
        Piece(name: "lift") { $0.nearness.lift = 0 },
        Piece(name: "the mean of a room's nodes") { $0.nearness.strongest = 1 },
        Piece(name: "held levels") { $0.nearness.holdSeconds = 0 },
        Piece(name: "positions") { ($0.positions.search.share, $0.positions.support.share) = (0, 0) },
        Piece(name: "the hold of an answer") { $0.decision.mostOdds = 0 },
        Piece(name: "odds after a move") { $0.decision.oddsAgain = 1 },
        Piece(name: "routes") { $0.lessons.routePrior = 1e9 },
        Piece(name: "transmitter offset") { $0.loudness.variance = 1e-6 },
        Piece(name: "receiver drift") { $0.refinement.variance = 1e-6 },
        Piece(name: "trust") { $0.trust.doubt = -10 },
        Piece(name: "untaught rooms") { $0.elsewhere.moves = 0 },
        Piece(name: "receivers' health") { ($0.hearing.deafAtFirst, $0.hearing.fails) = (0, 0) },
        Piece(name: "calibration") { ($0.trial.sharpnesses, $0.trial.slips) = ([1], [0.04]) },
        Piece(name: "bridges") { $0.lessons.longestBridge = 0 },
        Piece(name: "states") { $0.lessons.stateSeconds = 1_000_000 },
    ]
}
