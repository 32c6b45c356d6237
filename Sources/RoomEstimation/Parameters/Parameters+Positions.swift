extension Parameters {
    /// The place of an item on the plan of a house whose rooms are drawn, or whose nodes have a place.
    public struct Positions: Sendable {
        /// The side of a cell, in metres …
        public var cell = 0.5
        /// … or more, so that there are no more cells than these.
        public var mostCells = 600.0
        /// The greatest distance from the origin of the axes, in metres; a house that reaches farther has no plan.
        public var reach = 10_000.0
        /// The fewest nodes with a place, since with fewer each place has a twin, and the fewest rooms: between fewer a
        /// wall is better evidence than the distance. In a recorded chamber of two, places cost seven seconds of a hundred.
        public var leastNodes = 3
        /// Distance in metres from the outermost nodes to the end of a house without drawn rooms. Measured at .5, 1,
        /// 1.5 and 3.
        public var margin = 1.5
        /// The model for rooms without a node: such a room is answered if the plan is nearly sure and nearness is not.
        /// As in free space, and walls by themselves. Measured on simulated homes: 15 to 25, 4 to 20 and .5 to .7; to
        /// count each wall on the way is no better; a greater share finds more in such rooms, and loses more in the
        /// others: at .55 half as much again, and two seconds of a hundred.
        public var search = Model(decade: 20, wall: 9, share: 0.5)
        /// The model by which the plan supports the nearest node: walls are part of the way. Measured on a hundred
        /// simulated homes, which flap 8 % less by it, and on a recorded one: 20 to 30, 0 to 9 and .3 to .5.
        public var support = Model(decade: 25, wall: 0, share: 0.4)
        /// The loss of a floor beside walls, in dB.
        public var floor = 6.0
        /// The height of a storey, in metres: nodes farther apart are on several floors.
        public var storey = 2.5
        /// The least distance of an item from a node, in metres: one hangs on a wall, the other is in a pocket.
        public var nearest = 1.0
        /// The deviation of a person's place after a second, in metres: people in rooms. Measured.
        public var speed = 0.7
        /// The least probability of a step that is counted, against staying.
        public var leastShare = 0.01
        /// The share that is anywhere a second later, and the one that is on another floor.
        public var jump = 0.05
        /// The deviation of levels from the prediction by distance and walls, in dB: bodies, furniture, fading.
        public var spread = 6.0
        /// The most readings, and silences, that are weighed in a hop: the product stays a number.
        public var mostReadings = 32
        /// The level at which a node receives every other packet, in dBm: as small radios do. Measured between -98 and
        /// -90.
        public var faint = -94.0
        /// The level at one metre, in dBm, before any reading: as most beacons claim.
        public var level = -59.0

        /// The fall of levels in a house, and the weight of the plan.
        public struct Model: Sendable {
            /// The loss over ten times the distance, in dB.
            public var decade: Double
            /// The loss of the walls of the node's room, in dB.
            public var wall: Double
            /// The share of the plan in the belief, beside the nearest node's.
            public var share: Double
        }
    }
}
