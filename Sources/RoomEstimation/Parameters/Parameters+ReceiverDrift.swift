extension Parameters {
    /// The deviation of nodes' reception from the lessons.
    public struct ReceiverDrift: Sendable {
        /// The variance of that among nodes, in dB², before any reading: from day to day and after small changes.
        public var variance = Parameters.packetVariance
        /// Seconds after which an item at rest teaches no more until it is moved: otherwise a room mistaken for the
        /// true one now and then would teach as much in a night as the true one, and all such rooms err alike. Two
        /// minutes.
        public var rest = 120.0
        /// A change is allowed for if it is beyond so many of its own deviations: nearer to none it is noise. Measured
        /// between .35 and 2: less costs recordings in which nothing changed a hundredth, more helps less in those with
        /// a change.
        public var sure = 0.5
        /// A change is reported if it is beyond so many of its own deviations.
        public var told = 2.0
    }
}
