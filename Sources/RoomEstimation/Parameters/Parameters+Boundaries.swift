extension Parameters {
    /// Boundaries between rooms beside the densities of levels.
    public struct Boundaries: Sendable {
        /// How much densities and boundaries weigh, as shares of the levels' weight.
        public struct Blend: Hashable, Sendable {
            /// The share of the densities.
            public var densities: Double
            /// The share of the boundaries.
            public var boundaries: Double
        }

        /// What is tried, the simplest first: densities alone suit paths that repeat, boundaries few lessons and nodes that
        /// hear much alike. Together they may weigh more than 1, since their errors differ. Which is right in a house its
        /// lessons say (`Trial`). Measured.
        public var blends = [
            Blend(densities: 1, boundaries: 0), Blend(densities: 1, boundaries: 0.25),
            Blend(densities: 0.5, boundaries: 0.75),
        ]
        /// Half the square of each weight is paid for with so many nats. Measured between 1.5 and 30.
        public var ridge = 3.0
        /// The same for what is due without any level: next to nothing, it only fixes what would be free.
        public var constantRidge = 0.01
        /// For so many hops one product of two nodes' levels counts: more than the lessons can bear would be learned by heart.
        /// Measured between 3 and 10.
        public var hopsAProduct = 5
        /// At most so many count, so that a hop's cost and the time taken are bounded.
        public var mostProducts = 64
        /// Rounds of descent; it has settled by then for what a hop tells.
        public var rounds = 40
        /// At most so many hops are learned from, evenly spread: neighbours say nearly the same, and it bounds the time taken.
        public var samples = 4000
        /// Deviations beyond so many spreads count as these. Measured.
        public var most = 2.5
        /// The share of hops that no boundary explains, so that none is worth more than 4 nats. Measured.
        public var slip = 0.02
    }
}
