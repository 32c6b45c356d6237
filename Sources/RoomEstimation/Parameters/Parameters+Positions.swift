extension Parameters {
    /// Where an item is on the plan of a house whose rooms are drawn, or whose nodes have a place.
    public struct Positions: Sendable {
        /// The side of a cell, in metres …
        public var cell = 0.5
        /// … or more, so that there are no more cells than these.
        public var mostCells = 600.0
        /// No house reaches farther from where its axes meet, in metres; one that does has no plan.
        public var reach = 10_000.0
        /// With fewer nodes than these that have a place, each place has a twin.
        public var leastNodes = 3
        /// Between fewer rooms than these a wall says more than the way: in a recorded chamber of two, places cost seven seconds of
        /// a hundred.
        public var leastRooms = 3
        /// Where rooms aren't drawn the house ends so far beyond its outermost nodes, in metres. Measured at .5, 1, 1.5 and 3.
        public var margin = 1.5
        /// Where a room without a node is looked for: it is answered where the plan is nearly sure and nearness is not. As in free
        /// space, and walls by themselves. Measured on simulated homes: 15 to 25, 4 to 20 and .5 to .7; to count each wall on the
        /// way is no better; a greater share finds more in such rooms, and loses more in the others: at .55 half as much again,
        /// and two seconds of a hundred.
        public var search = Model(decade: 20, wall: 9, share: 0.5)
        /// Where the plan bears the nearest node out: walls are part of the way. Measured on a hundred simulated homes, which flap 8 %
        /// less by it, and on a recorded one: 20 to 30, 0 to 9 and .3 to .5.
        public var support = Model(decade: 25, wall: 0, share: 0.4)
        /// What a floor takes beside walls, in dB.
        public var floor = 6.0
        /// From floor to floor, in metres.
        public var floorHeight = 3.0
        /// Nodes that hang farther apart than this in height are on several floors, in metres: of one they are between a socket
        /// and the ceiling.
        public var storey = 2.3
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

        /// How levels fall in a house, and how far that decides.
        public struct Model: Sendable {
            /// What ten times the distance takes, in dB.
            public var decade: Double
            /// What the walls of the node's room take, in dB.
            public var wall: Double
            /// The share of the plan in the belief, beside the nearest node's.
            public var share: Double
        }
    }
}
