internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// An earlier run's answers, which the broker kept or the state remembers.
extension FuserPipeline {
    /// Takes back what an earlier run said and this one could not confirm: nobody stands for it.
    mutating func disown(at wall: Timestamp, _ outbox: inout [Message]) {
        guard retained.endConfirmation(at: wall) else { return }
        var outcomes: [Household.Outcome] = []
        household.giveUp(at: clock.time(atWall: wall)) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
        persons.giveUp(at: clock.time(atWall: wall))
        settlePersons(at: wall, &outbox)
        judgePersons()
        judgeAlerts()
        for topic in retained.unconfirmed where isServed(topic) {
            switch topics.kind(of: topic) {
            case .location(let item) where isUnnamedPerson(item), .room(let item) where isUnnamedPerson(item),
                .itemAlert(let item) where isUnnamedPerson(item):
                // Below, or as another fuser told it.
                break
            case .location(let item):
                let now = clock.time(atWall: wall)
                let location = Location(
                    fuser: household.settings.fuser, state: .unknown, room: nil, confidence: 0, since: now,
                    previous: nil, at: now)
                tell(.location(item: item, location), &outbox)
            case .itemAlert(let item): keep(topics.itemAlert(item), [], &outbox)
            case .occupancy(let room):
                // Of a room that neither the configuration nor a node names nobody will ever tell anything again.
                if rooms.contains(room) {
                    tell(.occupancy(room: room, Occupancy(items: [])), &outbox)
                } else {
                    outbox.append(Message.clearing(topic))
                }
            case .room(let item) where !retained.hasAnswer(of: item):
                // The other half of an answer that is gone.
                outbox.append(Message.clearing(topic))
            default: break
            }
        }
        retained.forgetEarlierRun()
        leaveFormerPersons(&outbox)
    }
}
