internal import Bytes

/// The place of an item on the plan of the house: a belief over cells, moved on as things are carried and updated by
/// levels.
///
/// It learns the item's level at one metre, and the excess of each node over the others, from the same hops.
struct PositionFilter: Sendable {
    /// The probability of each room; none until a node that has a place received something, nor while others alone
    /// receive it.
    private(set) var rooms: [Double] = []
    /// The probability of each cell.
    private var cells: [Double] = []
    private var scratch: [Double] = []
    private var next: [Double] = []
    /// The readings of the last hop by nodes that have a place, and those of such nodes that were silent in it.
    private var heard: [Hop.Reading] = []
    private var silent: [Int] = []
    /// The level at one metre, in dBm, and the number of readings in it.
    private var level: Double
    private var readings: Double
    /// The excess of each node, in dB, and the number of its receptions of the item; by its index.
    private var offsets: [(louder: Double, heard: Double)] = []
    private let parameters: Parameters.Positions

    init(parameters: Parameters.Positions) {
        self.parameters = parameters
        level = parameters.level
        readings = Parameters.prior
    }

    /// Leaves a plan that no longer exists. The item's loudness depends on the plan's distances: it is learned anew.
    mutating func leave() {
        (rooms, cells, offsets) = ([], [], [])
        readings = min(readings, Parameters.prior)
    }

    /// Clears the excess of a node that no longer exists, by its index.
    mutating func forget(_ node: Int) {
        if node < offsets.count { offsets[node] = (0, 0) }
    }

    /// Begins with half of the belief in one room: the one it was believed to be in before.
    mutating func begin(in room: Int, of plan: FloorPlan) {
        spread(over: plan)
        let inside = plan.rooms.count { $0 == room }
        guard inside > 0 else { return }
        for cell in cells.indices { cells[cell] /= 2 }
        for cell in cells.indices where plan.rooms[cell] == room { cells[cell] += 0.5 / Double(inside) }
        sum(over: plan)
    }

    /// Moves the belief on by one second, except for the share that is held in place.
    mutating func step(_ plan: FloorPlan, held: Double) {
        guard cells.count == plan.cells else { return }
        blur(plan)
        climb(plan)
        var inside = 0.0
        for cell in next.indices {
            if plan.rooms[cell] < 0 { next[cell] = 0 }
            inside += next[cell]
        }
        guard inside > 0 else { return }
        let jump = parameters.jump / Double(plan.inside)
        for cell in next.indices where plan.rooms[cell] >= 0 {
            let moved = (1 - parameters.jump) * next[cell] / inside + jump
            cells[cell] += (1 - held) * (moved - cells[cell])
        }
    }

    /// Consumes the levels of a hop.
    mutating func weigh(_ hop: Hop, _ plan: FloorPlan) {
        if cells.count != plan.cells { spread(over: plan) }
        while offsets.count < plan.hearing.count { offsets.append((0, 0)) }
        heard.removeAll(keepingCapacity: true)
        for reading in hop.readings where heard.count < parameters.mostReadings {
            if reading.node < plan.hearing.count, plan.hearing[reading.node] != nil { heard.append(reading) }
        }
        guard !heard.isEmpty else {
            // Received only by nodes without a place, it may be beside them.
            rooms.removeAll(keepingCapacity: true)
            silent.removeAll(keepingCapacity: true)
            return
        }
        weighLevels(plan)
        weighSilences(hop, plan)
        Mathematics.normalise(&cells, least: Parameters.least)
        sum(over: plan)
        learn(plan)
    }

    /// Weighs the levels by Student's t with 4 degrees of freedom; its power is taken once a cell, of the product.
    private mutating func weighLevels(_ plan: FloorPlan) {
        for cell in next.indices { next[cell] = 1 }
        let scale = 1 / (4 * parameters.spread * parameters.spread)
        for reading in heard {
            guard let levels = plan.hearing[reading.node]?.levels else { continue }
            let louder = louder(reading)
            for cell in next.indices {
                let error = louder - levels[cell]
                next[cell] *= 1 + error * error * scale
            }
        }
        for cell in cells.indices where cells[cell] > 0 {
            cells[cell] /= next[cell] * next[cell] * next[cell].squareRoot()
        }
    }

    /// Weighs the silence of those that listened and had received the item before: it was too faint there, or the
    /// packet was lost, as one in `gaps` is at any level: two devices transmit at once.
    private mutating func weighSilences(_ hop: Hop, _ plan: FloorPlan) {
        silent.removeAll(keepingCapacity: true)
        var reading = 0
        for node in plan.hearing.indices where silent.count < parameters.mostReadings {
            while reading < hop.readings.count, hop.readings[reading].node < node { reading += 1 }
            if reading < hop.readings.count, hop.readings[reading].node == node { continue }
            guard let fading = plan.hearing[node]?.fading, offsets[node].heard > 0,
                hop.listening?.contains(node) ?? true
            else { continue }
            silent.append(node)
            let odds = oddsOfSilence(node)
            for cell in cells.indices { cells[cell] *= chanceOfSilence(odds * fading[cell]) }
        }
    }

