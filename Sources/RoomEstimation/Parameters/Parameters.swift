/// Every number that the fusion of windows rests on, with its reason.
///
/// "Measured" means: the value that did best, or as well as any, on labelled recordings of real homes with the hops of
/// one second, one set for all of them. Levels are in dB, times in seconds, evidence in nats.
public struct Parameters: Sendable {
    /// The level model that needs no lessons.
    public var nearness = Nearness()
    /// How an item is heard room by room, where nobody taught it.
    public var fingerprints = Fingerprints()
    /// Where an item is on the plan of a house.
    public var positions = Positions()
    /// Whether an item lies still.
    public var rest = Rest()
    /// How items move about, where nobody taught it.
    public var motion = Motion()
    /// What is made of lessons.
    public var lessons = Lessons()
    /// How soon rooms are left by how long an item has been there.
    public var dwell = Dwell()
    /// Boundaries between rooms, beside the densities that lessons make.
    public var boundaries = Boundaries()
    /// Errors of levels that last.
    public var shadowing = Shadowing()
    /// How loud an item is beside the tag that was taught.
    public var loudness = Loudness()
    /// How much otherwise nodes hear than they were taught.
    public var refinement = Refinement()
    /// How lessons are tried on parts of themselves.
    public var trial = Trial()
    /// Whether a node hears at all.
    public var hearing = Hearing()
    /// Whether the lessons fit this item.
    public var trust = Trust()
    /// Whether it is in a room that was never taught.
    public var elsewhere = Elsewhere()
    /// When to change the answer.
    public var decision = Decision()

    /// The values in use.
    public init() {}

    /// Added to each probability before scaling, so that none can vanish for good (the least normal Double is 2e-308).
    static let least = 1e-300

    /// The least probability that a record of a belief retains.
    static let leastKept: Float = 1e-6

    /// No variance among levels, in dB², is less: rounding must not make a matrix singular.
    static let leastVariance = 1e-6

    /// Hops that were left out are made up for as empty ones, at most so many: by then every posterior has settled.
    static let mostSteps = 120

    /// The level model that needs no lessons: the nearest node's room.
    public struct Nearness: Sendable {
        /// Nats a dB for a house without lessons: 6 dB nearer is odds of 2.2 a second; what fingerprints say is added. Measured.
        public var evidenceAlone = 0.13
        /// Nats a dB beside lessons, where the other filter handles the doubtful cases. Measured.
        public var evidenceTaught = 0.3
        /// The strongest node of a room speaks with this share, the mean of its nodes with the rest: the maximum
        /// alone suits some homes, the mean others. Measured.
        public var strongest = 0.7
        /// So much of a node's usual level is taken off its levels in a house without lessons. Silence counts in what is usual,
        /// and being in the node's own room doesn't (`lift`), so that this trusts time to be spread evenly much less than a
        /// plain mean would; the rest is left to chance. Measured, on simulated homes too.
        public var offsetAlone = 0.9
        /// After so many hops in which the node listened, half of that offset is in force. Measured.
        public var offsetAloneSeconds = 400.0
        /// In its own room a node hears an item so many dB louder than elsewhere: walls take 5 to 15. Less lets rooms where
        /// much time is spent look like loud nodes, more lets loud nodes look like rooms. Measured between 6 and 16.
        public var lift = 10.0
        /// So much of the mean level that a node has heard is taken off beside lessons: half-way between trusting gains to be
        /// equal and trusting time to be spread evenly. Measured.
        public var offsetTaught = 0.3
        /// After so many hops heard, half of that offset is in force.
        public var offsetTaughtSeconds = 600.0
        /// The level that a node which doesn't hear the item stands for: below any level that is received.
        public var silent = -105.0
        /// A node that doesn't listen says nothing. Its room, where no other node listens, is given this level as far as the
        /// item hasn't moved since: one that a neighbour's node often shows for an item that lies next door.
        public var blind = -85.0
        /// A lost packet is no silence where the level stood above this: 15 dB over what radios still receive.
        public var sure = -85.0
        /// Such a node keeps its level for so many of its usual gaps, in hops.
        public var hold = 2.0
        /// The share of each new gap in the usual one: about ten gaps are remembered.
        public var gapShare = 0.1
    }

