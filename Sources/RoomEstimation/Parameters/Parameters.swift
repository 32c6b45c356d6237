/// Every number on which the fusion of windows rests, with its reason.
///
/// "Measured" means: the value that did best, or as well as any, on labelled recordings of real homes with the hops of
/// one second, one set for all of them. Levels are in dB, times in seconds, evidence in nats.
public struct Parameters: Sendable {
    /// The level model that needs no lessons.
    public var nearness = ProximityModel()
    /// The reception of an item room by room, in a house without lessons.
    public var fingerprints = Fingerprints()
    /// The place of an item on the plan of a house.
    public var positions = Positions()
    /// The detection of rest.
    public var rest = ChangePointDetector()
    /// The movement of items in a house without lessons.
    public var motion = Motion()
    /// The training from lessons.
    public var lessons = TrainedModel()
    /// The level of an item beside that of the tag that was taught.
    public var loudness = TransmitterOffset()
    /// The deviation of nodes' reception from the lessons.
    public var refinement = ReceiverDrift()
    /// The trial of lessons on parts of themselves.
    public var trial = CrossValidation()
    /// The detection of deaf nodes.
    public var hearing = ReceiverHealth()
    /// The fit of the lessons to an item.
    public var trust = Trust()
    /// The detection of rooms that were never taught.
    public var elsewhere = UntaughtRoomDetector()
    /// The rules by which the answer changes.
    public var decision = Decision()

    /// The values in use.
    public init() {}

    /// The probability of what is as likely as not: of one of two cases of which nothing is known, or the bound of what is
    /// likelier than not.
    static let even = 0.5
    /// The share of answers that no model explains, late ones for instance. Measured.
    package static let slip = 0.04

    /// The deviation of a node's levels within a room, in dB: bodies, furniture, walls.
    static let deviation = 8.0
    /// The variance of the level of an item that lies still, in dB², by time and channel; and what another tag, another
    /// place in a room or another antenna adds.
    static let packetVariance = 16.0
    /// Gaps of a beacon's own that pass before its silence has an effect: one in five packets lost is common, five in a
    /// row are rare.
    package static let gaps = 5.0
    /// The variance of what is rounded, in dB²: levels come in whole dB.
    static let rounding = 1.0
    /// Seconds after which something that moves is taken to be elsewhere: a slow beacon's next packet often comes from
    /// elsewhere. Measured.
    static let restless = 30.0
    /// Hops for which what is assumed counts beside what was counted.
    static let prior = 3.0
    /// Hops of a lesson after which it counts as much as what is known without it.
    static let few = 10.0
    /// Hops after which half of what was learned of a node's sensitivity is in force. Measured.
    static let offsetHops = 300.0
    /// The most hops that a rest or a mean counts: levels of a house change.
    static let longest = 1000.0
    /// The most seconds that are followed one by one: by then every posterior has settled.
    static let mostSteps = 120.0

    /// Added to each probability before scaling, so that none can vanish for good (the least normal Double is 2e-308).
    static let least = 1e-300
    /// A number that counts for nothing beside others: the least probability that a record retains, and the least variance,
    /// in dB², and weight that are computed with.
    static let tiny = 1e-6
    /// The bound of certainty, so that a few hops can refute it.
    static let leastBelief = 1e-4

    /// The level model that needs no lessons: the nearest node's room.
    public struct ProximityModel: Sendable {
        /// Nats a dB: 6 dB nearer is odds of 2.2 a second; without lessons the evidence of fingerprints is added. Measured.
        public var evidence = 0.13
        /// The same beside lessons, whose evidence is added: measured between .13 and .3.
        public var evidenceTaught = 0.3
        /// The weight of the strongest node of a room; the mean of its nodes has the rest: the maximum alone suits some
        /// homes, the mean others. Measured.
        public var strongest = 0.7
        /// The excess in dB of a node's reception in its own room over that elsewhere: walls take 5 to 15. Less lets
        /// rooms in which much time is spent look like loud nodes, more lets loud nodes look like rooms. Measured
        /// between 6 and 16.
        public var lift = 10.0
        /// Number of hops with the node listening after which half of its excess over the others is subtracted.
        public var offsetHops = Parameters.offsetHops
        /// The level assumed for a node that does not receive the item: below any level that is received.
        public var silent = -105.0
        /// The level above which a lost packet is no silence: 15 dB over the least that radios still receive. It is
        /// assumed, too, for the room of a node that does not listen, if no other node listens there, as long as the
        /// item has not moved since: a neighbour's node often shows it for an item next door.
        public var sure = -85.0
        /// The time spent in a room without a node and without a lesson, as a share of that in a room with one: 0.20 and
        /// 0.46 in the two recorded homes that have such rooms. Measured.
        public var unseenRoom = 0.25
        /// Number of usual gaps, in hops, for which such a node keeps its level …
        public var hold = 2.0
        /// … and for so many seconds at most: the last packet of a slow beacon tells where it was.
        public var holdSeconds = Parameters.restless
        /// The share of each new gap in the usual one: about ten gaps are remembered.
        public var gapShare = 0.1
    }