    /// The excess in dB of a node's level of the item over that at one metre.
    private func louder(_ reading: Hop.Reading) -> Double { reading.level - level - offsets[reading.node].louder }

    /// The odds that a node receives nothing of the item at one metre.
    private func oddsOfSilence(_ node: Int) -> Double {
        Mathematics.exp((parameters.faint - level - offsets[node].louder) / Parameters.deviation)
    }

    /// The probability of silence by its odds, and by other senders.
    private func chanceOfSilence(_ odds: Double) -> Double { 1 - (1 - 1 / Parameters.gaps) / (1 + odds) }

    /// The evidence of each node in the last hop for one room against another, in nats: its probability in each,
    /// averaged over the places in it by their belief.
    func votes(for one: Int, against other: Int, on plan: FloorPlan) -> [Reason.Vote] {
        guard cells.count == plan.cells else { return [] }
        func vote(_ node: Int, _ chance: (Int) -> Double) -> Reason.Vote {
            let (here, there) = (mean(of: chance, in: one, plan), mean(of: chance, in: other, plan))
            return Reason.Vote(node: node, nats: Mathematics.log(here / there))
        }
        let scale = 1 / (4 * parameters.spread * parameters.spread)
        var votes: [Reason.Vote] = []
        for reading in heard {
            guard let levels = plan.hearing[reading.node]?.levels else { continue }
            let louder = louder(reading)
            let vote = vote(reading.node) { cell in
                let misfit = 1 + (louder - levels[cell]) * (louder - levels[cell]) * scale
                return 1 / (misfit * misfit * misfit.squareRoot())
            }
            votes.append(vote)
        }
        for node in silent {
            guard let fading = plan.hearing[node]?.fading else { continue }
            let odds = oddsOfSilence(node)
            votes.append(vote(node) { chanceOfSilence(odds * fading[$0]) })
        }
        return votes
    }

    private func mean(of chance: (Int) -> Double, in room: Int, _ plan: FloorPlan) -> Double {
        var (sum, weight) = (Parameters.least, Parameters.least)
        for cell in cells.indices where plan.rooms[cell] == room {
            let share = cells[cell] + Parameters.least
            sum += share * chance(cell)
            weight += share
        }
        return sum / weight
    }

    /// Learns the item's loudness, and the sensitivity of each node.
    private mutating func learn(_ plan: FloorPlan) {
        readings += Double(heard.count)
        var (shift, mean, count) = (0.0, 0.0, 0.0)
        for reading in heard {
            guard let levels = plan.hearing[reading.node]?.levels else { continue }
            var expected = 0.0
            for cell in cells.indices { expected += cells[cell] * levels[cell] }
            let error = louder(reading) - expected
            shift += error
            offsets[reading.node].heard += 1
            offsets[reading.node].louder += error / (offsets[reading.node].heard + Parameters.offsetHops)
        }
        level += shift / readings
        for offset in offsets where offset.heard > 0 { (mean, count) = (mean + offset.louder, count + 1) }
        for node in offsets.indices where offsets[node].heard > 0 { offsets[node].louder -= mean / count }
    }

    /// Resets the belief to an even one.
    private mutating func spread(over plan: FloorPlan) {
        cells = plan.rooms.map { $0 < 0 ? 0 : 1 / Double(plan.inside) }
        (scratch, next) = (cells, cells)
    }

    /// A second's walk, from `cells` into `next`.
    private mutating func blur(_ plan: FloorPlan) {
        for cell in next.indices { (scratch[cell], next[cell]) = (0, 0) }
        for row in 0..<plan.rows * plan.floors {
            let start = row * plan.columns
            for column in 0..<plan.columns where cells[start + column] > 0 {
                for step in plan.across[column] { scratch[start + step.to] += cells[start + column] * step.share }
            }
        }
        for floor in 0..<plan.floors {
            for row in 0..<plan.rows {
                let from = (floor * plan.rows + row) * plan.columns
                for step in plan.along[row] {
                    let to = (floor * plan.rows + step.to) * plan.columns
                    for column in 0..<plan.columns { next[to + column] += scratch[from + column] * step.share }
                }
            }
        }
    }

    /// A share goes to other floors, to the same place there.
    private mutating func climb(_ plan: FloorPlan) {
        guard plan.floors > 1 else { return }
        let place = plan.columns * plan.rows
        for cell in 0..<place {
            var sum = 0.0
            for floor in 0..<plan.floors { sum += next[floor * place + cell] }
            for floor in 0..<plan.floors {
                let here = next[floor * place + cell]
                next[floor * place + cell] +=
                    parameters.jump * ((sum - here) / Double(plan.floors - 1) - here)
            }
        }
    }

    private mutating func sum(over plan: FloorPlan) {
        if rooms.count != plan.isShown.count { rooms = [Double](repeating: 0, count: plan.isShown.count) }
        for room in rooms.indices { rooms[room] = 0 }
        for cell in cells.indices where plan.rooms[cell] >= 0 { rooms[plan.rooms[cell]] += cells[cell] }
    }
}