    /// Whether an item lies still, and the level model may take means over its rest.
    public struct Rest: Sendable {
        /// A rest is taken for one after so many hops with a packet: shorter means lag behind who walks slowly, longer ones
        /// leave those who sit down to chance. Measured.
        public var hops = 18.0
        /// What never moved since it was heard first rests after so many: most things lie about.
        public var firstHops = 8.0
        /// After n hops, the last after s seconds, a change of place begins with the chance 1 / (n + this / s): what moves is
        /// taken to move every half minute, so that a slow beacon's next packet often comes from elsewhere. Measured.
        public var restless = 30.0
        /// The deviation of one packet's level at rest, in dB: fades over place, channel and time. Measured.
        public var packetDeviation = 5.0
        /// The deviation that no number of packets in a hop makes smaller, in dB: levels come in whole dB.
        public var leastDeviation = 1.0
        /// The deviation of levels from one place to another, in dB.
        public var spread = 12.0
        /// The share of silence in a node anywhere else is its usual one within these: what hardly ever hears an item says
        /// little by not hearing it.
        public var silenceElsewhere = 0.5...0.9
        /// The chance in a hop that a node is drowned by another radio …
        public var deafens = 0.01
        /// … and that it hears again, some seconds later.
        public var recovers = 0.3
        /// A strong node that hears less than this share of packets heard strays; one that listens half the time is none.
        public var seldom = 0.2
        /// No rest counts for more hops.
        public var longest = 1000.0
        /// A mean remembers so many hops in a house without lessons: it follows levels that drift while people walk between, so
        /// that a long rest doesn't end by mistake. In eight hours what lay still in a simulated home moved once, and ten
        /// times with 30; walks are noticed a second later. Measured.
        public var memoryAlone = 15.0
        /// The same beside lessons.
        public var memoryTaught = 30.0
        /// A remembered rest less likely than this is none: it goes on after a restart only where it is likelier than not.
        static let leastResumed = 0.5
        /// Runs followed at once; lengths that are alike are taken together. With 12, each is half as long as the next.
        public var runs = 12
    }

    /// Moves between rooms.
    public struct Motion: Sendable {
        /// The chance to stay in a room for a second, in a house without lessons. Far below what dwelling tells: levels
        /// of neighbouring seconds err together, and a stiffer chain believes them too much. Measured.
        public var stayAlone = 0.8
        /// The same beside lessons. Measured.
        public var stayTaught = 0.93
        /// A step to a room that has no door to this one, against one that has: someone passed a room unnoticed.
        public var leap = 0.1
        /// A step to another floor, against one on the same floor: stairs take a few seconds, and are few.
        public var stairs = 0.3
    }

