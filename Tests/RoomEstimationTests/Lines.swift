import Bytes
@testable import RoomEstimation

/// Hops drawn as lines: a node, then its level in each second. `.` is silence, `x` a node that does not listen.
///
///     kitchen  -50 -52   .   x
///     hall     -80   . -60 -58
///
/// Rooms are named as their nodes, up to a `/`: `hall/2` is a second node of the hall.
struct Lines {
    var house = House()
    var hops: [Hop] = []

    /// Hops of one second from `start` on. `knowsListening`: true if the nodes' own reports were received.
    init(_ drawing: String, start: Int64 = 1_000, knowsListening: Bool = false) {
        let rows = drawing.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for row in rows {
            let room = house.addRoom(row[0].split(separator: "/").first.map(String.init) ?? row[0])
            house.addNode(row[0], room: room)
        }
        for column in 1..<(rows.map(\.count).max() ?? 1) {
            let listening = rows.indices.filter { column < rows[$0].count && rows[$0][column] != "x" }
            hops.append(
                Hop(
                    end: Timestamp(microseconds: (start + Int64(column)) * 1_000_000),
                    readings: rows.indices.compactMap { row in
                        guard column < rows[row].count, let level = Double(rows[row][column]) else { return nil }
                        return Hop.Reading(node: row, level: level, count: 3)
                    },
                    listening: knowsListening ? NodeSet(listening) : nil))
        }
    }

    /// The rooms answered, a letter a second; `?` if unknown.
    func answers() -> String {
        var locator = Locator(house: house)
        return hops.map { locator.weigh($0).room.map { String(house.rooms[$0].id.prefix(1)) } ?? "?" }.joined()
    }

    /// A locator that has weighed all hops.
    func locator() -> Locator {
        var locator = Locator(house: house)
        for hop in hops { locator.weigh(hop) }
        return locator
    }
}

/// The answers to hops as lines of text, with all visible values.
func transcript(_ hops: [Hop], _ locator: Locator) -> [String] {
    var locator = locator
    return hops.map { hop in
        let answer = locator.weigh(hop)
        return "\(answer) \(locator.probabilities) \(locator.reason())"
    }
}
