extension Parameters {
    /// The rate at which rooms are left by the time that an item has been there, if lessons show it.
    public struct Dwell: Sendable {
        /// Lengths in seconds up to which visits are distinguished; longer ones are alike.
        public var ages = 300
        /// The rate at an age is the mean over ages up to some e^this times as long and as short: a few visits show few
        /// lengths. Measured between .2 and .5.
        public var width = 0.4
        /// Number of visits that ended at the usual pace, added to those seen at an age. Measured between .3 and 3.
        public var prior = 0.5
        /// Ages of a smaller weight in that mean do not count.
        static let leastWeight = 0.01
        /// The greatest probability a second of leaving a place, however late it is, except for places with a greater
        /// one always.
        static let mostLeaving = 0.7
        /// An item that rests for so many times as long as the longest visit that was taught is no visitor. Measured:
        /// at 1 a person who stays a little longer is lost, 1.5 costs nothing.
        public var overdue = 1.5
        /// The odds that are tried for a move between packets, the slowest first. The lessons of a house choose among
        /// them (`CrossValidation`).
        public var odds = [4.0, 2.0, 1.0]
        /// The cost of such a move to a wrong room, in wrong seconds: an unchanged answer is wrong as well by then.
        public var falseMove = 1.0
    }
}