    /// Lessons.
    public struct Lessons: Sendable {
        /// A room is split into one state for so many taught seconds: 70 are enough for a mean and a silence of its own, and
        /// 25 do better where paths repeat. Which is right in a house its lessons say (`Trial`); the simplest first. Measured
        /// between 50 and 90, where it changes little.
        public var stateSeconds = [70, 25]
        /// Between two packets of a lesson levels are taken to pass from one's to the other's (`Recording.bridges`), where they
        /// are at most so many seconds apart: of a beacon that speaks once a minute there is nothing else to learn places from.
        public var longestBridge = 70
        /// A second between two packets counts as so much of one with a packet. Measured between .15 and 1, where it changes little.
        public var bridge = 0.7
        /// At most so many states a room …
        public var states = 36
        /// … and so many in all: their motion takes this number's square of multiplications a hop.
        public var allStates = 120
        /// Rounds of k-means; it has settled by then.
        public var rounds = 20
        /// So many starts of k-means, of which the closest is taken: chance parts a house less. More starts change nothing.
        /// Measured.
        public var tries = 3
        /// A silent node counts in clustering as so many dB below its weak levels.
        public var belowWeak = 3.0
        /// The quantile of a node's levels that is called weak.
        public var weak = 0.1
        /// The share of a state's or room's own covariance against the pooled one, once it has been taught long.
        public var own = 0.4
        /// After so many hops, half of that share is in force.
        public var ownSeconds = 40.0
        /// Variance, in dB², added to a state's own covariance: levels come in whole dB, and lessons are few.
        public var ownRidge = 1.0
        /// Variance, in dB², added to the pooled covariance.
        public var pooledRidge = 0.5
        /// Variance, in dB², that the pooled covariance starts from: that of packets' levels in homes (`Rest`) …
        public var priorVariance = 36.0
        /// … worth so many readings a node: a few lessons of a slow beacon know no covariance. Measured at one a minute.
        public var priorSeconds = 10.0
        /// Lessons of so many hops with a packet a room decide as much as nearness does; of four times as many, eight times as
        /// much. Measured between 3 and 30 and with powers of 1 to 4, on packets 5, 15, 30 and 60 s apart.
        public var fewHops = 10.0
        /// Lessons that were tried part by part may be surer than the parts showed: what judges a part was made from less. With
        /// so many hops a room by half, with ten times as many by a tenth. Measured between 10 and 80.
        public var partHops = 15.0
        /// Degrees of freedom of the levels' density: tails that a person in the way doesn't break.
        public var tail = 8
        /// The levels' weight: above 1, since the decision deals with flaps, and lessons' covariances are widened.
        /// Measured.
        public var weight = 1.3
        /// So much of that weight stays with the room as a whole, since people do not repeat scripted routes. Measured.
        public var roomShare = 0.3
        /// A share of silence lies between this and 1 less this: no silence is impossible. Measured with sparse beacons.
        public var leastSilence = 0.03
        /// A room's share of silence starts as the house's, worth so many hops.
        public var roomSilencePrior = 3.0
        /// A state's share of silence starts as its room's, worth so many hops.
        public var stateSilencePrior = 2.0
        /// Transitions between states start as those between their rooms, worth so many seconds.
        public var statePrior = 3.0
        /// Added to each count of moves between two rooms.
        public var movePrior = 0.02
        /// Added to the count of seconds stayed in a room.
        public var stayPrior = 1.0
        /// A move across unlabelled time counts so much: where it went in between nobody knows.
        public var unseenMove = 0.5
        /// What is usual from a room counts as so many seconds beside what those did who had come the same way. Measured
        /// between 1 and 20.
        public var routePrior = 5.0
        /// The chance to stay in a room for a second, on average over the rooms, where a guide said how long to stay, so
        /// that lessons can't tell: minutes, as people do at home. Measured between .967 and .9995 in random houses: with less,
        /// what misleads for a moment is believed.
        public var stayGuided = 0.995
        /// No room is left with a greater chance a second.
        public var mostLeaving = 0.5
        /// What doors tell of where one goes from a room counts as so many moves that a guide had made.
        public var doorPrior = 2.0
        /// No state begins with less when other lessons are put in force: they may know better than those before.
        static let leastBelief = 1e-3
    }

    /// Errors of levels that last longer than a hop.
    public struct Shadowing: Sendable {
        /// How an error is followed.
        public struct Memory: Hashable, Sendable {
            /// What is kept of it a second.
            public var keeps: Double
            /// The share of each hop's own error in it.
            public var share: Double
        }

        /// No memory: each hop errs anew.
        static let none = Memory(keeps: 0, share: 0)

        /// What is tried, the simplest first: none suits a tag on a pole; one and five seconds suit tags on bodies that
        /// turn; longer ones cling to a wrong room. Which is right in a house its lessons say (`Trial`); finer steps change little. Measured.
        public var memories = [
            Shadowing.none, Memory(keeps: 0.5, share: 0.4), Memory(keeps: 0.8, share: 0.2),
        ]
    }

