internal import Bytes
internal import RoomEstimation

extension Parameters {
    /// The timing of a household: receiving, publishing and storing.
    ///
    /// Bounds of tables and queues are declared with what they bound.
    enum Household {
        /// Silence after which an item is no longer certainly present; or five of its own intervals.
        static let quietAfter: Duration = .seconds(10)
        /// Intervals of a beacon's own that pass in silence before it has any effect: one in five lost is common, five
        /// in a row are rare.
        static let intervals = Parameters.gaps
        /// The longest silence that an item's own intervals require before it has left.
        static let longestSilence: Duration = .minutes(15)
        /// Hops with a packet after a pause until its place counts as received, and not only as believed.
        static let hopsAfterPause = 8
        /// A beacon that fell silent within range has left more often than its battery has died or a body covers it;
        /// without a figure of its own yet, an `away` has no more confidence than the locator's slip allows any answer.
        static var awayConfidence: Double { 1 - Parameters.slip }
        /// Number of intervals without a `scan` after which a node is down.
        static let missingScans = 3
        /// The silence of a node that did not listen for more than this share of an interval is no evidence.
        static let mostGap = 0.5
        /// Delay up to which a `scan` is accepted: a quarter of a window for spreading, and the
        /// network.
        static let grace: Duration = .milliseconds(750)
        /// The time after its last message for which another system's node counts as present.
        static let externalPatience: Duration = .seconds(60)
        /// The time for which a lesson waits for its last interval while no message of any arrives.
        static let lessonPatience: Duration = .seconds(5)
        /// The time after its end, and after its last message, for which an interval waits for its `scan`s …
        static let patience: Duration = .milliseconds(300)
        /// … and the most after its end and its first message: beyond a window the next interval would wait for it.
        static let longestWait: Duration = .seconds(1)
        /// The time by which an honest node's interval may lie behind the house's clock …
        static let clockTolerance: Duration = .seconds(60)
        /// … and before it: only a wrong clock publishes an interval before its end.
        static let clockLead: Duration = .seconds(5)
        /// The deviations of an interval's end from the time of its arrival that a right clock can have.
        static let clockDeviations = -clockTolerance...clockLead
        /// Time without a `scan` of any node after which no location is known.
        static let deafAfter: Duration = .seconds(10)
        /// An answer of which only the confidence changes is published again if that moved by this much …
        static let confidenceStep = 0.1
        /// … and at most once in this time.
        static let confidenceSpacing: Duration = .seconds(5)
        /// The time after its publication at which an unchanged answer is published again if the item was received
        /// since: a display of the last packet must not lag by an hour, and a history must not grow by a row a second.
        static let heardSpacing: Duration = .minutes(5)
        /// The time before an item's last packet in which a node's distance was measured that is published: an older one
        /// is of another place.
        static let distanceMemory: Duration = .minutes(1)
        /// The time at a lesson's begin that does not count: the person who began it is still walking.
        static let settling: Duration = .seconds(1)
        /// A lesson with fewer intervals with a packet is discarded.
        static let leastHeard = 3
        /// An item's belief is returned for storage after an eighth of the time for which its answer has held …
        static let keptShare = 8
        /// … but not sooner …
        static let keptSoonest: Duration = .seconds(2)
        /// … and not later: an item in a drawer would wear out a card.
        static let keptLatest: Duration = .minutes(5)
        /// Nodes listed in one explanation, those of the largest weight first.
        static let explainedNodes = 64
        /// Time before a fuser's last sign of life in which it may have decided a move that it failed
        /// to publish.
        static let handover: Duration = .seconds(3)
        /// Time after a takeover in which the fuser before may still decide: the brokers' order of claims is that of the
        /// takeovers, and it may read them later by as long as its claims hold.
        static let overlap: Duration = .seconds(9)
        /// The time of silence after which an item has left, if the configuration sets none.
        static let awayAfter: Duration = .seconds(60)
        /// The same of a phone or a watch: locked it advertises seldom, some for minutes not at all.
        static let phoneAwayAfter: Duration = .minutes(5)
        /// A node's interval until it publishes another: the agent's own.
        static let window: Duration = .seconds(1)
        /// Rooms less likely than this are not published: they are nearer to 0 than to a thousandth.
        static let leastPublished = 0.0005
    }

    /// The rules by which a person goes with its items.
    enum Persons {
        /// An item that does not move for so long before or after another item of the person went to another room was
        /// left behind. Two items that are carried together are published up to 30 s apart (`Household.apart`), twice
        /// that if both advertise seldom. The time is over before the item that went can be `away`, so that a person
        /// who goes out is not held by an item at home.
        static let follow: Duration = .seconds(60)
        /// Time after which one of several items that goes to another room alone moves the person: 19 in 20 moves are
        /// published within 5 s, so that the others have had time, and a mistaken room has often ended.
        static let alone: Duration = .seconds(10)
        /// Soon after the person's last move the time is this …
        static let aloneAgain: Duration = .seconds(30)
        /// … with this as the limit of soon: one item that is published now here and now there must not move the person
        /// to and fro.
        static let again: Duration = .seconds(60)
        /// Decimals of a stored confidence: those that are published.
        static let keptDecimals = 3
    }
}
