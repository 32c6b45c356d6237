internal import BeaconFrames
internal import Bytes
internal import WireProtocol

/// The row of one beacon in `range`.
struct RangeRow: Equatable {
    /// Its readable name; nil if it has none.
    var name: String?
    /// The window of the node with the best reception.
    var window: Window
    /// The web address it sent last.
    var url: String?
    /// Seconds since its last packet; nil in a line printed at its reception.
    var age: Double?
    /// True if its last packet is too old for a distance.
    var isStale = false

    /// Its proximity; unknown once that is stale.
    var proximity: Window.Proximity { isStale ? .unknown : window.proximity }

    /// Writes the row as an object.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", window.id)
        json.field("item", window.item)
        json.field("name", name)
        json.field("url", url)
        json.field("class", window.transmitterClass?.rawValue)
        json.field("node", window.node)
        json.field("proximity", proximity.rawValue)
        json.field("rssi", window.rssi?.mean, decimals: 1)
        if let distance = window.distance {
            json.beginObject("distance")
            json.field("m", distance.metres, decimals: 2)
            json.field("low", distance.low, decimals: 2)
            json.field("high", distance.high, decimals: 2)
            json.endObject()
        }
        json.field("count", window.count)
        json.field("last_seen", window.to)
        json.field("age_s", age, decimals: 1)
        json.endObject()
    }
}
