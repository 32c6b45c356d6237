extension Parameters {
    /// How much otherwise nodes hear than they were taught.
    public struct Refinement: Sendable {
        /// The variance of that among nodes, in dB², before any was heard: from day to day and after small changes, 3 dB. Much more
        /// follows noise, much less is slow where a gateway was moved. Measured between 4 and 25.
        public var variance = 9.0
        /// The variance of a room's own error, in dB²: the item lies or is carried in another place than it was taught in. Measured
        /// between 16 and 100.
        public var within = 16.0
        /// The variance of one packet's level, in dB² (`Lessons.priorVariance`).
        public var packetVariance = 36.0
        /// What a hop tells counts by this share of a reading: levels of neighbouring seconds err together (`Loudness.share`).
        public var share = 0.05
        /// A room that is believed in less teaches nothing, and takes no memory: only one at a time does.
        public var least = 0.5
        /// What has lain for so many seconds teaches no more until it is moved: a room that it is taken for now and then would
        /// say as much in a night as the one that it is in, and all such rooms err alike. Two minutes.
        public var rest = 120.0
        /// A room's error is that of its latest so many readings; by `share`, ten minutes.
        public var longest = 30.0
        /// No level errs by more, in dB.
        public var most = 20.0
        /// A change is allowed for where it is beyond so many of its own deviations: nearer to none it is noise. Measured between
        /// .35 and 2: less costs recordings in which nothing changed a hundredth, more helps less where something did.
        public var sure = 0.5
        /// A change is told where it is beyond so many of its own deviations.
        public var told = 2.0
    }
}