    /// How loud an item is beside the tag that was taught.
    public struct Loudness: Sendable {
        /// The variance between tags, in dB²: tags and the ways they are carried differ by 4 dB and more, and a wider prior lets
        /// loudness explain a place where few nodes hear. Measured between 4 and 36, with fewer of the nodes, too.
        public var variance = 16.0
        /// What a hop tells counts by this share a second since the one before: levels of neighbouring seconds err
        /// together. Measured.
        public var share = 0.05
        /// The variance never falls below this, in dB² …
        public var leastVariance = 0.25
        /// … and grows by so much a second: batteries age, and a phone leaves the pocket.
        public var drift = 0.002
        /// No tag is louder or fainter by more, in dB.
        public var most = 30.0
    }

    /// How lessons are tried on parts of themselves.
    public struct Trial: Sendable {
        /// In so many parts, as is usual for cross-validation at little cost: each is kept back once.
        public var parts = 4
        /// At most so many hops of a recording are judged, which bounds the time taken: an hour tells enough.
        public var longest = 3600
        /// Finer states must cut the loss to this share: less is chance where lessons are few. Measured on simulated homes.
        public var gain = 0.96
        /// Boundaries must cut it to this share, for the same reason. Measured.
        public var gainOfBlends = 0.98
        /// Routes must cut it to this share, for the same reason. Measured between 0.95 and 0.99.
        public var gainOfRoutes = 0.97
        /// Lengths of visits must cut it to this share, for the same reason. Measured between 0.97 and 1.
        public var gainOfDwell = 0.97
        /// The powers of probabilities that are tried: only lower ones, since what errs together is believed too much.
        public var sharpnesses = [1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
        /// The shares of unexplained answers that are tried.
        public var slips = [0.04, 0.02, 0.1, 0.2]
        /// What a move asks for first: where people only pass, the likelier room must win at once. Who is followed room by
        /// room stands still for a minute, and goes on. Measured between 34 and 240 hops.
        public var pace = Decision.Pace(odds: 1, restHops: 240)
        /// Where a stay is longer than this on average, in seconds, those odds grow with its square. Measured between 30 and 60 s.
        /// In random houses odds of 1 to 4 tell as many seconds right, the higher ones with fewer flaps.
        public var usualStay = 45.0
        /// … to so many times at most: higher ones are slow to leave a room whose node is deaf. Measured between 2 and 4.
        public var mostOdds = 2.5
        /// The higher odds that are tried beside those, the quickest first, where in most seconds nothing is heard: a wrong answer
        /// stands until the next packet. With denser packets a trial finds nothing but chance. Higher ones cost more seconds
        /// than they save moves. Measured.
        public var slowerOdds = [1.5, 2.0]
        /// What a move asks for where a guide taught: that shows neither how people move nor how other tags sound, nor what
        /// lies about. Measured in random houses (`etc/proofs/run houses --guided 60`): with odds of 1, no hold and half a
        /// minute a room (`stayGuided`) things at rest move sixty times as often.
        public var paceGuided = Decision.Pace(odds: 4, restHops: 34)
        /// A move to a wrong room counts as so many wrong seconds: what follows the answer is switched for nothing.
        public var falseMove = 2.0
        /// Waiting must save so many seconds: less is chance.
        public var patience = 10.0
        /// Lessons are doubted where they fit worse than what was kept back of them by so many nats a node.
        public var margin = 0.1
    }

    /// Whether a node hears at all: a hidden state of its own.
    public struct Hearing: Sendable {
        /// The chance that a node which has not heard the item yet is deaf.
        public var deafAtFirst = 0.5
        /// The chance a second that a hearing node fails. Tiny, since silences come in runs: at 1e-4 a doorway looks
        /// like a fault. Measured between 1e-5 and 1e-7.
        public var fails = 1e-6
        /// The chance a second that a deaf node is mended.
        public var mends = 1e-3
    }

