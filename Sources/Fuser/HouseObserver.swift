internal import CloneDetection
internal import Configuration
internal import HouseTracking
internal import WireProtocol

/// The facts that components have for each other. Each reaches all components, in their order, before the emitting one goes on;
/// a component implements those that concern it.
protocol HouseObserver: AnyObject {
    /// An outcome was published, or noted for the history. Its events are moves: those of alerts are added to `Publication`
    /// without a fact.
    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn)
    /// The registry entry of an item changed.
    func entryChanged(of item: String, _ turn: Turn)
    /// A node heard an item, at a time by the house's clock. Windows that are refused for their node's clock or place,
    /// or for the item's shard, emit no fact. `isRegistered` is the registry's answer when the window came.
    func windowAccepted(_ window: Window, of item: String, isRegistered: Bool, _ turn: Turn)
    /// A window brought readings of an item's beacon.
    func readingsReceived(_ readings: Telemetry, in window: Window, of item: String, _ turn: Turn)
    /// Several transmitters are suspected to send an item's identity; of nil evidence, no more.
    func clonesChanged(of item: String, _ evidence: CloneEvidence?, _ turn: Turn)
    /// Items have been listened to for long enough since the start: of those that an earlier run suspected, only these still
    /// are.
    func clonesKnown(_ suspected: Set<String>, _ turn: Turn)
    /// An item has other entities in Home Assistant than before.
    func entitiesChanged(of item: String, _ turn: Turn)
    /// A node named the room in which it stands, and perhaps that room's area.
    func nodePlaced(_ node: String, in room: String, area: String?, _ turn: Turn)
    /// A node is gone for good, or has another name.
    func nodeRemoved(_ node: String, _ turn: Turn)
    /// A node of another system observed an item in the interval that is over.
    func externalWindowReceived(_ window: Window, _ turn: Turn)
    /// An item has left after another time of silence than before.
    func exitTimeChanged(_ exitTime: Duration, of item: String, _ turn: Turn)
    /// A person is in a room, or in none.
    func personMoved(_ person: String, to room: String?, _ turn: Turn)
    /// The broker retains a lesson of another fuser, or of an earlier run.
    func lessonReceived(_ lesson: Lesson, _ turn: Turn)
    /// A lesson was undone by another fuser, or in an earlier run.
    func lessonUndone(key: String, _ turn: Turn)
    /// The windows of these shards are read from now on, those of the new ones for the first time, and no others.
    func shardsFollowed(_ followed: ShardSet, new: ShardSet, _ turn: Turn)
    /// Other shards are served from now on: first what is lost is released …
    func shardsReleased(_ handover: Handover, _ turn: Turn)
    /// … and then what is new is taken over.
    func shardsTakenOver(_ handover: Handover, _ turn: Turn)
    /// An earlier run's answers that nothing has confirmed by now do not hold any more.
    func confirmationEnded(_ turn: Turn)
    /// Nothing has confirmed an earlier run's occupants of a room.
    func occupancyUnconfirmed(ofRoom room: String, _ turn: Turn)
    /// All that the broker retained has come.
    func retainedMessagesKnown(_ turn: Turn)
    /// Other fusers, which serve these shards, may have overwritten retained messages, which are to be published again.
    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn)
    /// Home Assistant has a new device of an item, which needs the item's retained messages once more.
    func deviceAdded(ofItem item: String, _ turn: Turn)
    /// Another plan of the house is in force.
    func housePlanChanged(_ plan: HousePlan, _ turn: Turn)
    /// The configuration file has other values of keys that take effect at run time.
    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn)
    /// Another fuser is gone for good.
    func fuserRemoved(_ name: String, _ turn: Turn)
}

extension HouseObserver {
    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {}
    func entryChanged(of item: String, _ turn: Turn) {}
    func windowAccepted(_ window: Window, of item: String, isRegistered: Bool, _ turn: Turn) {}
    func readingsReceived(_ readings: Telemetry, in window: Window, of item: String, _ turn: Turn) {}
    func clonesChanged(of item: String, _ evidence: CloneEvidence?, _ turn: Turn) {}
    func clonesKnown(_ suspected: Set<String>, _ turn: Turn) {}
    func entitiesChanged(of item: String, _ turn: Turn) {}
    func nodePlaced(_ node: String, in room: String, area: String?, _ turn: Turn) {}
    func nodeRemoved(_ node: String, _ turn: Turn) {}
    func externalWindowReceived(_ window: Window, _ turn: Turn) {}
    func exitTimeChanged(_ exitTime: Duration, of item: String, _ turn: Turn) {}
    func personMoved(_ person: String, to room: String?, _ turn: Turn) {}
    func lessonReceived(_ lesson: Lesson, _ turn: Turn) {}
    func lessonUndone(key: String, _ turn: Turn) {}
    func shardsFollowed(_ followed: ShardSet, new: ShardSet, _ turn: Turn) {}
    func shardsReleased(_ handover: Handover, _ turn: Turn) {}
    func shardsTakenOver(_ handover: Handover, _ turn: Turn) {}
    func confirmationEnded(_ turn: Turn) {}
    func occupancyUnconfirmed(ofRoom room: String, _ turn: Turn) {}
    func retainedMessagesKnown(_ turn: Turn) {}
    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn) {}
    func deviceAdded(ofItem item: String, _ turn: Turn) {}
    func housePlanChanged(_ plan: HousePlan, _ turn: Turn) {}
    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {}
    func fuserRemoved(_ name: String, _ turn: Turn) {}
}