    /// Detection of rest, over which the level model may take means.
    public struct ChangePointDetector: Sendable {
        /// After n hops, the last after s seconds, a change of place begins with the probability 1 / (n + this / s).
        public var restless = Parameters.restless
        /// The variance of one packet's level at rest, in dB². Measured.
        public var packetVariance = Parameters.packetVariance
        /// The deviation of levels from one place to another, in dB. Measured: with that within a room an item at rest is
        /// taken to have moved while its own node is drowned.
        public var spread = 12.0
        /// The share of silence in a node anywhere else is its usual one within these: a node that hardly ever receives
        /// an item is little evidence by its silence.
        public var silenceElsewhere = 0.5...0.9
        /// The probability in a hop that a node is drowned by another radio …
        public var deafens = 0.01
        /// … and that it receives again, some seconds later.
        public var recovers = 0.3
        /// The memory of a mean, in hops: it follows levels that drift while people walk between, so that a long rest
        /// does not end by mistake. After as many hops with a packet an item counts as resting: fewer lag behind a slow
        /// walker, more leave a person who sits down to chance. Measured.
        public var memory = 15.0
        /// Runs followed at once; similar lengths are merged. With 12, each is half as long as the next.
        public var runs = 12
    }

    /// Moves between rooms.
    public struct Motion: Sendable {
        /// The probability of staying in a room for a second, in a house without lessons. Far below the one that stays
        /// show: errors of neighbouring seconds are correlated, and a stiffer chain overstates them. Measured.
        public var stayAlone = 0.8
        /// The same beside lessons. Measured.
        public var stayTaught = 0.93
        /// A step to a room that has no door to this one, against one that has: a person passed a room unnoticed.
        public var leap = 0.1
        /// A step to another floor, against one on the same floor: stairs take a few seconds, and are few.
        public var stairs = 0.3
    }

    /// Lessons.
    public struct TrainedModel: Sendable {
        /// Taught seconds for each state of a room: enough for a mean and a silence of its own. Measured between 25 and
        /// 90, where it changes little.
        public var stateSeconds = 50
        /// Between two packets of a lesson at most so many seconds apart, levels are interpolated
        /// (`Recording.bridges`): a beacon with a packet a minute offers nothing else to learn places from.
        public var longestBridge = 70.0
        /// The most states in all: their motion takes this number's square of multiplications a hop.
        public var states = 120
        /// Rounds of k-means; it has settled by then.
        public var rounds = 20
        /// Number of starts of k-means, of which the closest is used: chance then affects a house less.
        public var tries = 3
        /// The level of a silent node in clustering, in dB below its weak levels.
        public var belowWeak = 3.0
        /// The quantile of a node's levels that is called weak.
        public var weak = 0.1
        /// The share of a state's or room's own covariance against the pooled one, after long teaching.
        public var own = 0.4
        /// Degrees of freedom of the levels' density: tails that a person in the way does not break.
        public var tail = 8
        /// The levels' weight: above 1, since the decision deals with flaps, and lessons' covariances are widened.
        /// Measured.
        public var weight = 1.3
        /// The share of that weight that stays with the room as a whole, since people do not repeat scripted routes.
        /// Measured.
        public var roomShare = 0.3
        /// A share of silence lies between this and 1 less this: no silence is impossible. Measured with sparse beacons.
        public var leastSilence = 0.03
        /// Transitions between states start as those between their rooms, worth so many seconds. Measured.
        public var statePrior = Parameters.prior
        /// The weight of a move across unlabelled time: its way is unknown.
        public var unseenMove = 0.5
        /// Number of seconds for which the usual moves from a room count, beside those of visitors with the same
        /// origin.
        public var routePrior = Parameters.prior
        /// The probability of staying in a room for a second, on average over the rooms, if a guide set the time of
        /// each stay, so that lessons do not show it: minutes, as people do at home. Measured between .967 and .9995 in
        /// random houses: with less, misleading levels of a moment are believed.
        public var stayGuided = 0.995
    }

