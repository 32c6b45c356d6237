extension Scenario {
    /// The propagation of signals, and the rates of random losses.
    public struct Radio: Hashable, Sendable {
        /// The exponent of a signal's loss with distance: 2 in free space, more among furniture; 1 … 6.
        public var pathLossExponent: Double
        /// Decibels of deviation from place to place, caused by furniture, 0 … 20.
        public var shadowSigma: Double
        /// Decibels of deviation of fades over `fadePeriod`, 0 … 20.
        public var fadeSigma: Double
        /// The duration of such a fade in seconds, 0.1 … 3,600.
        public var fadePeriod: Double
        /// The share of a fade's (and the furniture's) variance that is common to all nodes, 0 … 1.
        public var fadeCorrelation: Double
        /// Decibels of deviation among the advertising channels 37, 38 and 39, by place and over minutes, 0 … 20.
        public var channelSigma: Double
        /// Decibels of deviation from one advertisement to the next, 0 … 20.
        public var packetSigma: Double
        /// The level in dBm at which a receiver gets half of all advertisements, −120 … −40.
        public var sensitivity: Double
        /// The share of advertisements lost to collisions, 0 … 1.
        public var loss: Double
        /// Bursts of loss in an hour at a node, each of 1 … 4 s, 0 … 900.
        public var burstsPerHour: Double
        /// Decibels that a signal loses as it turns round the frame of an open door, 0 … 60.
        public var doorLeak: Double

        /// The settings of an ordinary flat by default.
        public init(
            pathLossExponent: Double = 2.2, shadowSigma: Double = 3, fadeSigma: Double = 2.5, fadePeriod: Double = 6,
            fadeCorrelation: Double = 0.5, channelSigma: Double = 2.5, packetSigma: Double = 1.2,
            sensitivity: Double = -95, loss: Double = 0.05, burstsPerHour: Double = 20, doorLeak: Double = 5
        ) {
            self.pathLossExponent = pathLossExponent
            self.shadowSigma = shadowSigma
            self.fadeSigma = fadeSigma
            self.fadePeriod = fadePeriod
            self.fadeCorrelation = fadeCorrelation
            self.channelSigma = channelSigma
            self.packetSigma = packetSigma
            self.sensitivity = sensitivity
            self.loss = loss
            self.burstsPerHour = burstsPerHour
            self.doorLeak = doorLeak
        }
    }
}
