internal import Bytes

/// A house laid out in cells: the room of each cell, and the level of an item there at each node.
///
/// It is made of the rooms' outlines and the nodes' places (`Layout`), once for all items. With drawn rooms it locates
/// items in those that have no node; otherwise it supports the nearest node. Levels fall with the logarithm of the
/// distance, with a wall around each room and with floors in between (Seidel and Rappaport, 914 MHz Path Loss
/// Prediction Models for Indoor Wireless Communications, 1992).
struct FloorPlan: Sendable {
    /// The cells to which a row or column of cells moves, each with a share.
    typealias Kernel = [[(to: Int, share: Double)]]

    let columns: Int
    let rows: Int
    /// The floors, lowest index first as their rooms are.
    let floors: Int
    /// The room that each cell lies in, by index; -1 for cells outside.
    let rooms: [Int]
    /// True for each room of the house, by index, that the plan covers: one with a cell, and with a placed node if it
    /// has nodes.
    let isShown: [Bool]
    /// Number of cells that lie in a room.
    let inside: Int
    /// The reception of each node over the cells, by its index; nil for nodes without a place.
    let hearing: [ReceiverHealth?]
    /// The movement of an item along a row, and along a column, in a second.
    let across: Kernel
    let along: Kernel

    /// A node's reception of an item in each cell.
    struct ReceiverHealth: Sendable {
        /// Its level, in dB beside that at one metre.
        let levels: [Double]
        /// The probability of silence, as odds beside those at one metre.
        let fading: [Double]
    }

    /// The plan's weight beside the nearest node, 0...1.
    let share: Double

    /// Number of cells, those outside included.
    var cells: Int { columns * rows * floors }

    /// The plan of a house; nil if it has no `Layout`, or if no cell of it lies in a room.
    init?(_ house: House, parameters: Parameters.Positions) {
        guard let layout = Layout(house, parameters: parameters) else { return nil }
        let (corners, model) = (layout.corners, layout.model)
        floors = layout.floors.count
        share = model.share
        let (west, east) = Self.range(corners.map(\.x))
        let (south, north) = Self.range(corners.map(\.y))
        let area = (east - west) * (north - south) * Double(layout.floors.count)
        let size = max(parameters.cell, (area / parameters.mostCells).squareRoot())
        columns = max(1, Int(((east - west) / size).rounded(.up)))
        rows = max(1, Int(((north - south) / size).rounded(.up)))
        across = Self.kernel(columns, of: size, parameters)
        along = Self.kernel(rows, of: size, parameters)

        var cells: [(place: House.Corner, floor: Int)] = []
        for floor in layout.floors.indices {
            for row in 0..<rows {
                for column in 0..<columns {
                    let x = west + (Double(column) + 0.5) * size
                    cells.append((.init(x: x, y: south + (Double(row) + 0.5) * size), floor))
                }
            }
        }
        let rooms = cells.map { layout.room(at: $0.place, floor: $0.floor) ?? -1 }
        inside = rooms.count { $0 >= 0 }
        guard inside > 0 else { return nil }
        self.rooms = rooms
        var isShown = [Bool](repeating: false, count: house.rooms.count)
        let (placed, nodes) = (Set(layout.nodes.compactMap(\.room)), house.nodesByRoom)
        for room in rooms where room >= 0 && (placed.contains(room) || nodes[room] == 0) { isShown[room] = true }
        self.isShown = isShown
        hearing = house.nodes.map { node in
            guard let position = node.position, let room = node.room else { return nil }
            let floor = layout.floor(of: node)
            let levels = zip(cells, rooms).map { cell, inside in
                let (x, y) = (cell.place.x - position.x, cell.place.y - position.y)
                let up = cell.floor == floor ? 0 : parameters.storey
                let distance = (x * x + y * y + up * up + parameters.nearest * parameters.nearest).squareRoot()
                let loss = (inside == room ? 0 : model.wall) + (cell.floor == floor ? 0 : parameters.floor)
                return -model.decade * Mathematics.log10(distance) - loss
            }
            return ReceiverHealth(levels: levels, fading: levels.map { Mathematics.exp(-$0 / Parameters.deviation) })
        }
    }

    private static func range(_ numbers: [Double]) -> (Double, Double) { (numbers.min() ?? 0, numbers.max() ?? 0) }

    /// A step of a walk, whose length is normally distributed, among so many cells in a line.
    private static func kernel(_ count: Int, of size: Double, _ parameters: Parameters.Positions) -> Kernel {
        (0..<count).map { from in
            let steps = (0..<count).map { to in
                let spreads = Double(to - from) * size / parameters.speed
                return (to: to, share: Mathematics.exp(-spreads * spreads / 2))
            }.filter { $0.share > parameters.leastShare }
            let sum = steps.reduce(0) { $0 + $1.share }
            return steps.map { ($0.to, $0.share / sum) }
        }
    }
}

extension [House.Corner] {
    /// True if the corners go around a point: a ray from it crosses their border an odd number of times.
    func surround(_ point: House.Corner) -> Bool {
        var isInside = false
        var before = count - 1
        for corner in indices {
            let (one, other) = (self[corner], self[before])
            before = corner
            guard (one.y > point.y) != (other.y > point.y) else { continue }
            if point.x < one.x + (point.y - one.y) / (other.y - one.y) * (other.x - one.x) { isInside.toggle() }
        }
        return isInside
    }
}
