public import BeaconFrames
public import Bytes
internal import Crypto

/// Tells whose an Eddystone-EID identifier is, by the identity keys and clocks of many beacons.
///
/// The identifiers of a beacon's present time slot and of its neighbours are made beforehand, so that a frame costs
/// one look into a table. What isn't there may be ``search(_:at:upTo:)``ed for in the slots of days around, at a cost
/// that the caller bounds: a beacon whose clock is off is told as such. A frame that the table has moves its beacon's
/// window to where the beacon's clock is, so that a drifting clock is followed; what a search finds moves it only by
/// ``follow(_:)``, for it may be an old frame that somebody sends again.
///
/// An identifier has 64 bits: a stranger's is taken for one of n that were tried with a chance of n / 2⁶⁴, which for
/// 50 beacons of 5 slots is 10⁻¹⁷ a frame.
public struct EphemeralResolver: Sendable {
    /// A beacon: its key, and what its counter was at a time.
    public struct Beacon: Sendable {
        /// Its identity key.
        public var key: EphemeralKey
        /// What its counter of seconds was at ``reference``.
        public var counter: UInt32
        /// When its counter was read.
        public var reference: Timestamp

        /// A beacon of these values.
        public init(key: EphemeralKey, counter: UInt32, reference: Timestamp) {
            self.key = key
            self.counter = counter
            self.reference = reference
        }
    }

    /// Whose an identifier is.
    public struct Match: Hashable, Sendable {
        /// The place of the beacon among all.
        public var beacon: Int
        /// The beginning of the identifier's time slot in the beacon's own time, by which its telemetry is opened.
        public var counter: UInt32
        /// By how many seconds the beacon's clock is ahead of what was expected, negative where it is behind, to the
        /// nearest end of the slot; 0 where it is in the slot that was expected.
        public var drift: Int64
    }

    /// How many slots to either side of the expected one are made beforehand.
    public static let neighbours: Int64 = 2
    /// Block ciphers since the start: what tables and searches cost.
    public private(set) var ciphers: UInt64 = 0

    private let beacons: [Beacon]
    /// What was learnt of each clock, in seconds beyond what its beacon said.
    private var offsets: [Int64]
    /// The slot around which each beacon's identifiers are in the table.
    private var centres: [Int64?]
    private var table: [UInt64: (beacon: Int, slot: Int64)] = [:]

    /// A resolver for these beacons, which are known by their places.
    ///
    /// - Parameter drifts: what was learnt of their clocks before, as ``drift(of:)`` tells it; 0 for each without it, and
    ///   in place of what is none.
    public init(_ beacons: [Beacon], drifts: [Int64] = []) {
        self.beacons = beacons
        offsets = beacons.indices.map { place in
            guard drifts.indices.contains(place) else { return 0 }
            return (-Self.furthest...Self.furthest).contains(drifts[place]) ? drifts[place] : 0
        }
        centres = Array(repeating: nil, count: beacons.count)
    }

    /// Whose identifier this is, by the slots that were made beforehand; nil for one that isn't in them.
    public mutating func resolve(_ identifier: UInt64, at time: Timestamp) -> Match? {
        for place in beacons.indices { prepare(place, at: time) }
        guard let (place, slot) = table[identifier] else { return nil }
        let match = match(place, slot, at: time)
        follow(match)
        return match
    }

    /// Moves a beacon's window to where a match found its clock.
    public mutating func follow(_ match: Match) {
        guard offsets.indices.contains(match.beacon) else { return }
        // A year beyond what the beacon said is no drift: nothing is to be added up without end.
        offsets[match.beacon] = max(-Self.furthest, min(Self.furthest, offsets[match.beacon] + match.drift))
    }

    private static let furthest: Int64 = 366 * 86_400

