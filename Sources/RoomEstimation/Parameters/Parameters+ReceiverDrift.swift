extension Parameters {
    /// The deviation of nodes' reception from the lessons.
    public struct ReceiverDrift: Sendable {
        /// The variance of that among nodes, in dB², before any reading: from day to day and after small changes, 3 dB.
        /// Much more follows noise, much less is slow for a gateway that was moved. Measured between 4 and 25.
        public var variance = 9.0
        /// The variance of a room's own error, in dB²: the item lies or is carried in another place than during the
        /// lesson. Measured between 16 and 100.
        public var within = 16.0
        /// The variance of one packet's level, in dB² (`TrainedModel.priorVariance`).
        public var packetVariance = 36.0
        /// The share of a reading for which a hop counts: errors of neighbouring seconds are correlated
        /// (`TransmitterOffset.share`).
        public var share = 0.05
        /// The least belief in a room that teaches and takes memory: one room at a time does.
        public var least = 0.5
        /// Seconds after which an item at rest teaches no more until it is moved: otherwise a room mistaken for the
        /// true one now and then would teach as much in a night as the true one, and all such rooms err alike. Two
        /// minutes.
        public var rest = 120.0
        /// The most readings that a room's error counts, the latest ones; by `share`, ten minutes.
        public var longest = 30.0
        /// The largest error of a level, in dB.
        public var most = 20.0
        /// A change is allowed for if it is beyond so many of its own deviations: nearer to none it is noise. Measured
        /// between .35 and 2: less costs recordings in which nothing changed a hundredth, more helps less in those with
        /// a change.
        public var sure = 0.5
        /// A change is reported if it is beyond so many of its own deviations.
        public var told = 2.0
    }
}
