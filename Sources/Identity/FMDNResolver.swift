public import BeaconFrames
public import Bytes

/// Resolves identifiers of Find Hub tags by the identity keys and clocks of many.
///
/// The identifiers of each tag's present time slot and of those around it are computed in advance, so that a frame
/// costs one look-up. A point multiplication costs 0.2 ms or more, so they are computed a few at a time, the slots
/// nearest to the expected ones of all tags first: after a start 50 tags are resolved within 13 s, and clocks that are
/// far off are found within half an hour.
///
/// The look-up compares 64 bits of an identifier: a stranger's matches one of 65,536 with a probability of 2⁻⁴⁸.
public struct FMDNResolver: Sendable {
    /// A tag: its key, and the time at which its counter was 0.
    public struct Beacon: Sendable {
        /// Its identity key.
        public var key: FMDNKey
        /// The time at which its counter was 0.
        public var origin: Timestamp

        /// A tag of these values.
        public init(key: FMDNKey, origin: Timestamp) {
            (self.key, self.origin) = (key, origin)
        }
    }

    /// The tag and slot of an identifier.
    public struct Match: Hashable, Sendable {
        /// The index of the tag.
        public var beacon: Int
        /// The beginning of the identifier's time slot in the tag's own time.
        public var counter: UInt32
        /// The seconds by which the tag's clock is ahead of the expected one, negative if behind; 0 if the identifier
        /// may be sent at this time.
        public var drift: Int64
        /// A Boolean value that is true if the slot is so near that the tag's clock is followed without confirmation.
        public var isNear: Bool
    }

    /// The default maximum number of time slots of all tags together.
    public static let capacity = 32_768
    /// Slots to either side of the expected one in which a clock is followed.
    public static let neighbours: Int64 = 2
    /// The maximum number of slots computed in one burst, and the rate a second thereafter.
    public static let burst = 64
    /// See ``burst``.
    public static let rate: Int64 = 20
    /// Microseconds between two checks of the clocks.
    private static let pause: Int64 = 100_000
    /// The bound of an offset: a year.
    private static let furthest: Int64 = 366 * 86_400

    /// Point multiplications since the start.
    public private(set) var multiplications: UInt64 = 0
    private let beacons: [Beacon]
    private let capacity: Int
    /// The learned offset of each clock, in seconds relative to the configured one.
    private var offsets: [Int64]
    /// The slots of each tag that are in the table; empty ranges begin at the next slot to compute.
    private var made: [Range<Int64>]
    private var table: [UInt64: UInt32] = [:]
    private var looked: Timestamp?
    /// Slots that may be computed now, in millionths.
    private var credit = Int64(burst) * 1_000_000

    /// A resolver for these tags, of which the first 1,024 are used. They are identified by their indices.
    ///
    /// - Parameters:
    ///   - drifts: Previously learned offsets of their clocks, as ``drift(of:)`` returns them; 0 for invalid ones.
    ///   - capacity: The maximum number of time slots of all tags together.
    public init(_ beacons: [Beacon], drifts: [Int64] = [], capacity: Int = capacity) {
        self.beacons = Array(beacons.prefix(1 << 10))
        self.capacity = capacity
        offsets = self.beacons.indices.map { place in
            guard drifts.indices.contains(place) else { return 0 }
            return (-Self.furthest...Self.furthest).contains(drifts[place]) ? drifts[place] : 0
        }
        made = self.beacons.map { _ in 0..<0 }
    }

    /// The number of slots to either side of the expected one that are computed for each tag.
    public var reach: Int64 { max(Self.neighbours, Int64(capacity / max(1, beacons.count) - 1) / 2) }

    /// Resolves an identifier by the computed slots; nil for a stranger's. A near match moves the tag's clock.
    public mutating func resolve(_ identifier: FMDNFrame.Identifier, at time: Timestamp) -> Match? {
        advance(to: time)
        guard let entry = table[identifier.prefix] else { return nil }
        let match = matchEntry(entry, at: time)
        if match.isNear { adoptClock(match) }
        return match
    }

    /// Moves a tag's clock to that of a match.
    public mutating func adoptClock(_ match: Match) {
        guard offsets.indices.contains(match.beacon) else { return }
        offsets[match.beacon] = max(-Self.furthest, min(Self.furthest, offsets[match.beacon] + match.drift))
    }

    /// The seconds by which a tag's clock is ahead of the configured one; negative if behind.
    public func drift(of beacon: Int) -> Int64? {
        offsets.indices.contains(beacon) ? offsets[beacon] : nil
    }

