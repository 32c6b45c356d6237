public import Bytes
internal import RoomEstimation
public import WireProtocol

extension Household {

    /// The reasons for an item's location; nil if no node has named it yet.
    public func explain(_ item: String, at time: Timestamp) -> Explanation? {
        guard let index = trackers.index(of: item) else { return nil }
        let tracker = trackers[index]
        let rooms = house.rooms
        var answer = Explanation(
            item: item, at: time, state: tracker.state, room: tracker.room.map { rooms[$0].id },
            confidence: tracker.confidence, since: tracker.since)
        answer.previous = tracker.previous.map { rooms[$0].id }
        answer.lastHeard = tracker.reception.isUnheard ? nil : tracker.reception.lastHeard
        answer.trust = tracker.locator.shareOfLessons
        answer.loudness = tracker.locator.loudness
        answer.plan = tracker.locator.shareOfPlan
        // A node that has been removed, or that has published nothing in this run, is not waited for.
        let present = nodes.nodes.filter { $0.standing == .present }
        guard tracker.room != nil else {
            answer.nodes = Array(
                present.map { explainNode($0, tracker, time) }.prefix(Parameters.Household.explainedNodes))
            return answer
        }
        let probabilities = tracker.locator.roomProbabilities
        answer.rooms = rooms.indices.filter {
            $0 < probabilities.count && probabilities[$0] >= Parameters.Household.leastPublished
        }
        .sorted { (probabilities[$1], $0) < (probabilities[$0], $1) }
        .map { Explanation.Probability(room: rooms[$0].id, probability: probabilities[$0]) }
        let reason = tracker.locator.reason()
        answer.runnerUp = reason.runnerUp.map { rooms[$0].id }
        let weights = Dictionary(reason.votes.map { ($0.node, $0.nats) }) { first, _ in first }
        answer.nodes = present.map { node in
            var explanation = explainNode(node, tracker, time)
            explanation.weight = weights[node.index]
            return explanation
        }
        .sorted { ($1.weight?.magnitude ?? -1, $0.node) < ($0.weight?.magnitude ?? -1, $1.node) }
        answer.nodes.removeLast(max(0, answer.nodes.count - Parameters.Household.explainedNodes))
        return answer
    }

    private func explainNode(_ node: NodeTable.Node, _ tracker: Tracker, _ time: Timestamp) -> Explanation.Node {
        let level = tracker.reception.levels[node.index]
        let state: Explanation.Node.State =
            if node.isOnline == false {
                .offline
            } else if node.isExternal ? level == nil : !node.isLive(at: time) {
                .missing
            } else if !node.isExternal, !node.isListening(at: time) {
                .deaf
            } else if level != nil {
                .heard
            } else {
                tracker.locator.isDeaf(node.index) ? .deaf : .silent
            }
        var explanation = Explanation.Node(
            node: node.id, room: house.nodes[node.index].room.map { house.rooms[$0].id }, state: state)
        explanation.level = level
        explanation.heard = tracker.reception.lastReading(of: node.index)
        explanation.changed = tracker.locator.change(of: node.index)
        return explanation
    }
}
