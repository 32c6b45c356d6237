extension Parameters {
    /// Boundaries between rooms beside the densities of levels.
    public struct LogisticClassifier: Sendable {
        /// The weights of densities and boundaries, as shares of the levels' weight.
        public struct Blend: Hashable, Sendable {
            /// The share of the densities.
            public var densities: Double
            /// The share of the boundaries.
            public var boundaries: Double
        }

        /// The blends that are tried, the simplest first: densities alone suit paths that repeat, boundaries few
        /// lessons and nodes that receive much alike. Together they may weigh more than 1, since their errors differ.
        /// The lessons of a house choose among them (`CrossValidation`). Measured.
        public var blends = [
            Blend(densities: 1, boundaries: 0), Blend(densities: 1, boundaries: 0.25),
            Blend(densities: 0.5, boundaries: 0.75),
        ]
        /// The cost of half the square of each weight, in nats. Measured between 1.5 and 30.
        public var ridge = 3.0
        /// The same for the weight without any level: next to nothing, it only fixes a value that would be free.
        public var constantRidge = 0.01
        /// Number of hops for each product of two nodes' levels: more products than the lessons support would overfit.
        /// Measured between 3 and 10.
        public var hopsAProduct = 5
        /// The most products, so that a hop's cost and the time taken are bounded.
        public var mostProducts = 64
        /// Rounds of descent; it has settled by then to the precision that a hop allows.
        public var rounds = 40
        /// The most hops that are learned from, evenly spread: neighbours are nearly equal, and it bounds the time
        /// taken.
        public var samples = 4000
        /// The largest deviation that counts, in spreads. Measured.
        public var most = 2.5
        /// The share of hops that no boundary explains, so that none is worth more than 4 nats. Measured.
        public var slip = 0.02
    }
}