    /// The level of an item beside that of the tag that was taught.
    public struct TransmitterOffset: Sendable {
        /// The variance between tags, in dB²: tags and the ways they are carried differ by 4 dB and more, and a wider
        /// prior lets loudness explain a place with few receiving nodes. Measured between 4 and 36, with fewer of the
        /// nodes, too.
        public var variance = Parameters.packetVariance
        /// The share for which a hop counts, for each second since the one before: errors of neighbouring seconds are
        /// correlated. Measured.
        public var share = 0.05
        /// The variance never falls below this, in dB² …
        public var leastVariance = 0.25
        /// … and grows by so much a second: batteries age, and a phone leaves the pocket.
        public var drift = 0.002
        /// The most that a tag, or a node, is louder or fainter, in dB.
        static let most = 30.0
    }

    /// The trial of lessons on parts of themselves.
    public struct CrossValidation: Sendable {
        /// Number of parts, as is usual for cross-validation at little cost: each is kept back once.
        public var parts = 4
        /// The most hops of a recording that are scored, which bounds the time taken: an hour is evidence enough.
        public var longest = 3600
        /// The share to which finer states must cut the loss: less is chance if lessons are few. Measured on simulated
        /// homes.
        public var gain = 0.96
        /// The powers of probabilities that are tried: only lower ones, since correlated errors make a belief
        /// overconfident.
        public var sharpnesses = [1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
        /// The shares of unexplained answers that are tried.
        public var slips = [0.04, 0.02, 0.1, 0.2]
        /// Lessons are doubted if they fit worse than the parts that were kept back of them, by so many nats a node.
        public var margin = 0.1
    }

    /// Detection of deaf nodes: a hidden state of each node.
    public struct ReceiverHealth: Sendable {
        /// The probability that a node without a packet of the item so far is deaf.
        public var deafAtFirst = Parameters.even
        /// The probability a second that a receiving node fails. Tiny, since silences come in runs: at 1e-4 a doorway
        /// looks like a fault. Measured between 1e-5 and 1e-7.
        public var fails = 1e-6
    }

    /// The fit of the lessons to this item: another tag may be louder, or carried otherwise.
    public struct Trust: Sendable {
        /// Degrees of freedom of the lessons' density; wider than in the filter, since here the model itself is tested.
        public var taughtTail = 20
        /// The readings for which the trust counts that a locator starts with: that at which a belief would teach
        /// (`Fingerprints.sure`).
        public var startWeight = 80.0
        /// The nats a node at which lessons and nearness count alike; less if the lessons show it: even ill-fitting
        /// lessons have shapes to fit with. Measured on one tag's lessons used for another.
        public var doubt = 0.34
        /// The softness of that step, in nats a node.
        public var softness = 0.04
    }

    /// Detection of rooms that no lesson covers.
    public struct UntaughtRoomDetector: Sendable {
        /// The probability in a hop with a packet of passing into a taught room from an untaught one, and back.
        /// Measured between 0.01 and 0.03, with rooms of the recordings and of simulated homes left untaught in turn.
        public var moves = 0.02
        /// The weight of the levels: errors of neighbouring hops are correlated. Measured between 0.15 and 1, in the
        /// same way.
        public var weight = 0.5
        /// The share of hops in which no node of its own room receives an item that others receive. Measured: without
        /// it, rooms that nobody ever enters draw some answers to them.
        public var ownSilence = 0.1
    }

    /// The rules by which the answer changes.
    public struct Decision: Sendable {
        /// The requirements of a move.
        public struct Pace: Hashable, Sendable {
            /// The odds, unless a rule requires more.
            public var odds: Double
            /// An item that has rested for n hops requires odds of n / this, less while the same other room is the likeliest
            /// (`wait`).
            public var hops: Double
        }

        /// A house without lessons: its evidence is rougher.
        public var alone = Pace(odds: 1.4, hops: 16)
        /// Beside lessons.
        public var taught = Pace(odds: 1, hops: 50)
        /// Beside lessons of a guide, which show neither the moves of people nor items at rest.
        public var guided = Pace(odds: 4, hops: 2)
        /// The greatest odds that a long rest requires.
        public var mostOdds = 100.0
        /// Seconds with the same other likeliest room after which the odds of a long rest are halved. Measured between 1
        /// and 30.
        public var wait = 10.0
        /// Seconds with the same likeliest room after which a doubt is halved: the levels of a room may have changed,
        /// and an item at its edge must be located in the end. Measured between 30 and without end.
        public var doubtSeconds = 60.0
        /// The odds that a move requires soon after another: people rarely turn on their heel. Measured.
        public var oddsAgain = 20.0
        /// The limit of "soon" after a move, in seconds.
        public var againSeconds = 8.0
        /// The odds that a move requires after a pause in which nobody listened. A hop of lost packets is less evidence,
        /// two that agree are more. Measured on simulated restarts.
        public var oddsResumed = 64.0
        /// The seconds for which it does.
        public var resumedSeconds = 20.0
        /// The share of answers that no model explains, in a house without lessons.
        public var slip = Parameters.slip
    }
}
