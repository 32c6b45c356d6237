internal import BrokerSession
internal import Bytes
internal import MQTT
internal import System
internal import WireProtocol

/// Beside other fusers.
extension FuserService {
    /// Carries out the failover steps that are due.
    func turnFailover() {
        failover.updateLiveness(at: monotonic)
        updateServedShards()
        // Claims wait behind subscriptions that a broker takes seconds to answer.
        if !session.isRequiredAnswered || session.lacksSubscription { failover.awaitSubscriptions(at: monotonic) }
        // A cluster that lost a server may have forgotten a subscription that it had granted.
        if let since = failover.fencedSince, monotonic - since > failover.echoPatience {
            session.renewConnection(for: "this fuser's claims do not come back")
        }
    }

    /// Receives a message that arrived by a wall time, and records the change that it makes.
    func receive(_ message: Message, at time: Timestamp) {
        // Most messages are windows, which the pipeline alone receives.
        guard !topics.isWindow(message.topic) else {
            return pipeline.receive(message, at: time, &outbox)
        }
        switch topics.kind(of: message.topic) {
        case .fuserStatus(let fuser):
            recordForgetting(message, of: "fuser/\(fuser)", at: time)
            failover.receive(isOnline: message.payload == Array("online".utf8), of: fuser, at: monotonic)
            if message.payload.isEmpty { failover.forget(fuser) }
            updateServedShards()
            if message.payload.isEmpty, fuser != failover.name { pipeline.forget(fuser: fuser, at: time, &outbox) }
        case .fuserClaim(let fuser):
            // Fusers retain no claim: a retained one is not theirs.
            guard !message.retained else { return }
            let now = monotonic
            guard let claim = pipeline.claim(in: message, at: time) else { return }
            if fuser == failover.name {
                failover.heardOwn(claim, at: now)
            } else {
                failover.receive(claim, of: fuser, at: now)
                pipeline.peerEvents.receive(claim, of: fuser, at: now)
            }
            updateServedShards()
        case .fuserCommand(pipeline.fuser, let sender):
            // The age of a retained command is not known.
            if !message.retained { performCommand(message, by: sender) }
        case .itemConfig(let item): receiveEntry(message, of: item, at: time)
        case .housePlan: receivePlan(message, at: time)
        case .nodeCommand(let node, let sender) where !message.retained: recordCommand(message, to: node, sender)
        case .nodeInfo(let node):
            recordSettings(message, of: node)
            pipeline.receive(message, at: time, &outbox)
        case .nodeStatus(let node):
            recordForgetting(message, of: "node/\(node)", at: time)
            pipeline.receive(message, at: time, &outbox)
        case .floorPicture(let floor):
            recordPicture(message, of: floor, at: time)
            pipeline.receive(message, at: time, &outbox)
        case .scan:
            pipeline.tracking.isComplete = session.isComplete
            pipeline.receive(message, at: time, &outbox)
        case .nodeHealth, .region, .nodeEvents, .proximity, .window, .location, .room,
            .itemEvents, .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .lesson, .rollout,
            .nodeCommand, .commandResult, .fuserCommand, .fuserCommandResult, .replies, nil:
            pipeline.receive(message, at: time, &outbox)
        }
    }

    /// Publishes this fuser's claim when it is due.
    func publishClaim() {
        guard
            let (state, seq, shares) = failover.takeClaim(
                at: monotonic, teaching: pipeline.teaching, problems: problems)
        else { return }
        log.logChange(
            "serving", .notice,
            failover.lacksSubscription ? "serving nothing while the broker denies a subscription" : state.words)
        outbox.append(
            pipeline.message(
                claiming: state, seq, of: failover.shards, shares, epoch: memory.epoch, lastEvent: memory.lastEvent,
                problems: problems, version: version, settings: configuration.settings))
        pipeline.repeatOverwritten(beside: failover.shardsOfPeers, at: wall, &outbox)
    }

    func updateServedShards() {
        updateFollowedShards()
        let served = failover.served
        guard served != pipeline.served else { return }
        let silences = failover.silences(at: monotonic)
        pipeline.serveShards(served, after: silences, at: wall, &outbox)
        // A late answer would replace that of the fuser that serves now. The events keep their numbers, and are repeated to
        // whoever requests them.
        backlog.removeAll { !pipeline.isServed($0.topic) }
        outbox.removeAll { !pipeline.isServed($0.topic) }
    }

    /// Subscribes to the windows of the shards that this member of a pool follows now, and of an item whose lesson goes on.
    private func updateFollowedShards() {
        guard var shards = failover.followed else { return }
        for item in pipeline.tracking.taughtItems { shards.insert(Topics.shardNumber(of: item)) }
        let (new, ended) = pipeline.followShards(shards, at: wall, &outbox)
        guard !new.isEmpty || !ended.isEmpty else { return }
        session.unsubscribe(Set(ended))
        do throws(MQTTError) {
            try session.subscribe(new.map { Subscription($0) })
        } catch {
            log.error("no subscription to the windows of \(new.count) shards: \(error.words)")
        }
        noteDenials()
    }
}

extension Claim.State {
    /// What it means for the operator.
    fileprivate var words: String {
        switch self {
        case .serving: "serving: what this fuser says of its items counts"
        case .standby: "standby: another fuser serves, and this one follows"
        case .starting: "following another fuser for a few seconds before anything else"
        }
    }
}
