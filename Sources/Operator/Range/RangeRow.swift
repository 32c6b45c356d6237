internal import BeaconFrames
internal import Bytes
internal import WireProtocol

/// What `range` says of one beacon.
struct RangeRow: Equatable {
    /// What people call it; nil where nobody named it.
    var name: String?
    /// What was heard, by the node that hears it best.
    var window: Window
    /// The web address it sent last.
    var url: String?
    /// Seconds since it was heard; nil for what is told at the moment it is heard.
    var age: Double?
    /// Whether it was heard too long ago to say how near it is.
    var isStale = false

    /// How near it is; unknown once that is stale.
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
