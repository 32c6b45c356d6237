internal import Bytes
internal import RoomEstimation

/// The reception of one item: its last packet, and the time without one.
struct ItemReception: Sendable {
    /// The time of its last packet; of its entry before the first.
    private(set) var lastHeard: Timestamp
    /// True if no packet of it was ever received, as far as this run knows.
    var isUnheard = false
    /// The time of listening in which no packet of it was received.
    private(set) var silence = Duration.zero
    /// The time without a packet of it in which no node reported that it listened.
    private var unwatched = Duration.zero
    /// Seconds between its advertisements, by its windows.
    var interval: Double?
    /// The last distance that each node measured, in metres, and the end of that interval, by the node's index.
    private(set) var distances: [Int: (metres: Double, at: Timestamp)] = [:]
    /// The levels of the last interval with a packet, by the node's index.
    private(set) var levels: [Int: Double] = [:]
    /// The loudest window of that interval, by node, epoch and seq.
    private(set) var loudest: (node: Int, epoch: String, seq: UInt64)?

    init(at time: Timestamp) { lastHeard = time }

    /// Continues from the window and the interval that an earlier run stored.
    mutating func restore(loudest: (node: Int, epoch: String, seq: UInt64)?, interval: Double?) {
        (self.loudest, self.interval) = (loudest, interval)
    }

    /// Continues from the silence that an earlier run stored.
    mutating func restore(silence: Duration) { self.silence = max(.zero, silence) }

    /// Consumes the windows of an interval in which levels were measured.
    mutating func record(_ observations: [ObservationTable.Observation], at time: Timestamp, nodes: [House.Node]) {
        (silence, unwatched) = (.zero, .zero)
        isUnheard = false
        lastHeard = time
        levels.removeAll(keepingCapacity: true)
        var loudest: ObservationTable.Observation?
        for observation in observations {
            if let distance = observation.distance { distances[observation.node] = (distance, time) }
            if let level = observation.level { levels[observation.node] = level }
            if let expected = observation.expected, expected > 0 {
                interval = Double(observation.length) / 1e6 / expected
            }
            if Self.isLouder(observation, than: loudest, nodes) { loudest = observation }
        }
        self.loudest = loudest.map { ($0.node, $0.epoch, $0.seq) }
    }

    /// Of two alike the first node by its id, so that all fusers name a move by the same window.
    private static func isLouder(
        _ one: ObservationTable.Observation, than other: ObservationTable.Observation?, _ nodes: [House.Node]
    ) -> Bool {
        guard let other else { return true }
        let (level, best) = (one.level ?? -.infinity, other.level ?? -.infinity)
        return level == best ? nodes[one.node].id < nodes[other.node].id : level > best
    }

    /// Adds time in which nodes listened and received no packet.
    mutating func extendSilence(by length: Duration) { silence += length }

    /// Ends the silence without a new packet.
    mutating func endSilence() { silence = .zero }

    /// Adds time in which no node reported that it listened; true once that has lasted for longer than evidence takes.
    mutating func extendUnwatched(by length: Duration, awayAfter: Duration) -> Bool {
        unwatched += length
        return unwatched >= patience(awayAfter)
    }

    /// The time of silence that is evidence: at least the given time, and longer for an item that advertises
    /// seldom.
    func patience(_ least: Duration) -> Duration {
        max(
            least,
            min(
                .microseconds(Int64(Parameters.Household.intervals * min(interval ?? 0, 1e6) * 1e6)),
                Parameters.Household.longestSilence))
    }

    /// The time of the last packet of an item that is found to have left at `time`.
    func lastPacket(ifLeftAt time: Timestamp) -> Timestamp {
        isUnheard ? time.advanced(by: -silence) : lastHeard
    }

    /// The end of the last interval in which a node measured the item; nil where no reading of it is retained.
    func lastReading(of node: Int) -> Timestamp? { levels[node] == nil ? distances[node]?.at : lastHeard }

    /// The distances measured in the last minute before its last packet, in metres, by the node's index.
    var recentDistances: [(node: Int, metres: Double)] {
        distances.compactMap { node, distance in
            lastHeard.duration(since: distance.at) <= Parameters.Household.distanceMemory
                ? (node, distance.metres) : nil
        }
    }

    /// Clears the levels and distances of an item that has left.
    mutating func clearReadings() {
        distances.removeAll()
        levels.removeAll()
    }

    /// Clears the observations of a node that no longer exists, by its index.
    mutating func forgetNode(_ node: Int) {
        (distances[node], levels[node]) = (nil, nil)
        if loudest?.node == node { loudest = nil }
    }
}
