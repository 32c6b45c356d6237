internal import BeaconFrames
public import Bytes
public import Identity
public import WireProtocol

/// Condenses reports into one window a beacon and interval.
///
/// Intervals are multiples of `length` on the clock of the reports, the same on all nodes. The caller closes them: at a
/// report past `end`, or by its clock. A report from before the interval (a capture's packets may be out of order)
/// counts in the current one.
public struct WindowTable: Sendable {
    /// The maximum number of remembered beacons; the least recently received one is evicted first, and counted in
    /// `evicted`.
    public static let beaconCapacity = 8192
    /// The maximum number of levels for medians in one interval; the mean replaces the median of a beacon without any.
    static let sampleCapacity = 65_536

    private struct Sample: Sendable {
        var level: Int8
        var previous: Int32
    }

    /// The length of the intervals that are opened from now on, positive.
    public var length: Duration
    /// The number of the current interval; before the first, the number that precedes it.
    public private(set) var seq: UInt64
    /// The current interval's beginning; nil before the first.
    public private(set) var begin: Timestamp?
    /// The end of the current interval, or of the last one; nil before the first.
    private var limit: Timestamp?
    private var beacons = RecencyTable<BeaconID, Accumulator>(capacity: beaconCapacity)
    private var samples: [Sample] = []
    /// The beacons in the order of their first reports. One that was evicted and has returned is present twice; its
    /// entry has the valid index.
    private var heard: [BeaconID] = []

    /// A table without beacons, for intervals of `length` (positive), numbered from the one after `seq` on.
    public init(length: Duration, after seq: UInt64 = 0) {
        precondition(length > .zero)
        self.length = length
        self.seq = seq
    }

    /// The current interval's end; nil before the first.
    public var end: Timestamp? { begin == nil ? nil : limit }
    /// The number of beacons evicted for lack of room.
    public var evicted: UInt64 { beacons.evicted }

    /// Begins the interval that contains `time`, under the next number. The previous interval must have been closed.
    ///
    /// If `length` has changed and that interval began before the last one's end, it begins there, and is longer than
    /// `length` by the time to the next multiple.
    public mutating func beginInterval(at time: Timestamp) {
        let multiple = time.floor(toMultipleOf: length)
        var (begin, end) = (multiple, multiple.advanced(by: length))
        if let limit, limit <= time, limit > multiple {
            begin = limit
            end = end.advanced(by: length)
        }
        (self.begin, limit) = (begin, end)
        seq &+= 1
    }

    /// Adds a report to the current interval. Returns true if it is its beacon's first there.
    @discardableResult
    public mutating func record(_ sighting: Sighting) -> Bool {
        let (id, samplesLeft) = (sighting.beacon.id, samples.count < Self.sampleCapacity)
        let sample = Int32(samples.count)
        var (isFirst, isSampled) = (false, false)
        beacons.withValue(
            forKey: id, initial: { Accumulator(id: id.text, item: sighting.beacon.item, time: sighting.time) }
        ) { beacon in
            if beacon.place < 0 {
                beacon.place = Int32(heard.count)
                heard.append(id)
                isFirst = true
            }
            beacon.item = sighting.beacon.item
            beacon.lastHeard = sighting.time
            if !sighting.telemetry.isEmpty { beacon.telemetry.merge(sighting.telemetry) }
            if let url = sighting.url { beacon.url = url }
            if let transmitterClass = sighting.transmitterClass { beacon.transmitterClass = transmitterClass }
            guard sighting.beacon.counts else { return }
            beacon.count += 1
            beacon.cadence.record(at: sighting.time)
            if let address = sighting.address, !id.rotatesAddress { beacon.record(address) }
            if let power = sighting.power { beacon.power = power }
            guard let level = sighting.rssi else { return }
            beacon.add(level: Int(level))
            if samplesLeft {
                samples.append(Sample(level: level, previous: beacon.sample))
                beacon.sample = sample
                isSampled = true
            }
        }
        assert(isSampled == (Int(sample) < samples.count))
        if heard.count >= 2 * Self.beaconCapacity { forgetEvicted() }
        return isFirst
    }

    /// Removes evicted beacons from the list, so that a long interval of ever new addresses doesn't fill memory.
    private mutating func forgetEvicted() {
        var kept: [BeaconID] = []
        for (place, id) in heard.enumerated() {
            _ = beacons.withValue(ifPresent: id) { beacon in
                guard Int(beacon.place) == place else { return }
                beacon.place = Int32(kept.count)
                kept.append(id)
            }
        }
        heard = kept
    }

    /// Ends the current interval and returns a window for each beacon received in it, in the order of their first
    /// reports.
    ///
    /// `node` and `epoch` are the node's; `items` are the registry's, which name a beacon's item.
    public mutating func endInterval(
        node: String, epoch: String, items: [Item], _ body: (Window) -> Void
    ) {
        guard let begin, let end else { return }
        var levels: [Int8] = []
        for (place, id) in heard.enumerated() {
            let (seq, samples, length) = (seq, samples, end.duration(since: begin))
            // One that was evicted in the meantime has no window; restoring it would evict another before its turn.
            _ = beacons.withValue(ifPresent: id) { beacon in
                guard Int(beacon.place) == place else { return }
                var window = Window(
                    seq: seq, from: begin, to: end, node: node, epoch: epoch, id: beacon.id,
                    item: beacon.item.map { items[Int($0)].id }, count: beacon.count)
                levels.removeAll(keepingCapacity: true)
                var next = beacon.sample
                while next >= 0 {
                    levels.append(samples[Int(next)].level)
                    next = samples[Int(next)].previous
                }
                window.expected = beacon.cadence.interval.map { length.seconds / $0 }
                window.telemetry = beacon.telemetry.isEmpty ? nil : beacon.telemetry
                window.addressReturns = beacon.addressReturns > 0 ? beacon.addressReturns : nil
                window.url = beacon.url?.text
                window.transmitterClass = beacon.item == nil ? beacon.transmitterClass : nil
                let power = beacon.item.flatMap { items[Int($0)].power } ?? beacon.power
                window.power = power
                window.rssi = beacon.levels.figures(median: Self.medianLevel(&levels))
                if let rssi = window.rssi, let power {
                    let distance = PathLoss.distance(
                        level: rssi.mean, power: power, deviation: rssi.deviation, count: beacon.levels.count)
                    beacon.nearness.update(metres: distance.metres, at: end)
                    window.distance = distance
                }
                window.proximity = beacon.nearness.proximity
                body(window)
                beacon.startInterval()
            }
        }
        heard.removeAll(keepingCapacity: true)
        samples.removeAll(keepingCapacity: true)
        self.begin = nil
    }

    /// The median, or nil if there is no level.
    private static func medianLevel(_ levels: inout [Int8]) -> Double? {
        guard !levels.isEmpty else { return nil }
        levels.sort()
        let middle = levels.count / 2
        if levels.count % 2 == 1 { return Double(levels[middle]) }
        return (Double(levels[middle - 1]) + Double(levels[middle])) / 2
    }
}
