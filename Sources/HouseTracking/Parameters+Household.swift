internal import RoomEstimation

extension Parameters {
    /// When a household hears, tells and remembers. Times are in microseconds.
    ///
    /// Bounds of tables and queues stand with what they bound.
    enum Household {
        /// An item not heard for so long, in microseconds, is no longer surely there; or for five of its own intervals.
        static let quietAfter: Int64 = 10_000_000
        /// How many of a beacon's own intervals pass in silence before anything is made of it: one in five lost is common,
        /// five in a row are rare.
        static let intervals = 5.0
        /// The longest silence, in microseconds, that an item's own intervals ask for before it has left.
        static let longestSilence: Int64 = 900_000_000
        /// Hops with a packet after a pause until its place counts as heard, and not only as believed.
        static let hopsAfterPause = 8
        /// A beacon that fell silent within earshot has left more often than its battery has died or a body covers it; with
        /// no figure of its own yet, an `away` claims no more than the locator's slip allows any answer.
        static let awayConfidence = 0.96
        /// A node whose `scan` has been missing for so many intervals is down.
        static let missingScans: Int64 = 3
        /// A node that didn't listen for more than this share of an interval says nothing by its silence.
        static let mostGap = 0.5
        /// How late a `scan` may come, in microseconds: a quarter of a window for spreading, and the network.
        static let grace: Int64 = 750_000
        /// Microseconds after its last word for which another system's node counts as there.
        static let foreignPatience: Int64 = 60_000_000
        /// Microseconds that a lesson waits for its last interval while nothing is heard of any.
        static let lessonPatience: Int64 = 5_000_000
        /// Microseconds after its end, and after its first message, for which an interval waits for its `scan`s.
        static let patience: Int64 = 300_000
        /// Microseconds by which an honest node's interval may lie behind the house's clock …
        static let clockTolerance: Int64 = 60_000_000
        /// … and before it: no interval is told before its end but by a clock that is wrong.
        static let clockLead: Int64 = 5_000_000
        /// With no `scan` of any node for so long, in microseconds, nothing can be said of anything.
        static let deafAfter: Int64 = 10_000_000
        /// An answer that is only surer or less sure is told again when its confidence moved by this much …
        static let confidenceStep = 0.1
        /// … and not more often than after so many microseconds.
        static let confidenceSpacing: Int64 = 5_000_000
        /// So many microseconds after it was told an answer that hasn't changed is told again where the item was heard since:
        /// whoever is shown when it was heard last must not be shown an hour ago, and nobody is to record each second.
        static let heardSpacing: Int64 = 300_000_000
        /// Microseconds at a lesson's begin that don't count: whoever began it still walks.
        static let settling: Int64 = 1_000_000
        /// A lesson of fewer intervals with a packet teaches nothing.
        static let leastHeard = 3
        /// What is believed of an item is given out to be kept after an eighth of the time for which its answer has stood …
        static let keptShare: Int64 = 8
        /// … but not before so many microseconds …
        static let keptSoonest: Int64 = 2_000_000
        /// … and not later: what lies in a drawer would wear out a card.
        static let keptLatest: Int64 = 300_000_000
        /// Nodes that one explanation names, those that weigh most first.
        static let explainedNodes = 64
        /// How long before a fuser's last sign of life, in microseconds, it may have decided what it died before telling.
        static let handover: Int64 = 3_000_000
        /// Microseconds of silence after which an item has left, where the configuration doesn't say.
        static let awayAfter: Int64 = 60_000_000
        /// The same of a phone or a watch: locked it speaks seldom, some for minutes not at all.
        static let phoneAwayAfter: Int64 = 300_000_000
        /// A node's interval in microseconds until it tells another: the agent's own.
        static let window: Int64 = 1_000_000
        /// Rooms less likely are not told: they are nearer to 0 than to a thousandth.
        static let leastTold = 0.0005
    }

    /// When a person goes with its items. Times are in microseconds.
    enum Persons {
        /// What doesn't move for so long before or after another item of the person went to another room was left behind. Two
        /// items that are carried together are told apart by up to 30 s (`Household.apart`), twice that where both advertise
        /// seldom; and it is over before the one that went can be `away`, so that a person who goes out is not held by what
        /// lies at home.
        static let follow: Int64 = 60_000_000
        /// One of several items that goes to another room alone takes the person with it after so long: 19 in 20 moves are told
        /// within 5 s, so that the others have had time, and a room that was a mistake often has ended.
        static let alone: Int64 = 10_000_000
        /// Soon after the person's last move that asks for so much …
        static let aloneAgain: Int64 = 30_000_000
        /// … where soon is this: one item that is told now here and now there must not take the person to and fro.
        static let again: Int64 = 60_000_000
        /// Decimals of a confidence that is kept: those that are told.
        static let keptDecimals = 3
    }
}