    /// A tag's frame with its flags decoded in the slot of its clock, or in one beside it; nil if they can't be
    /// decoded.
    public func open(_ frame: FMDNFrame, of beacon: Int) -> FMDNFrame? {
        guard let entry = table[frame.identifier.prefix], Self.place(entry) == beacon else { return nil }
        return beacons[beacon].key.open(frame, at: Self.counter(entry))
    }

    // MARK: Slots

    /// A tag's index in 10 bits and the slot of its counter in 22, the number of bits that 32 bits of seconds need.
    private static func entry(_ place: Int, _ slot: Int64) -> UInt32 {
        UInt32(place) << 22 | UInt32(truncatingIfNeeded: slot) & 0x3F_FFFF
    }

    private static func place(_ entry: UInt32) -> Int { Int(entry >> 22) }

    private static func counter(_ entry: UInt32) -> UInt32 { entry << UInt32(FMDNKey.exponent) }

    /// The estimated time of a tag in seconds; it may be negative or beyond 32 bits.
    private func seconds(_ place: Int, at time: Timestamp) -> Int64 {
        let (whole, rest) = time.microseconds(since: beacons[place].origin).quotientAndRemainder(dividingBy: 1_000_000)
        return (rest < 0 ? whole - 1 : whole) + offsets[place]
    }

    private func slot(_ place: Int, at time: Timestamp) -> Int64 {
        seconds(place, at: time) >> Int64(FMDNKey.exponent)
    }

    private func matchEntry(_ entry: UInt32, at time: Timestamp) -> Match {
        let place = Self.place(entry)
        let now = seconds(place, at: time)
        let centre = now >> Int64(FMDNKey.exponent)
        // The distance from the expected slot, the shorter one around 22 bits.
        let way = Int64(Int32(truncatingIfNeeded: (Int64(entry) - centre) << 10) >> 10)
        let start = (centre + way) * FMDNKey.period
        let end = start + FMDNKey.period + FMDNKey.lateness
        let drift = now < start ? start - now : now >= end ? end - 1 - now : 0
        return Match(
            beacon: place, counter: Self.counter(entry), drift: drift, isNear: abs(way) <= Self.neighbours)
    }

    /// Computes as many slots as the elapsed time allows.
    private mutating func advance(to time: Timestamp) {
        if let looked {
            let passed = time.microseconds(since: looked)
            guard !(0..<Self.pause).contains(passed) else { return }
            let most = Int64(Self.burst) * 1_000_000
            credit = min(most, credit + min(max(0, passed), most) * Self.rate)
        }
        looked = time
        let centres = beacons.indices.map { slot($0, at: time) }
        for place in beacons.indices where !made[place].contains(centres[place]) {
            // The clock was set, or has jumped: the computed slots are useless.
            made[place] = centres[place]..<centres[place]
        }
        while credit >= 1_000_000, let (place, slot) = nextSlot(around: centres) {
            computeSlot(place, slot)
            credit -= 1_000_000
        }
        if table.count > 2 * capacity + capacity / 4 + 2 * Self.burst { trimEntries(around: centres) }
    }

    /// The next slot to compute: the one nearest to its tag's expected one.
    private func nextSlot(around centres: [Int64]) -> (place: Int, slot: Int64)? {
        var nearest: (place: Int, slot: Int64, distance: Int64)?
        for (place, slots) in made.enumerated() {
            let centre = centres[place]
            let (below, above) = (centre - slots.lowerBound + 1, slots.upperBound - centre)
            let isAbove = above <= below
            let distance = isAbove ? above : below
            guard distance <= reach, nearest.map({ distance < $0.distance }) ?? true else { continue }
            nearest = (place, isAbove ? slots.upperBound : slots.lowerBound - 1, distance)
        }
        return nearest.map { ($0.place, $0.slot) }
    }

    private mutating func computeSlot(_ place: Int, _ slot: Int64) {
        let slots = made[place]
        made[place] = min(slots.lowerBound, slot)..<max(slots.upperBound, slot + 1)
        let entry = Self.entry(place, slot)
        for curve in FMDNKey.curves {
            multiplications += 1
            guard let identifier = beacons[place].key.identifier(at: Self.counter(entry), on: curve) else { continue }
            table[identifier.prefix] = entry
        }
    }

    /// Drops slots beyond ``reach``.
    private mutating func trimEntries(around centres: [Int64]) {
        for (place, centre) in centres.enumerated() {
            made[place] = made[place].clamped(to: centre - reach..<centre + reach + 1)
        }
        table = table.filter { _, entry in
            let place = Self.place(entry)
            let way = Int64(Int32(truncatingIfNeeded: (Int64(entry) - centres[place]) << 10) >> 10)
            return made[place].contains(centres[place] + way)
        }
    }
}
