package import Bytes

/// The room of one item: consumes its hops in order of time and holds the belief, the answer and the reason.
///
/// It has three replaceable parts: a likelihood (`ProximityModel`, and `StateFilter` with lessons or a `FloorPlan` with known
/// places), a `Motion` and a `Decision`. A locator is a value; copies of a fresh one share house, motion and lessons.
/// Without lessons its cost is proportional to the nodes that ever received the item, and to the square of the rooms; a
/// hop allocates nothing.
///
///     var locator = Locator(house: house)
///     let answer = locator.weigh(Hop(end: end, readings: [.init(node: kitchen, level: -61, count: 4)]))
///     if answer.moved { … }
public struct Locator: Sendable {
    /// The answer after the last hop.
    public internal(set) var answer = Answer()
    /// The probability of each room, by index; they sum to 1 after the first reading, and are all 0 before.
    public private(set) var probabilities: [Double]

    private var surroundings: Surroundings
    var nearness: ProximityModel
    var filter = RoomFilter()
    private var positions: PositionFilter
    var taught: StateFilter?
    var trust: Trust
    var elsewhere: UntaughtRoomDetector
    var decision: Decision
    private var calibration: Calibration
    /// The end of the last hop.
    package var lastEnd: Timestamp?
    /// The seconds until the end of the last hop by which belief has not moved on yet; negative if it is ahead.
    private var remainder = 0.0
    /// The share that the last step held in place; a packet of the same second in a later hop releases it.
    private var heldLast = 0.0
    /// Seconds since the last hop with a reading of a node that has a room.
    private var pause = 0.0
    /// True if it continues after a pause, and has had no evidence since.
    var isResumed = false

    /// A locator without any observation, with or without lessons.
    public init(house: House, lessons: TrainedModel? = nil, parameters: Parameters = Parameters()) {
        self.init(Surroundings(house: house, taught: lessons?.rooms, parameters: parameters), lessons)
    }

    private init(_ surroundings: Surroundings, _ lessons: TrainedModel?) {
        let parameters = surroundings.parameters
        self.surroundings = surroundings
        nearness = ProximityModel(isTaught: lessons != nil, parameters: parameters)
        positions = PositionFilter(parameters: parameters.positions)
        taught = lessons.map { StateFilter(lessons: $0, parameters: parameters) }
        trust = Trust(parameters: parameters)
        elsewhere = UntaughtRoomDetector(parameters: parameters)
        decision = Decision(pace: Self.pace(lessons, parameters), parameters: parameters.decision)
        calibration = lessons?.choice.calibration ?? Calibration(slip: parameters.decision.slip)
        probabilities = [Double](repeating: 0, count: surroundings.house.rooms.count)
    }

    private static func pace(_ lessons: TrainedModel?, _ parameters: Parameters) -> Parameters.Decision.Pace {
        guard let lessons else { return parameters.decision.alone }
        return lessons.choice.isGuided ? parameters.decision.guided : parameters.decision.taught
    }

    /// Clears the place of the item, and starts anew in the same house with the same lessons. Reception by the nodes
    /// does not depend on the place, and stays: each node's usual level, the fingerprints of rooms, loudness, and
    /// deviations from the lessons.
    public mutating func forget() {
        let (known, hearing) = (taught, nearness)
        self = Locator(surroundings, known?.lessons)
        nearness.takeOver(hearing)
        guard let known else { return }
        taught?.loudness = known.loudness
        taught?.refinement = known.refinement
    }

    /// Clears the observations of a node that no longer exists, by its index, which will be another's. Lessons must not
    /// refer to it.
    package mutating func forget(node: Int) {
        nearness.forget(node)
        positions.forget(node)
    }

    /// Moves nodes to their present rooms, by their indices.
    package mutating func follow(_ moved: [Int]) { nearness.follow { moved.contains($0) } }

    /// Clears a room that no longer exists, by its index, which will be another's. Neither the answer nor lessons may
    /// refer to it.
    package mutating func forget(room: Int) {
        nearness.forget(room: room)
        filter.forget(room)
        if room < probabilities.count { probabilities[room] = 0 }
    }

    /// The house that it locates in.
    public var house: House { surroundings.house }

    /// Continues in a house that has more rooms, nodes or doors, or other places for its nodes.
    ///
    /// Indices must have the same meaning as before, as they do in any later state of the same `House`. For many items
    /// make one locator of the new house and use `update(like:)`, so that all share it.
    public mutating func update(_ house: House) {
        furnish(Surroundings(house: house, taught: taught?.lessons.rooms, parameters: surroundings.parameters))
    }

