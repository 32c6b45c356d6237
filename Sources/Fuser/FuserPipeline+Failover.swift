internal import Bytes
internal import WireProtocol

/// Beside other fusers: the shards that this one serves, and what it claims.
extension FuserPipeline {
    /// The shards that it serves.
    var served: ShardSet { publication.served }

    /// True if this fuser publishes of an item or a room.
    func serves(_ id: String) -> Bool { publication.serves(id) }

    /// True if this fuser publishes on a topic.
    func isServed(_ topic: String) -> Bool { publication.isServed(topic) }

    /// Serves other shards from a wall time on; what is to be published of them is appended to `outbox`.
    ///
    /// - Parameter silences: the times since the last sign of life of those that have gone.
    func serveShards(
        _ shards: ShardSet, after silences: [String: Duration], at wall: Timestamp, _ outbox: inout [Message]
    ) {
        guard shards != served else { return }
        perform(at: wall, &outbox) { turn in
            let ends = silences.mapValues { turn.clock.time(atWall: wall.advanced(by: -$0)) }
            let handover = Handover(before: served, served: shards, ends: ends)
            turn.emit { $0.shardsReleased(handover, turn) }
            turn.emit { $0.shardsTakenOver(handover, turn) }
        }
    }

    /// Publishes again what another fuser overwrote.
    ///
    /// - Parameter peers: the shards that each of the other fusers serves.
    func repeatOverwritten(beside peers: [String: ShardSet], at wall: Timestamp, _ outbox: inout [Message]) {
        perform(at: wall, &outbox) { turn in turn.emit { $0.messagesOverwritten(beside: peers, turn) } }
    }

    /// Another fuser is gone for good.
    func forget(fuser: String, at wall: Timestamp, _ outbox: inout [Message]) {
        perform(at: wall, &outbox) { turn in turn.emit { $0.fuserRemoved(fuser, turn) } }
    }

    /// The items whose lessons go on, as far as a claim names them.
    var teaching: [String] { Array(tracking.taughtItems.prefix(Claim.teachingLimit)) }

    /// The message that publishes what this fuser claims, with the number of its last event in the epoch of its memory: a disk
    /// that rejects writes begins another one.
    func message(
        claiming state: Claim.State, _ seq: UInt64, of shards: ClosedRange<UInt8>,
        _ shares: (ready: ShardSet, serves: ShardSet)? = nil, epoch: String, lastEvent: UInt64, problems: [String] = [],
        version: String? = nil, settings: FuserSettings? = nil
    ) -> Message {
        var claim = Claim(shards: shards, state: state, epoch: epoch, lastEvent: lastEvent, seq: seq)
        (claim.ready, claim.serves) = (shares?.ready, shares?.serves)
        (claim.version, claim.settings) = (version, settings)
        claim.teaching = teaching
        claim.problems = problems
        claim.neighbours = external.counters
        return Message(topic: topics.fuserClaim(fuser), payload: claim.payload, qos: .atLeastOnce)
    }

    /// The claim of another fuser in a message; nil, and rejected, if it cannot be read.
    func claim(in message: Message, at wall: Timestamp) -> Claim? {
        do throws(PayloadFault) {
            return try Claim(payload: message.payload.span)
        } catch {
            Turn(at: wall, in: house).diagnostics.reject(message, "\(error)")
            return nil
        }
    }
}
