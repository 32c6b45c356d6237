extension Parameters {
    /// How soon rooms are left by how long an item has been there, where lessons show it.
    public struct Dwell: Sendable {
        /// Visits are told apart up to so many seconds; longer ones are alike.
        public var ages = 300
        /// What is known of an age is the mean over those up to some e^this times as long and as short: a few visits show few
        /// lengths. Measured between .2 and .5.
        public var width = 0.4
        /// So many visits that ended at the usual pace are added to those seen at an age. Measured between .3 and 3.
        public var prior = 0.5
        /// Ages whose weight in that mean is less don't count.
        static let leastWeight = 0.01
        /// However late it is, no place is left with a greater chance a second, but for those that always are.
        static let mostLeaving = 0.7
        /// What lies still so many times as long as the longest visit that was taught is no visitor. Measured: at 1 a person
        /// who stays a little longer is lost, 1.5 costs nothing.
        public var overdue = 1.5
        /// The odds that are tried for a move between packets, the slowest first. Which suit a house its lessons say (`Trial`).
        public var odds = [4.0, 2.0, 1.0]
        /// Such a move to a wrong room counts as so many wrong seconds: who answers nothing new is wrong as well by then.
        public var falseMove = 1.0
    }
}