    /// Continues in the house of another locator, and shares its storage. Both have lessons, or neither has.
    public mutating func update(like other: Locator) {
        furnish(other.surroundings)
    }

    /// Continues with the house and the lessons of another locator, or without any, and retains its belief and its
    /// answer.
    ///
    /// - Parameter keepsTrust: true if the fit of lessons to this item, as measured so far, applies to other lessons of
    ///   the same rooms too.
    public mutating func learn(like other: Locator, keepsTrust: Bool) {
        let (before, lessons) = (taught?.lessons.rooms, other.taught?.lessons)
        nearness.use(isTaught: lessons != nil)
        decision.follow(Self.pace(lessons, parameters), rest: nearness.rest.hops)
        taught = lessons.map { StateFilter(lessons: $0, parameters: parameters) }
        if answer.room != nil { taught?.begin(with: probabilities) }
        calibration = other.calibration
        if before != lessons?.rooms || !keepsTrust { trust = Trust(parameters: parameters) }
        furnish(other.surroundings)
        if answer.room != nil { beginElsewhere(with: probabilities) }
    }

    /// The probability of each room, those included that no answer can name.
    public var roomProbabilities: [Double] { surroundings.unseen.includedIn(probabilities) }

    /// The weight of the lessons against nearness, 0...1; nil if there are none.
    public var shareOfLessons: Double? { taught.map { _ in taughtShare } }

    /// The weight of the plan of the house beside the nearest node, 0...1; nil if it has none.
    public var shareOfPlan: Double? { positions.rooms.isEmpty ? nil : surroundings.plan?.share }

    /// The difference in dB between this item's level and that of the tags that were taught; nil if there are no
    /// lessons, and before any node of theirs received it.
    public var loudness: Double? { taught.flatMap { $0.hasHeard ? $0.loudness.mean : nil } }

    /// The difference in dB between a node's reception of this item and that during the lessons; nil if it is not known
    /// to be more than chance.
    public func change(of node: Int) -> Double? {
        taught.flatMap { taught in taught.lessons.nodes.firstIndex(of: node).flatMap(taught.refinement.change) }
    }

    /// True if a node of the lessons seems not to receive this item at all.
    package func isDeaf(_ node: Int) -> Bool {
        guard let taught, let column = taught.lessons.nodes.firstIndex(of: node), taught.hasHeard else { return false }
        return taught.hearing.deaf[column] > 0.5
    }

    var parameters: Parameters { surroundings.parameters }

    private mutating func furnish(_ surroundings: Surroundings) {
        let (before, house) = (house, surroundings.house)
        nearness.follow { before.nodes[$0].room != house.nodes[$0].room }
        let plan = self.surroundings.plan
        self.surroundings = surroundings
        if plan?.rooms != surroundings.plan?.rooms || plan?.share != surroundings.plan?.share {
            positions.leave()
            if let room = answer.room { beginOnPlan(in: room) }
        }
        let rooms = surroundings.house.rooms.count
        while probabilities.count < rooms { probabilities.append(0) }
        probabilities.removeLast(probabilities.count - rooms)
    }

    /// Weighs one hop; empty ones too, so that belief moves on during silence.
    ///
    /// A hop that does not end later than the one before is dropped: an interval is weighed once. Missing
    /// hops in between are replaced by empty ones. Belief moves on by whole seconds; what remains is carried to the
    /// next hop, so that hops of less than a second make nothing move faster. Never traps on the contents of a hop.
    @discardableResult
    public mutating func weigh(_ hop: Hop) -> Answer {
        if let lastEnd, hop.end <= lastEnd {
            answer.moved = false
            return answer
        }
        let elapsed = lastEnd.map { remainder + hop.end.seconds(since: $0) } ?? 0
        remainder = elapsed - elapsed.rounded()
        let steps = Int(min(Parameters.mostSteps, max(0, elapsed.rounded())))
        lastEnd = hop.end

        var hop = hop
        hop.keep(nodesBelow: house.nodes.count)
        let isPlaced = hop.readings.contains { house.nodes[$0.node].room != nil }
        nearness.resize(house.rooms.count)
        let isFirst = isPlaced && isResumed
        if isFirst {
            isResumed = false
            decision.hesitate(at: hop.end)
        }
        // Without a packet belief moves on only as fast as things are carried about, and not at all at rest: `motion` has
        // more moves, since evidence errs alike in neighbouring seconds.
        let held = max(nearness.rests, surroundings.heldUnheard)
        for _ in 0..<max(0, steps - 1) { step(held: held) }
        pause += Double(steps)
        if isPlaced {
            nearness.weigh(hop, in: house, after: pause, belief: filter.belief)
            if isFirst { nearness.rest.span(max(0, pause - 1)) }
            pause = 0
        }
        if steps > 0 {
            heldLast = isPlaced ? 0 : held
            step(held: heldLast)
        } else if isPlaced, heldLast > 0 {
            // Belief has moved on as in a second without a packet: the rest of a second with one follows.
            step(held: 1 - heldLast)
            heldLast = 0
        }
        if isPlaced {
            filter.weigh(nearness.evidence, among: nearness.open)
            if let plan = surroundings.plan { positions.weigh(hop, plan) }
        }
        let isKnown = weighTaught(hop, steps)
        decide(hop.end, isPlaced: isPlaced, isKnown: isKnown)
        return answer
    }

