extension Parameters {
    /// How an item is heard room by room, learned from its own way through a house that nobody taught.
    public struct Fingerprints: Sendable {
        /// What they say counts by this share: hops follow one another, and one body stands before many nodes. More follows
        /// them where they err, less is of little use. Measured between .2 and .8, on simulated homes too.
        public var share = 0.4
        /// The deviation of a node's level within a room, in dB, silence as `Nearness.silent`. Measured between 7 and 10.
        public var deviation = 8.0
        /// No node says more for or against a room than so many nats, before `share`. Measured between 2 and 3.
        public var cut = 3.0
        /// Only what is believed with this probability teaches: less would teach the room's error, more hardly any. Measured
        /// between .8 and .97.
        public var sure = 0.95
        /// A room's mean is drawn to that of all rooms as if so many of its hops had been like all: what was heard for some
        /// seconds is chance. Measured between 30 and 100.
        public var prior = 30.0
        /// A mean remembers so many hops, and follows a house that changes; twenty minutes in each room are enough. Measured
        /// from 300.
        public var memory = 1200.0
        /// Hops of a lesser share teach nothing.
        static let leastShare = 0.01
        /// A node that hasn't heard the item for so many of its usual gaps doesn't speak for rooms where it usually doesn't:
        /// it may have gone deaf. Measured: with 3 and 10, half of what a deaf node would cost else, or less.
        public var gaps = 10.0
        /// To leave a room whose sound is known asks for odds higher by so many nats: the evidence is better then, and errs
        /// together. Measured between 0 and 1.3, on simulated homes too: a quarter fewer flaps, and half the moves at rest.
        public var leaving = 1.0
        /// So many nats more asks a room to be entered, less what it explains the hop better by than any of the known rooms
        /// would by chance: what is in a place without a node sounds like no room, and shall wait where it was; but not for
        /// good (`Decision.doubtHops`). Measured between 0 and 4, on simulated homes too.
        public var doubt = 3.0
        /// Of a room that was learned in fewer hops nobody knows how it sounds. Measured between 20 and 250.
        public var known = 45.0
    }
}
