internal import BeaconFrames
internal import Bytes

/// Eddystone-EID beacons by the ids of their items, with their estimated clocks.
///
/// A clock that is further off than ``EphemeralResolver`` follows by itself is searched for, seldom and at a bounded
/// cost: the nearest slots first, and further ones while the identifier continues to be received. It is followed after
/// three consecutive identifiers (``ClockSuspicions``).
struct EphemeralClocks: Sendable {
    /// The result of resolving an identifier.
    enum Answer {
        case stranger
        case owner(String, hasDrifted: Bool)
        /// The item, the seconds by which its clock is ahead, and its time slot.
        case offClock(String, seconds: Int64, slot: Duration)
    }

    /// The largest clock offset that is searched for, in seconds.
    static let reach: Int64 = 4 * 86_400
    /// Time slots that one step of a search tries to either side, of all beacons together.
    static let slots: Int64 = 16_384
    /// The time between two steps.
    static let pause: Duration = .seconds(10)
    /// The number of remembered identifiers that were searched for.
    static let triedCapacity = 1_024

    /// The progress of a search.
    private struct Tried {
        var answer = Answer.stranger
        /// The number of slots tried to either side; all of them after the end of the search.
        var slots: Int64 = 0
    }

    private let names: [String]
    private let places: [String: Int]
    private let beacons: [EphemeralResolver.Beacon]
    private var resolver: EphemeralResolver
    private var tried: RecencyTable<UInt64, Tried>
    private var searched: Timestamp?
    private var suspicions = ClockSuspicions()

    init(_ beacons: [(item: String, beacon: EphemeralResolver.Beacon)], remembering memory: [String: KeyMemory]) {
        names = beacons.map(\.item)
        places = Dictionary(zip(names, names.indices)) { first, _ in first }
        self.beacons = beacons.map(\.beacon)
        resolver = EphemeralResolver(
            beacons.map(\.beacon),
            drifts: beacons.map { item, beacon in
                if case .drift(let seconds, beacon.origin)? = memory[item] { seconds } else { 0 }
            })
        tried = RecencyTable(capacity: Self.triedCapacity)
    }

    var isEmpty: Bool { names.isEmpty }
    var ciphers: UInt64 { resolver.ciphers }

    /// The drifts of clocks to remember.
    var memory: [String: KeyMemory] {
        var memory: [String: KeyMemory] = [:]
        for (place, name) in names.enumerated() {
            guard let drift = resolver.drift(of: place), drift != 0 else { continue }
            memory[name] = .drift(drift, origin: beacons[place].origin)
        }
        return memory
    }

    mutating func resolve(_ identifier: UInt64, at time: Timestamp) -> Answer {
        if let match = resolver.resolve(identifier, at: time) {
            suspicions.clear(match.beacon)
            return .owner(names[match.beacon], hasDrifted: match.drift != 0)
        }
        let before = tried[identifier] ?? Tried()
        guard before.slots < Int64.max else { return before.answer }
        if let searched, (.zero..<Self.pause).contains(time.duration(since: searched)) { return .stranger }
        searched = time
        let next = searchClock(identifier, from: before.slots, at: time)
        if case .owner = next.answer { return next.answer }
        return tried.withValue(forKey: identifier, initial: { next }) { tried in
            tried = next
            return next.answer
        }
    }

    func open(_ frame: EddystoneETLM, of item: String, at time: Timestamp) -> EddystoneTLM? {
        places[item].flatMap { resolver.open(frame, of: $0, at: time) }
    }

    private mutating func searchClock(_ identifier: UInt64, from start: Int64, at time: Timestamp) -> Tried {
        let shortest = beacons.map(\.key.period).min() ?? 1
        let end = start + max(1, Self.slots / Int64(max(1, names.count)))
        guard let match = resolver.search(identifier, at: time, upTo: Self.reach, slots: start..<end) else {
            return Tried(slots: end > Self.reach / Int64(shortest) ? .max : end)
        }
        return Tried(answer: checkClock(match, at: time), slots: .max)
    }

    /// Derives the state of a beacon's clock from an identifier.
    private mutating func checkClock(_ match: EphemeralResolver.Match, at time: Timestamp) -> Answer {
        let (name, period) = (names[match.beacon], Int64(beacons[match.beacon].key.period))
        guard suspicions.confirm(match.beacon, counter: match.counter, period: period, at: time) else {
            return .offClock(name, seconds: match.drift, slot: .seconds(period))
        }
        resolver.adoptClock(match)
        return .owner(name, hasDrifted: true)
    }
}
