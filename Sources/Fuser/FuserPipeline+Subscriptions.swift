internal import Bytes
public import WireProtocol

/// The topics that a fuser subscribes to.
extension FuserPipeline {
    /// The filters it must be subscribed to: other fusers first, so that they are known before what they published.
    public var subscriptions: [(filter: String, qos: Message.QualityOfService)] {
        [
            (topics.allFusers("status"), .atLeastOnce), (topics.allFusers("claim"), .atLeastOnce),
            // Those that do not arrive are requested again.
            (topics.allItems("events"), .atMostOnce),
            (topics.allNodes("status"), .atLeastOnce), (topics.allNodes("info"), .atLeastOnce),
            (topics.allNodes("scan"), .atMostOnce),
            (registry.filter, .atMostOnce), (topics.allItems("location"), .atMostOnce),
            (topics.allOccupancies, .atMostOnce),
            (topics.allItems("alert"), .atMostOnce), (topics.allItems("room"), .atMostOnce),
            (topics.allItems("telemetry"), .atMostOnce), (topics.allItems("battery"), .atMostOnce),
            (topics.allLessons, .atMostOnce),
        ] + (windowFilters + external.filters).map { ($0, .atMostOnce) } + optionalConfirmed.map { ($0, .atLeastOnce) }
    }

    /// The filters among them that its answers do not rest on: commands, those to nodes, which are recorded, what the journal
    /// of nodes is made of, which is asked for again later, the plan and batteries, which are kept here too, and other systems'
    /// topics.
    var optionalFilters: Set<String> {
        Set([topics.allItems("battery")] + optionalConfirmed + external.filters)
    }

    /// Those of them with QoS 1.
    private var optionalConfirmed: [String] {
        [
            topics.housePlan, topics.allNodes("events"), topics.allNodes("command/result"), journal.replyTopic,
        ] + topics.fuserCommands(fuser) + topics.nodeCommands("+")
    }

    /// One filter for all shards, or one for each; always the latter for a member of a pool, whose shards change.
    private var windowFilters: [String] {
        isPooled || house.followed != .all ? windowFilters(of: house.followed) : [topics.allWindows()]
    }

    private func windowFilters(of shards: ShardSet) -> [String] {
        shards.shards.map { topics.allWindows(shard: Hex.text($0, digits: 2)) }
    }

    /// As a member of a pool: reads the windows of these shards from a wall time on, and of no others. Returns the filters to
    /// subscribe to and those to unsubscribe from.
    func followShards(_ shards: ShardSet, at wall: Timestamp, _ outbox: inout [Message]) -> (
        new: [String], ended: [String]
    ) {
        let before = house.followed
        guard shards != before else { return ([], []) }
        house.followed = shards
        let new = shards.subtracting(before)
        perform(at: wall, &outbox) { turn in turn.emit { $0.shardsFollowed(shards, new: new, turn) } }
        return (windowFilters(of: new), windowFilters(of: before.subtracting(shards)))
    }
}
