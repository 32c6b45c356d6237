extension Parameters {
    /// The reception of an item room by room, learned from its own way through a house without lessons.
    public struct Fingerprints: Sendable {
        /// The share of fingerprints in the evidence: hops are correlated, and one body shades many nodes. A greater
        /// share follows them in their errors, a smaller one is of little use. Measured between .2 and .8, on simulated
        /// homes too.
        public var share = 0.4
        /// The most evidence of a node for or against a room, in nats, before `share`: a packet may lie far from all rooms.
        /// Measured between 2 and 3.
        public var cut = 3.0
        /// The probability from which a belief teaches: with less it would teach the room's error, with more hardly
        /// anything. Measured between .8 and .97.
        public var sure = 0.95
        /// Number of hops like those of all rooms, added to a room's own in its mean: the levels of some seconds are
        /// chance. From as many on a fingerprint is known. Measured between 30 and 100.
        public var prior = 60.0
        /// The increase in nats of the odds required to leave a room whose fingerprint is known: the evidence is better
        /// then, and its errors are correlated. Measured between 0 and 1.3, on simulated homes too: a quarter fewer
        /// flaps, and half the moves at rest.
        public var leaving = 1.0
        /// The further increase in nats to enter a room, less the excess with which it explains the hop over a chance
        /// match by any of the known rooms: an item in a place without a node matches no room, and shall wait in its
        /// last one; but not for good (`Decision.doubtSeconds`). Measured between 0 and 4, on simulated homes too.
        public var doubt = 3.0
    }
}