    /// Whether the lessons fit this item: another tag may be louder, or carried otherwise.
    public struct Trust: Sendable {
        /// Degrees of freedom of the lessons' density; wider than in the filter, since it judges the model.
        public var taughtTail = 20
        /// Were there no lessons: a node's own room is so many dB louder than the others …
        public var lift = 6.0
        /// … with so much spread, in dB, and the tails of 4 degrees of freedom.
        public var spread = 8.0
        /// The share of each hop in the running mean level that this is measured from.
        public var meanShare = 0.05
        /// Evidence of one hop, in nats a node, is cut off beyond this: no hop is worth more.
        public var cut = 1.0
        /// The trust that a locator starts with, in nats a node …
        public var start = 0.4
        /// … worth so many readings.
        public var startWeight = 80.0
        /// What is kept a second: half is forgotten in six minutes.
        public var keeps = 0.998
        /// Forgetting stops here: the next reading outweighs it all the same.
        static let leastWeight = 1e-6
        /// Lessons and nearness count alike at so many nats a node, or less where the lessons show it: even ill-fitting lessons have shapes to fit with.
        /// Measured on one tag's lessons used for another.
        public var doubt = 0.27
        /// How soft that step is, in nats a node.
        public var softness = 0.04
        /// Beliefs that are added by their shares are less sure than either deserves (Ranjan & Gneiting, Combining probability
        /// forecasts, 2010). What is told is raised to the power 1 + this · w · (1 - w), w the share of the lessons; what is
        /// decided isn't. Measured between 2 and 5: halves the error of what is claimed about beacons that speak seldom.
        public var pooling = 3.5
    }

    /// Whether an item is in a room that no lesson knows.
    public struct Elsewhere: Sendable {
        /// The chance in a hop with a packet to pass into a taught room from one that wasn't, and back. Measured between 0.01
        /// and 0.03, with rooms of the recordings and of simulated homes left untaught in turn.
        public var moves = 0.02
        /// The weight of the levels: neighbouring hops err together. Measured between 0.15 and 1, in the same way.
        public var weight = 0.5
        /// The share of hops in which no node of its own room hears an item that others hear. Measured: without it, rooms that
        /// nobody ever enters draw some answers to them.
        public var ownSilence = 0.1
        /// The share of silence there in a node that the lessons know, where it alone must tell: nobody knows.
        public var silence = 0.5
        /// Nothing is surer than this, so that a few hops can say otherwise.
        public var least = 1e-4
    }

    /// When to change the answer.
    public struct Decision: Sendable {
        /// What a move asks for.
        public struct Pace: Hashable, Sendable {
            /// The odds, where nothing asks for more.
            public var odds: Double
            /// What has lain still for n hops must show (n / this)² times as much: chance tries anew in each hop, and the sum
            /// of 1 / n² is bounded, so that even an endless rest ends by mistake only so often.
            public var restHops: Double
        }

        /// What a move asks for in a house without lessons: its evidence is rougher. The odds are measured, the hops on simulated
        /// homes. Beside lessons `Trial` says it.
        public var alone = Pace(odds: 1.4, restHops: 34)
        /// The odds that a move asks for soon after another: halves the flaps, and costs little, since people rarely
        /// turn on their heel. Measured.
        public var oddsAgain = 8.0
        /// What is asked of a rest holds for so many seconds after it has ended: the end may be the mistake.
        public var restSeconds = 20.0
        /// The odds that a move asks for, for `restSeconds`, after a pause in which nobody listened: the rest that would hold
        /// it is not known any more. A hop of lost packets tells less, two that agree tell more. Measured on simulated restarts.
        public var oddsResumed = 64.0
        /// A doubt is halved when the same room has been the likeliest for so many hops: how a room sounds may have changed, and
        /// what lies at its edge must be told in the end. Measured between 30 and without end.
        public var doubtHops = 60.0
        /// Beside lessons the odds of a move, and the hold of a rest, are halved when the same room has been the likeliest for
        /// so many hops. Measured between 10 and without end in random houses.
        public var wearHops = 30.0
        /// A move between packets asks for so many times the odds when the next packet took back the last two such moves, for
        /// twice as many after three, and so on: what was put down where others pass shall not be guessed away for ever.
        public var mistaken = 4.0
        /// So high may odds against a kept answer be until it is thought to be less likely than the other room. Measured: from 8 to
        /// 60 it changes little.
        public var keptOdds = 20.0
        /// How long after a move "soon" is, in seconds.
        public var againSeconds = 8.0
        /// The share of answers that no model explains, late ones for instance, in a house without lessons. Measured.
        public var slip = 0.04
    }
}
