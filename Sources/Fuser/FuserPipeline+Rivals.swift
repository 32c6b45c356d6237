internal import Alerts
internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// Beside other fusers: what they tell of items is heard, and what this one tells goes by what it serves.
extension FuserPipeline {
    /// The shards that it serves.
    var served: ShardSet { household.served }

    /// Serves other shards from a wall time on; what is to be published of them is appended to `outbox`.
    ///
    /// - Parameter silences: how long ago, in microseconds, those that have gone gave their last sign of life.
    mutating func serve(
        _ shards: ShardSet, after silences: [String: Int64], at wall: Timestamp, _ outbox: inout [Message]
    ) {
        guard shards != household.served else { return }
        news.isHouseNew = true
        let before = household.served
        let lost = before.subtracting(shards)
        let time = clock.time(atWall: wall)
        let ends = silences.mapValues { clock.time(atWall: wall.advanced(byMicroseconds: -$0)) }
        let due = takeHeld(of: shards.subtracting(before), ends: ends)
        let outcomes = outcomes { household, body in household.serve(shards, ends: ends, at: time, body) }
        // What another writes from now on is not this one's to repeat.
        if !lost.isEmpty {
            keepServedMessages()
            alerts.handOver()
            persons.handOver(lost)
        }
        for outcome in outcomes { tell(outcome, &outbox) }
        takeOverPersons(of: shards.subtracting(before), ends: ends, at: wall, &outbox)
        leaveFormerPersons(&outbox)
        let new = shards.subtracting(before)
        alerts.takeOver(due, at: time) { new.contains(Topics.shardNumber(of: $0)) }
    }

    /// Whether this fuser speaks on a topic of an item or a room.
    func isServed(_ topic: String) -> Bool { Self.isServed(topic, topics, household.served) }

    private static func isServed(_ topic: String, _ topics: Topics, _ served: ShardSet) -> Bool {
        switch topics.kind(of: topic) {
        case .location(let level), .room(let level), .occupancy(let level), .itemAlert(let level),
            .itemTelemetry(let level):
            served.contains(level: level)
        default: true
        }
    }

    private mutating func keepServedMessages() {
        let served = household.served
        let topics = topics
        retained.keep { Self.isServed($0, topics, served) }
    }

    /// Whether this fuser speaks for an item or a room.
    func serves(_ level: String) -> Bool { household.served.contains(level: level) }

    /// Repeats what another fuser wrote over.
    mutating func repeatContested(at wall: Timestamp, _ outbox: inout [Message]) {
        let time = clock.time(atWall: wall)
        let outcomes = outcomes { household, body in household.repeatContested(at: time, body) }
        for outcome in outcomes { tell(outcome, &outbox) }
        for person in persons.takeContested() { publish(person, at: time, &outbox) }
        repeatContestedAlerts(&outbox)
    }

    /// The items whose lessons go on, as far as a claim names them.
    var teaching: [String] { Array(household.taughtItems.prefix(Claim.teachingLimit)) }

    /// The message that tells what this fuser claims.
    func message(
        claiming state: Claim.State, _ seq: UInt64, of shards: ClosedRange<UInt8>, lastEvent: UInt64,
        problems: [String] = []
    ) -> Message {
        var claim = Claim(
            shards: shards, state: state, epoch: household.settings.epoch, lastEvent: lastEvent, seq: seq)
        claim.teaching = teaching
        claim.problems = problems
        claim.neighbours = desk.told
        return Message(topic: topics.fuserClaim(fuser), payload: claim.payload)
    }

    /// What another fuser claims in a message; nil, and told, where that makes no sense.
    mutating func claim(in message: Message) -> Claim? {
        do throws(PayloadFault) {
            return try Claim(payload: message.payload.span)
        } catch {
            diagnostics.reject(message, "\(error)")
            return nil
        }
    }

    mutating func hear(
        _ message: Message, of item: String, at wall: Timestamp, _ outbox: inout [Message]
    ) throws(PayloadFault) {
        if message.payload.isEmpty { unnamed.forget(item) }
        guard !message.payload.isEmpty, !retained.isOwn(message) else { return }
        let location = try Location(payload: message.payload.span)
        if message.retained, location.state != .unknown, serves(item) { retained.inherit(message) }
        let time = clock.time(atWall: wall)
        if location.isPerson || persons.contains(item) {
            return hear(location, ofPerson: item, at: time, &outbox)
        }
        if !serves(item) { persons.receive(location, of: item, heard: nil) }
        for outcome in outcomes({ household, body in household.hear(location, of: item, at: time, body) }) {
            tell(outcome, &outbox)
        }
        guard !serves(item) else { return }
        effects.confidences[item] = location.confidence
        // Who stands by knows of alerts as well, and of items that are another's: these it doesn't hear itself.
        let isHeard = shards.contains(Topics.shardNumber(of: item))
        let heard = isHeard ? household.lastHeard(of: item) : nil
        alerts.receive(location, of: item, heard: heard ?? location.at)
    }

    mutating func hear(eventIn message: Message, of item: String, at wall: Timestamp) throws(PayloadFault) {
        guard !message.retained else { return }
        let event = try ItemEvent(payload: message.payload.span)
        guard event.fuser != fuser else { return }
        if persons.contains(item) { persons.hear(event, of: item) } else { household.hear(event, of: item) }
        held.hear(event)
        alerts.hear(event, of: item, isFollowed: !serves(item), at: clock.time(atWall: wall))
        if !serves(item) { alerts.receive(event, of: item) }
    }

    private mutating func outcomes(
        _ body: (inout Household, (Household.Outcome) -> Void) -> Void
    ) -> [Household.Outcome] {
        var outcomes: [Household.Outcome] = []
        body(&household) { outcomes.append($0) }
        return outcomes
    }
}
