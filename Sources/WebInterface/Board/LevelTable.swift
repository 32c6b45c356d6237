internal import Bytes

/// The levels at which nodes heard the items that somebody follows, in their last windows.
struct LevelTable {
    private struct Level {
        var dBm: Double
        var at: Timestamp
    }

    /// A node that has not heard an item for so long is left out.
    private static let memory: Duration = .seconds(10)
    private var items: [String: [String: Level]] = [:]

    /// Records a level; returns the value of the item's topic: `{"at":T,"nodes":{"kitchen":-61.0}}`.
    mutating func record(_ dBm: Double, of item: String, at node: String, _ time: Timestamp) -> [UInt8] {
        // Nobody follows more items at once; what nobody follows any more is dropped here.
        if items[item] == nil, items.count >= Board.levelBound { items.removeAll() }
        var levels = items[item, default: [:]]
        levels[node] = Level(dBm: dBm, at: time)
        levels = levels.filter { time.duration(since: $0.value.at) < Self.memory }
        items[item] = levels
        var json = JSONWriter()
        json.beginObject()
        json.field("at", time)
        json.beginObject("nodes")
        for (node, level) in levels.sorted(by: { $0.key < $1.key }) { json.field(node, level.dBm, decimals: 1) }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
