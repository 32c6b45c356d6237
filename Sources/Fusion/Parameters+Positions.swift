extension Parameters {
    /// Where an item is on the plan of a house that is drawn, and has rooms without a node.
    public struct Positions: Sendable {
        /// The side of a cell, in metres …
        public var cell = 0.5
        /// … or more, so that there are no more cells than these.
        public var mostCells = 600.0
        /// No house reaches farther from where its axes meet, in metres; one that does has no plan.
        public var reach = 10_000.0
        /// With fewer nodes than these a place has a twin.
        public var leastNodes = 3
        /// What ten times the distance takes, in dB: as in free space, since walls are counted by themselves. Measured on
        /// simulated homes between 15 and 25.
        public var decade = 20.0
        /// What the walls of the node's room take, in dB. Measured on simulated homes between 4 and 20; to count each wall on
        /// the way is no better.
        public var wall = 9.0
        /// What a floor takes beside that, in dB.
        public var floor = 6.0
        /// From floor to floor, in metres.
        public var floorHeight = 3.0
        /// No item comes nearer to a node than this, in metres: one hangs on a wall, the other in a pocket.
        public var nearest = 1.0
        /// The deviation of where somebody is a second later, in metres: people in rooms. Measured.
        public var speed = 0.7
        /// No step is counted that is less likely than this, against staying.
        public var leastShare = 0.01
        /// The share that is anywhere a second later, and …
        public var jump = 0.05
        /// … the one that is on another floor.
        public var stairs = 0.05
        /// The deviation of levels from what distance and walls say, in dB: bodies, furniture, fading.
        public var spread = 6.0
        /// No more readings, nor silences, are weighed in a hop: the product stays a number.
        public var mostReadings = 32
        /// At this level a node hears every other packet, in dBm: as small radios do. Measured between -98 and -90 …
        public var faint = -94.0
        /// … with odds that change e-fold in so many dB: levels differ by packet and by place. Measured between 3 and 8.
        public var softness = 8.0
        /// The share of packets that are lost however loud they are: two send at once. Measured at 0.1 and 0.2.
        public var lost = 0.2
        /// The level at one metre, in dBm, before anything was heard: as most beacons claim …
        public var level = -59.0
        /// … worth so many readings. Measured at 3 and 30.
        public var levelReadings = 3.0
        /// After so many readings half of what a node hears louder is in force. Measured on simulated homes.
        public var offsetReadings = 300.0
        /// The share of this in the belief, beside the nearest node's: a room without a node is answered where this is nearly
        /// sure and nearness is not. Measured on simulated homes between 0.5 and 0.7: more finds more of them, and loses more
        /// in the others: at 0.55 half as much again, and two seconds of a hundred.
        public var share = 0.5
    }
}
