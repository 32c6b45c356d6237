internal import Bytes

extension StateFilter {
    /// The evidence of each node in the last hop for one room against another, in nats, measured by leaving the node
    /// out.
    ///
    /// Correlated levels have no parts of their own: a vote is the loss of the whole without the node.
    func votes(for one: Int, against other: Int) -> [Reason.Vote] {
        guard let one = lessons.rooms.firstIndex(of: one), let other = lessons.rooms.firstIndex(of: other) else {
            return []
        }
        var scratch = self
        let whole = scratch.odds(one, other, without: nil)
        var votes: [Reason.Vote] = []
        for column in lessons.nodes.indices {
            if heard.contains(column) {
                let levels = whole - scratch.odds(one, other, without: column)
                let hearing = logMean(one) { 1 - silence($0, column) } - logMean(other) { 1 - silence($0, column) }
                votes.append(Reason.Vote(node: lessons.nodes[column], nats: levels + hearing))
            } else if silent.contains(column) {
                let nats =
                    logMean(one) { hearing.silence(column, silence($0, column)) }
                    - logMean(other) { hearing.silence(column, silence($0, column)) }
                votes.append(Reason.Vote(node: lessons.nodes[column], nats: nats))
            }
        }
        return votes
    }

    private func silence(_ state: Int, _ column: Int) -> Double {
        lessons.silence[state * lessons.nodes.count + column]
    }

    /// The log of a probability averaged over the states of a room, by their belief.
    private func logMean(_ room: Int, _ chance: (Int) -> Double) -> Double {
        var sum = 0.0
        var weight = 0.0
        for state in belief.indices where lessons.roomOfState[state] == room {
            let share = belief[state] + Parameters.least
            sum += share * chance(state)
            weight += share
        }
        return Mathematics.log(max(Parameters.least, sum / weight))
    }

    /// The log odds of the last levels between two rooms, with one node left out.
    private mutating func odds(_ one: Int, _ other: Int, without column: Int?) -> Double {
        var columns: [Int] = []
        var rest: [Double] = []
        for (place, level) in zip(heard, alike) where place != column {
            columns.append(place)
            rest.append(level)
        }
        guard !columns.isEmpty else { return 0 }
        let evidence = logLikelihoods(columns, rest)
        let highest = evidence.max() ?? 0
        return logMean(one) { Mathematics.exp(evidence[$0] - highest) }
            - logMean(other) { Mathematics.exp(evidence[$0] - highest) }
    }
}
