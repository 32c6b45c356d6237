public import BeaconFrames
public import Bytes
internal import Crypto

/// Resolves Eddystone-EID identifiers by the identity keys and clocks of many beacons.
///
/// The identifiers of a beacon's present time slot and of its neighbours are computed in advance, so that a frame costs
/// one look-up. Other identifiers may be ``search(_:at:upTo:)``ed for in the slots of days around, at a cost that the
/// caller bounds, which detects a beacon with a wrong clock. A frame found in the table moves its beacon's window to
/// the beacon's clock, so that a drifting clock is followed. The result of a search moves it only by ``adoptClock(_:)``,
/// since it may be a replayed old frame.
///
/// An identifier has 64 bits: a stranger's matches one of n that were tried with a probability of n / 2⁶⁴, which for 50
/// beacons of 5 slots is 10⁻¹⁷ a frame.
public struct EphemeralResolver: Sendable {
    /// A beacon: its key, and the value of its counter at a time.
    public struct Beacon: Sendable {
        /// Its identity key.
        public var key: EphemeralKey
        /// The value of its counter of seconds at ``reference``.
        public var counter: UInt32
        /// The time at which its counter was read.
        public var reference: Timestamp

        /// A beacon of these values.
        public init(key: EphemeralKey, counter: UInt32, reference: Timestamp) {
            self.key = key
            self.counter = counter
            self.reference = reference
        }
    }

    /// The beacon and slot of an identifier.
    public struct Match: Hashable, Sendable {
        /// The index of the beacon.
        public var beacon: Int
        /// The beginning of the identifier's time slot in the beacon's own time, by which its telemetry is opened.
        public var counter: UInt32
        /// The seconds by which the beacon's clock is ahead of the expected one, negative if behind, to the nearest end
        /// of the slot; 0 in the expected slot.
        public var drift: Int64
    }

    /// The number of slots to either side of the expected one that are computed in advance.
    public static let neighbours: Int64 = 2
    /// Block cipher operations since the start: the cost of tables and searches.
    public private(set) var ciphers: UInt64 = 0

    private let beacons: [Beacon]
    /// The learned offset of each clock, in seconds relative to the configured one.
    private var offsets: [Int64]
    /// The slot around which each beacon's identifiers are in the table.
    private var centres: [Int64?]
    private var table: [UInt64: (beacon: Int, slot: Int64)] = [:]

    /// A resolver for these beacons, which are identified by their indices.
    ///
    /// - Parameter drifts: Previously learned offsets of their clocks, as ``drift(of:)`` returns them; 0 by default and
    ///   for invalid ones.
    public init(_ beacons: [Beacon], drifts: [Int64] = []) {
        self.beacons = beacons
        offsets = beacons.indices.map { place in
            guard drifts.indices.contains(place) else { return 0 }
            return (-Self.furthest...Self.furthest).contains(drifts[place]) ? drifts[place] : 0
        }
        centres = Array(repeating: nil, count: beacons.count)
    }

    /// Resolves an identifier by the slots that were computed in advance; nil if it isn't in them.
    public mutating func resolve(_ identifier: UInt64, at time: Timestamp) -> Match? {
        for place in beacons.indices { prepareSlots(place, at: time) }
        guard let (place, slot) = table[identifier] else { return nil }
        let match = matchSlot(place, slot, at: time)
        adoptClock(match)
        return match
    }

    /// Moves a beacon's window to the clock of a match.
    public mutating func adoptClock(_ match: Match) {
        guard offsets.indices.contains(match.beacon) else { return }
        // The offset is bounded to a year, so that it can't grow without end.
        offsets[match.beacon] = max(-Self.furthest, min(Self.furthest, offsets[match.beacon] + match.drift))
    }

    private static let furthest: Int64 = 366 * 86_400

    /// Searches for an identifier in the slots of `seconds` to either side of each beacon's time; returns the nearest
    /// match.
    ///
    /// Costs up to two block ciphers for each slot that is tried and one key expansion for each 65,536 s: 34,000 with
    /// 50 beacons that change every 1,024 s and four days to either side. Not suited for every stranger's frame.
    ///
    /// - Parameter slots: The slots to either side that are tried, counted from the expected one, which is 0.
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
        return matchSlot(nearest.place, nearest.slot, at: time)
    }

    /// The seconds by which a beacon's clock is ahead of the configured one; negative if behind.
    public func drift(of beacon: Int) -> Int64? {
        offsets.indices.contains(beacon) ? offsets[beacon] : nil
    }

    /// Decrypts a beacon's telemetry that was encrypted in its present slot or in one beside it; nil if it is
    /// another's. A frame of another beacon passes once in 21,000 times.
    public func open(_ frame: EddystoneETLM, of beacon: Int, at time: Timestamp) -> EddystoneTLM? {
        guard beacons.indices.contains(beacon) else { return nil }
        let centre = slot(beacon, at: time)
        for slot in [centre, centre - 1, centre + 1] {
            if let opened = beacons[beacon].key.open(frame, at: counter(beacon, slot)) { return opened }
        }
        return nil
    }

    // MARK: Slots

    /// A temporary key and the 65,536 seconds of its validity.
    private struct TemporaryKey {
        var epoch: UInt32
        var key: AES128
    }

    /// The estimated time of the beacon in seconds; it may be negative or beyond 32 bits.
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

    /// Computes the identifiers around a beacon's present slot that aren't in the table.
    private mutating func prepareSlots(_ place: Int, at time: Timestamp) {
        let centre = slot(place, at: time)
        guard centres[place] != centre else { return }
        if centres[place] != nil { table = table.filter { $0.value.beacon != place } }
        centres[place] = centre
        var temporary: TemporaryKey?
        for slot in centre - Self.neighbours...centre + Self.neighbours {
            table[identifier(place, slot, &temporary)] = (place, slot)
        }
    }

    /// A match with the clock offset that puts the beacon into this slot now.
    private func matchSlot(_ place: Int, _ slot: Int64, at time: Timestamp) -> Match {
        let now = seconds(place, at: time)
        let period = Int64(beacons[place].key.period)
        let start = slot * period
        let drift = now < start ? start - now : now >= start + period ? start + period - 1 - now : 0
        return Match(beacon: place, counter: counter(place, slot), drift: drift)
    }
}