    /// Moves the belief without lessons on by one second, except for the share that is held in place.
    private mutating func step(held: Double) {
        filter.step(surroundings.motion, among: nearness.open, held: held)
        if let plan = surroundings.plan { positions.step(plan, held: held) }
    }

    /// Weighs a hop by the lessons; false if it is no evidence by them.
    private mutating func weighTaught(_ hop: Hop, _ steps: Int) -> Bool {
        for _ in 0..<steps {
            taught?.step()
            trust.forget()
        }
        let isKnown = taught?.weigh(hop) == true
        if isKnown, !surroundings.untaught.isEmpty { taught?.weighUnrefined() }
        compareLessons(with: hop, isKnown: isKnown)
        // An untaught place teaches nothing of the nodes, nor does a long time in one place.
        if isKnown {
            let share = (1 - chanceElsewhere) * shareMoving
            taught?.refine(share: share)
        }
        return isKnown
    }

    /// Updates the fit of the lessons to this item, and the probability that it is in a room they do not cover.
    private mutating func compareLessons(with hop: Hop, isKnown: Bool) {
        guard let taught else { return }
        if !surroundings.untaught.isEmpty {
            elsewhere.weigh(hop, by: taught, isKnown: isKnown, among: nearness.open, in: surroundings)
        }
        // The levels of an unknown room are no evidence against the lessons of others.
        if isKnown {
            trust.weigh(taught, in: house, nodesByRoom: surroundings.nodesByRoom, share: 1 - chanceElsewhere)
        }
    }

    /// The share for which a hop teaches: a long time in one place teaches the levels of that place, and of no room.
    private var shareMoving: Double { 1 - nearness.rest.chance(after: parameters.refinement.rest) }

    /// The share of the lessons in the belief.
    private var lessonsShare: Double {
        guard let taught, taught.hasHeard else { return 0 }
        return nearness.hasHeard ? taught.lessons.share * trust.share(doubt: taught.lessons.choice.doubt) : 1
    }

    /// The share of the rooms that the lessons cover in the belief.
    private var taughtShare: Double { lessonsShare * (1 - chanceElsewhere) }

    /// The probability of rooms that the lessons do not cover, by them; 0 if no node of such a room ever received the
    /// item.
    var chanceElsewhere: Double { believedElsewhere > 0 ? elsewhere.chance : 0 }

    /// The belief by nearness in the rooms that the lessons do not cover.
    private var believedElsewhere: Double {
        surroundings.untaught.reduce(0) { $0 + (isOpen($1.room) ? filter.belief[$1.room] : 0) }
    }

    /// True if nearness considers a room.
    private func isOpen(_ room: Int) -> Bool {
        room < min(nearness.open.count, filter.belief.count) && nearness.open[room]
    }

    /// Adds a share of the belief in the rooms that the lessons do not cover.
    func addElsewhere(_ share: Double, to probabilities: inout [Double]) {
        let believed = believedElsewhere
        guard believed > 0 else { return }
        let scale = share * elsewhere.chance / believed
        for (room, _) in surroundings.untaught where room < probabilities.count && isOpen(room) {
            probabilities[room] += scale * filter.belief[room]
        }
    }

    /// Adopts an earlier belief in the rooms that the lessons do not cover.
    mutating func beginElsewhere(with probabilities: [Double]) {
        let there = surroundings.untaught.reduce(0) {
            $0 + ($1.room < probabilities.count ? probabilities[$1.room] : 0)
        }
        elsewhere.begin(with: there / max(Parameters.least, probabilities.reduce(0, +)))
    }

    private mutating func decide(_ end: Timestamp, isPlaced: Bool, isKnown: Bool) {
        answer.at = end
        answer.moved = false
        guard mix() else { return }
        if isPlaced { nearness.learn(probabilities, share: shareMoving) }
        // Belief drifts during silence; the answer does not: keys on a hook must not walk.
        if isPlaced || isKnown {
            let next = decision.move(by: probabilities)
            let doubt = next.map { nearness.doubt(of: $0, leaving: decision.room) } ?? 0
            answer.moved = decision.weigh(probabilities, at: end, rest: nearness.rest.hops, doubt: doubt)
        }
        if answer.moved { answer.since = end }
        conclude()
    }

