internal import BeaconFrames
internal import Bytes
internal import WireProtocol

/// The reports of one beacon in the current interval, and its state between intervals.
struct Accumulator: Sendable {
    /// Its canonical id as text, made once.
    let id: String
    var item: Int32?
    var cadence = Cadence()
    var power: Int?
    var nearness = ProximityState()
    var lastHeard: Timestamp

    /// Reports that count in this interval, and those with a level.
    var count = 0
    var levels = 0
    var sum = 0
    var sumOfSquares = 0
    var minimum = Int.max
    var maximum = Int.min
    /// The last of this interval's levels in the table's pool; −1 for none.
    var sample: Int32 = -1
    /// The index in the list of beacons received in this interval; −1 for one that wasn't.
    var place: Int32 = -1
    var telemetry = Telemetry()
    var url: EncodedURL?
    /// The kind of transmitter in its latest report.
    var transmitterClass: TransmitterClass?

    init(id: String, item: Int32?, time: Timestamp) {
        self.id = id
        self.item = item
        lastHeard = time
    }

    mutating func add(level: Int) {
        levels += 1
        sum += level
        sumOfSquares += level * level
        minimum = min(minimum, level)
        maximum = max(maximum, level)
    }

    /// The figures of this interval's levels; `median` comes from the pool.
    func figures(median: Double?) -> Window.Levels? {
        guard levels > 0 else { return nil }
        let mean = Double(sum) / Double(levels)
        var deviation: Double?
        if levels > 1 {
            let squares = Double(sumOfSquares) - Double(sum) * mean
            deviation = (max(0, squares) / Double(levels - 1)).squareRoot()
        }
        return Window.Levels(
            mean: mean, median: median ?? mean, minimum: minimum, maximum: maximum, deviation: deviation)
    }

    mutating func startInterval() {
        count = 0
        levels = 0
        sum = 0
        sumOfSquares = 0
        minimum = .max
        maximum = .min
        sample = -1
        place = -1
        telemetry = Telemetry()
        url = nil
    }
}