    /// Looks for an identifier in the slots of `seconds` to either side of each beacon's time; gives the nearest.
    ///
    /// Costs up to two block ciphers for each slot that is tried and one key's making ready for each 65,536 s: with
    /// 50 beacons that change every 1,024 s and four days to either side 34,000. Not for every stranger's frame.
    ///
    /// - Parameter slots: those to either side that are tried, counted from the expected one, which is 0.
    public mutating func search(
        _ identifier: UInt64, at time: Timestamp, upTo seconds: Int64, slots: Range<Int64> = 0..<Int64.max
    ) -> Match? {
        var nearest: (place: Int, slot: Int64, distance: Int64)?
        for place in beacons.indices {
            let period = Int64(beacons[place].key.period)
            let centre = slot(place, at: time)
            let tried = slots.clamped(to: 0..<min(seconds, Self.furthest) / period + 1)
            for side: Int64 in tried.isEmpty ? [] : [-1, 1] {
                var temporary: TemporaryKey?
                for distance in tried where side > 0 || distance > 0 {
                    let slot = centre + side * distance
                    guard identifier == self.identifier(place, slot, &temporary) else { continue }
                    if nearest.map({ distance * period < $0.distance }) ?? true {
                        nearest = (place, slot, distance * period)
                    }
                }
            }
        }
        guard let nearest else { return nil }
        return match(nearest.place, nearest.slot, at: time)
    }

    /// By how many seconds a beacon's clock was found to be ahead of what it was said to be; negative: behind.
    public func drift(of beacon: Int) -> Int64? {
        offsets.indices.contains(beacon) ? offsets[beacon] : nil
    }

    /// A beacon's telemetry in the clear, as it was encrypted in its present slot or in one beside it; nil where it is
    /// another's. Passes once in 21,000 times for a frame that isn't this beacon's.
    public func open(_ frame: EddystoneETLM, of beacon: Int, at time: Timestamp) -> EddystoneTLM? {
        guard beacons.indices.contains(beacon) else { return nil }
        let centre = slot(beacon, at: time)
        for slot in [centre, centre - 1, centre + 1] {
            if let opened = beacons[beacon].key.open(frame, at: counter(beacon, slot)) { return opened }
        }
        return nil
    }

    // MARK: Slots

    /// A temporary key and the 65,536 seconds that it is for.
    private struct TemporaryKey {
        var epoch: UInt32
        var key: AES128
    }

    /// The beacon's time as far as it is known, in seconds; it may be negative or beyond 32 bits.
    private func seconds(_ place: Int, at time: Timestamp) -> Int64 {
        let elapsed = time.microseconds(since: beacons[place].reference)
        let (whole, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000)
        return Int64(beacons[place].counter) + (rest < 0 ? whole - 1 : whole) + offsets[place]
    }

    private func slot(_ place: Int, at time: Timestamp) -> Int64 {
        seconds(place, at: time) >> Int64(beacons[place].key.exponent)
    }

    private func counter(_ place: Int, _ slot: Int64) -> UInt32 {
        UInt32(truncatingIfNeeded: slot << Int64(beacons[place].key.exponent))
    }

    private mutating func identifier(_ place: Int, _ slot: Int64, _ temporary: inout TemporaryKey?) -> UInt64 {
        let key = beacons[place].key
        let counter = counter(place, slot)
        ciphers += 1
        if let temporary, temporary.epoch == counter >> 16 { return key.identifier(at: counter, temporary.key) }
        ciphers += 1
        let made = key.temporaryKey(at: counter)
        temporary = TemporaryKey(epoch: counter >> 16, key: made)
        return key.identifier(at: counter, made)
    }

    /// Makes the identifiers around a beacon's present slot, where they aren't in the table.
    private mutating func prepare(_ place: Int, at time: Timestamp) {
        let centre = slot(place, at: time)
        guard centres[place] != centre else { return }
        if centres[place] != nil { table = table.filter { $0.value.beacon != place } }
        centres[place] = centre
        var temporary: TemporaryKey?
        for slot in centre - Self.neighbours...centre + Self.neighbours {
            table[identifier(place, slot, &temporary)] = (place, slot)
        }
    }

    /// A match, and how far the beacon's clock must be off for it to be in this slot now.
    private func match(_ place: Int, _ slot: Int64, at time: Timestamp) -> Match {
        let now = seconds(place, at: time)
        let period = Int64(beacons[place].key.period)
        let start = slot * period
        let drift = now < start ? start - now : now >= start + period ? start + period - 1 - now : 0
        return Match(beacon: place, counter: counter(place, slot), drift: drift)
    }
}