    /// Makes the probabilities from nearness and lessons; false if neither has any observation.
    mutating func mix() -> Bool {
        let share = lessonsShare
        for room in probabilities.indices { probabilities[room] = 0 }
        guard nearness.hasHeard || share > 0 else { return false }
        for room in filter.belief.indices where room < probabilities.count {
            probabilities[room] = (1 - share) * filter.belief[room]
        }
        if let plan = surroundings.plan { mix(plan) }
        let taughtShare = share * (1 - chanceElsewhere)
        taught?.add(taughtShare, to: &probabilities)
        // The call copies the locator, and few houses have rooms that their lessons do not cover.
        if !surroundings.untaught.isEmpty { addElsewhere(share, to: &probabilities) }
        return true
    }

    /// Redistributes the belief by nearness among the rooms on a plan, for the plan's share: by the plan, among those
    /// in which the item may be searched for. Other rooms are not on the plan.
    private mutating func mix(_ plan: FloorPlan) {
        var (near, there) = (0.0, 0.0)
        for room in positions.rooms.indices where isLookedFor(in: room, plan) {
            near += probabilities[room]
            there += positions.rooms[room]
        }
        guard there > Parameters.least else { return }
        for room in positions.rooms.indices where isLookedFor(in: room, plan) {
            probabilities[room] += plan.share * (near * positions.rooms[room] / there - probabilities[room])
        }
    }

    /// True if a plan may place an item in a room: one that has received it, or has no node to receive it.
    private func isLookedFor(in room: Int, _ plan: FloorPlan) -> Bool {
        guard room < probabilities.count, plan.isShown[room] else { return false }
        return surroundings.nodesByRoom[room] == 0 || isOpen(room)
    }

    /// Begins on the plan with the room that was answered before.
    mutating func beginOnPlan(in room: Int) {
        if let plan = surroundings.plan { positions.begin(in: room, of: plan) }
    }

    /// Adopts the probabilities of all rooms.
    mutating func believe(_ probabilities: [Double]) { self.probabilities = probabilities }

    /// Makes the answer from the decision, with its calibrated confidence.
    mutating func conclude() {
        guard let room = decision.room, room < probabilities.count else { return }
        answer.room = room
        answer.isLikeliest = decision.isLikeliest
        let probability = surroundings.unseen.includedIn(probabilities[room])
        answer.confidence = calibration.confidence(probability, rooms: probabilities.count)
    }

    /// The belief in the answer's room, whatever retains it; 0 if it is unknown.
    package var believed: Double { answer.room.flatMap { $0 < probabilities.count ? probabilities[$0] : nil } ?? 0 }

    /// Answers a room that another locator of the item found, until the evidence requires another.
    package mutating func hold(_ room: Int, confidence: Double) {
        decision.hold(room)
        (answer.room, answer.confidence) = (room, confidence)
    }

    /// The reasons for the answer: the vote of each node in the last hop with a packet. It allocates, so it is not
    /// meant for every hop.
    public func reason() -> Reason {
        var reason = Reason()
        guard let room = answer.room else { return reason }
        let probabilities = roomProbabilities
        for other in probabilities.indices where other != room && probabilities[other] > 0 {
            if let best = reason.runnerUp, probabilities[best] >= probabilities[other] { continue }
            reason.runnerUp = other
        }
        guard let other = reason.runnerUp else { return reason }
        reason.trust = taughtShare
        var nats: [Int: Double] = [:]
        var plan: [Reason.Vote] = []
        if let shown = surroundings.plan, isLookedFor(in: room, shown), isLookedFor(in: other, shown) {
            plan = positions.votes(for: room, against: other, on: shown)
        }
        let shareOfPlan = plan.isEmpty ? 0 : surroundings.plan?.share ?? 0
        // Lessons say nothing of a room that they do not cover.
        let lessons = taught?.votes(for: room, against: other) ?? []
        let trust = lessons.isEmpty ? 0 : reason.trust
        for vote in nearness.votes(for: room, against: other, in: house) {
            nats[vote.node, default: 0] += (1 - trust) * (1 - shareOfPlan) * vote.nats
        }
        for vote in plan { nats[vote.node, default: 0] += (1 - trust) * shareOfPlan * vote.nats }
        for vote in lessons { nats[vote.node, default: 0] += trust * vote.nats }
        reason.votes = nats.sorted { $0.key < $1.key }.map { Reason.Vote(node: $0.key, nats: $0.value) }
        return reason
    }
}
